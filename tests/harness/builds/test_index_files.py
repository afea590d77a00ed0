"""Which file of an index each installed package came from. The index is a lock file from uv."""

import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

from runners.harness import programs
from runners.harness.builds import index_files

TAGS = "cp313-cp313-manylinux_2_17_x86_64", "cp313-cp313-manylinux2014_x86_64"
OF_BOTH = "cp313-cp313-manylinux2014_x86_64.manylinux_2_17_x86_64"


def locked(name: str, *wheels: str, digit: str = "a") -> str:
    """Return a package's entry in a lock file; its wheels have the hashes 1, 2 and so on."""
    address = f"https://index.invalid/files/{name.replace('-', '_')}-1.0"
    written = [
        f'{{ url = "{address}-{tags}.whl", size = 1, hashes = {{ sha256 = "{str(number) * 64}" }} }}'
        for number, tags in enumerate(wheels, 1)
    ]
    return (
        f'[[packages]]\nname = "{name}"\nversion = "1.0"\n'
        f'sdist = {{ url = "{address}.tar.gz", hashes = {{ sha256 = "{digit * 64}" }} }}\n'
        f"wheels = [{', '.join(written)}]\n"
    )


class Index:
    """Answers like uv, and records the requirements."""

    def __init__(self) -> None:
        self.lock = ""
        self.status = 0
        self.requirements: list[str] = []

    def __call__(self, *command: str | Path, limit_s: float) -> subprocess.CompletedProcess[str]:
        del limit_s
        self.requirements += Path(command[-1]).read_text(encoding="utf-8").split()
        return subprocess.CompletedProcess([], self.status, f'lock-version = "1.0"\n{self.lock}', "")


@pytest.fixture
def index(monkeypatch: pytest.MonkeyPatch) -> Index:
    fake = Index()
    monkeypatch.setattr(programs, "run", fake)
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
    index: Index, tmp_path: Path, name: str, tags: Sequence[str], wheels: Sequence[str]
) -> None:
    name, digit = name.split(" ")
    install(tmp_path, name, *tags)
    normalised = name.lower().replace(".", "-")
    index.lock = locked(normalised, *wheels)
    assert hashes(tmp_path) == ({normalised: digit} if digit else {})
    assert index.requirements == [f"{normalised}==1.0"]
    assert index_files.sha256s(tmp_path / "nothing" / "bin" / "python") == {}


def test_packages_from_elsewhere_are_not_asked_for(index: Index, tmp_path: Path) -> None:
    install(tmp_path, "own", "py3-none-any", direct=True)
    assert hashes(tmp_path) == {}
    assert index.requirements == []


@pytest.mark.parametrize(("status", "lock"), [(1, ""), (0, "no lock file")])
def test_index_without_an_answer_leaves_no_hashes(status: int, lock: str, index: Index, tmp_path: Path) -> None:
    install(tmp_path, "fast", "py3-none-any")
    index.status, index.lock = status, lock
    assert hashes(tmp_path) == {}
