"""Which file of an index each installed package came from. The index is a lock file from uv."""

import subprocess
from collections.abc import Sequence
from pathlib import Path
from unittest.mock import Mock

import pytest

from runners.harness import programs
from runners.harness.builds import index_files

TAGS = "cp313-cp313-manylinux_2_17_x86_64", "cp313-cp313-manylinux2014_x86_64"
SOURCE = "a" * 64
OF_BOTH = "cp313-cp313-manylinux2014_x86_64.manylinux_2_17_x86_64"


def locked(name: str, *wheels: str) -> str:
    """Return a lock file with a package, whose wheels have the hashes 1, 2 and so on, and its source the hash a."""
    address = f"https://index.invalid/files/{name.replace('-', '_')}-1.0"
    written = [
        f'{{ url = "{address}-{tags}.whl", size = 1, hashes = {{ sha256 = "{str(number) * 64}" }} }}'
        for number, tags in enumerate(wheels, 1)
    ]
    return (
        f'lock-version = "1.0"\n[[packages]]\nname = "{name}"\nversion = "1.0"\n'
        f'sdist = {{ url = "{address}.tar.gz", hashes = {{ sha256 = "{SOURCE}" }} }}\n'
        f"wheels = [{', '.join(written)}]\n"
    )


@pytest.fixture
def uv(monkeypatch: pytest.MonkeyPatch) -> Mock:
    """Answer with `uv.lock` and `uv.status`, and record the requirements."""

    def run(*command: str | Path, **_: object) -> subprocess.CompletedProcess[str]:
        fake.requirements += Path(command[-1]).read_text(encoding="utf-8").split()
        return subprocess.CompletedProcess([], fake.status, fake.lock, "")

    fake = Mock(status=0, lock="", requirements=[])
    monkeypatch.setattr(programs, "run", run)
    return fake


def install(place: Path, name: str, *tags: str, direct: bool = False) -> None:
    folder = place / "lib" / "python3.13" / "site-packages" / f"{name.replace('.', '_')}-1.0.dist-info"
    folder.mkdir(parents=True)
    (folder / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n", encoding="utf-8")
    (folder / "WHEEL").write_text("".join(f"Tag: {tag}\n" for tag in ("", *tags) if tag), encoding="utf-8")
    if direct:
        (folder / "direct_url.json").write_text('{"url": "file:///a.whl"}', encoding="utf-8")


def hashes(place: Path) -> dict[str, str]:
    python = place / "bin" / "python"
    index_files.find(place, python)
    return {name: sha256[0] for name, sha256 in index_files.sha256s(python).items()}


@pytest.mark.parametrize(
    ("name", "tags", "wheels"),
    [
        ("fast 2", TAGS, ["py3-none-any", OF_BOTH]),
        ("built a", ["cp313-cp313-linux_x86_64"], [OF_BOTH]),  # from source: no wheel has its tags
        ("Zope.Interface 1", ["py2-none-any", "py3-none-any"], ["py2.py3-none-any"]),
        ("twice ", ["py3-none-any"], ["py3-none-any", "2-py3-none-any"]),  # ambiguous
    ],
)
def test_package_came_from_the_wheel_with_its_tags(
    uv: Mock, tmp_path: Path, name: str, tags: Sequence[str], wheels: Sequence[str]
) -> None:
    name, digit = name.split(" ")
    install(tmp_path, name, *tags)
    normalised = name.lower().replace(".", "-")
    uv.lock = locked(normalised, *wheels)
    assert hashes(tmp_path) == ({normalised: digit} if digit else {})
    assert uv.requirements == [f"{normalised}==1.0"]
    assert index_files.sha256s(tmp_path / "nothing" / "bin" / "python") == {}


@pytest.mark.parametrize("is_indexed", [False, True])
def test_packages_from_elsewhere_or_no_answer_have_no_hash(uv: Mock, tmp_path: Path, *, is_indexed: bool) -> None:
    install(tmp_path, "own", "py3-none-any", direct=not is_indexed)
    uv.lock, uv.status = locked("own", "py3-none-any"), int(is_indexed)
    assert hashes(tmp_path) == {}
    assert uv.requirements == ["own==1.0"] * is_indexed
