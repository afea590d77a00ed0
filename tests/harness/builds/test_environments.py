"""Each build's environment is made once; a package that does not install stops nothing. The installer is a fake."""

import errno
import re
from pathlib import Path
from unittest.mock import Mock

import pytest

from runners.harness.builds import environments
from runners.harness.errors import UserError

BUILD_FAILED = """  \u00d7 Failed to build `gevent==1.0`
  ├─▶ The build backend returned an error
  ╰─▶ Call to `setuptools.build_meta` failed (exit status: 1) in /home/ann/.cache/uv/builds/a1
      see https://example.org/simple/gevent/ for more
"""
PINS = """aiohttp==3.0 \\
    --hash=sha256:01
    # via -r runners/aiohttp.in
gevent==2.0 --hash=sha256:02
tornado[fast]==6.5 ; python_full_version < '3.11' \\
    --hash=sha256:04
tornado[fast]==6.6 ; python_full_version >= '3.11' \\
    --hash=sha256:05
"""


class Installer:
    """Records its calls; packages and environments may fail with a complaint."""

    def __init__(self) -> None:
        self.calls: list[tuple[str, ...]] = []
        self.complaints: dict[str, str] = {}
        self.requirements: dict[str, str] = {}

    def __call__(self, *arguments: str) -> str | None:
        self.calls.append(arguments)
        place = Path(arguments[-1])
        if arguments[0] == "pip":
            self.requirements[place.stem] = place.read_text(encoding="utf-8")
        else:
            place.mkdir(parents=True, exist_ok=True)
        return self.complaints.get(place.stem)


@pytest.fixture
def installer(monkeypatch: pytest.MonkeyPatch) -> Installer:
    fake = Installer()
    monkeypatch.setattr(environments, "_uv", fake)
    return fake


@pytest.fixture
def packages(tmp_path: Path) -> Path:
    """Name three packages, and pin them in the file next to the folder."""
    folder = tmp_path / "runners"
    folder.mkdir()
    for name in ("aiohttp", "gevent", "tornado"):
        (folder / f"{name}.in").write_text(f"{name}\n", encoding="utf-8")
    (tmp_path / "runners.txt").write_text(PINS, encoding="utf-8")
    (tmp_path / "python").touch()
    return folder


def make(packages: Path) -> tuple[Path, dict[str, str]]:
    pins, builds = packages.with_suffix(".txt"), packages.parent / "builds"
    return environments.make(packages.parent / "python", "cpython-3.13.0", folder=builds, pins=pins)


def test_packages_are_installed_one_by_one_from_hashed_pins(packages: Path, installer: Installer) -> None:
    installer.complaints["gevent"] = f"{BUILD_FAILED}{'x' * 5000}"
    (packages / "trio.in").write_text("trio\n", encoding="utf-8")
    python, missing = make(packages)
    assert missing.keys() == {"gevent", "trio"}, "a failure stops no other"
    assert len(missing["gevent"]) == 300
    assert environments.log_path("gevent", python).read_text(encoding="utf-8") == installer.complaints["gevent"]
    assert not environments.log_path("aiohttp", python).exists()
    assert [*installer.requirements] == ["aiohttp", "gevent", "tornado"]
    for call in installer.calls[1:]:
        assert "--require-hashes" in call
        assert call[-4:-1] == ("--constraint", str(packages.with_suffix(".txt")), "-r")
    assert installer.requirements["aiohttp"] == PINS.partition("gevent")[0]
    assert installer.requirements["tornado"].count("tornado[fast]==") == 2


def test_environment_is_made_once_per_interpreter_and_pins(packages: Path, installer: Installer) -> None:
    first, calls = make(packages), len(installer.calls)
    assert make(packages) == first
    assert len(installer.calls) == calls
    packages.with_suffix(".txt").write_text(PINS.replace("2.0", "2.1"), encoding="utf-8")
    second = make(packages)
    (packages.parent / "python").write_bytes(b"compiled again")
    assert len({first[0], second[0], make(packages)[0]}) == 3


UNRESOLVED = "error: No solution found when resolving dependencies\n  cause: Because"


@pytest.mark.parametrize(
    ("complaint", "is_lasting"),
    [
        ("something unforeseen", False),
        (f"{BUILD_FAILED}{'x' * 1000} Failed to fetch", False),  # beyond the part that becomes the reason
        (f"{UNRESOLVED} there is no version of gevent==1.0 and you require gevent==1.0", False),
        (f"{UNRESOLVED} hint: An index (https://example.org/simple/) returned a 403 Forbidden error.", False),
        (BUILD_FAILED, True),
        (f"{UNRESOLVED} gevent==1.0 has no wheels with a matching Python ABI tag (e.g., `cp311`)", True),
    ],
)
def test_only_failures_that_may_pass_are_tried_again(
    packages: Path, installer: Installer, complaint: str, *, is_lasting: bool
) -> None:
    installer.complaints["gevent"] = complaint
    assert make(packages)[1].keys() == {"gevent"}
    installer.complaints, installer.calls = {}, []
    assert bool(make(packages)[1]) is is_lasting
    assert all(call[0] == "pip" for call in installer.calls), "another run may be measuring with the environment"


def test_interrupted_environment_is_completed(
    packages: Path, installer: Installer, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(environments, "_install", Mock(side_effect=KeyboardInterrupt))
        with pytest.raises(KeyboardInterrupt):
            make(packages)
    assert make(packages)[1] == {}
    assert [*installer.requirements] == ["aiohttp", "gevent", "tornado"]


def test_environment_that_can_not_be_made_has_a_reason(
    packages: Path, installer: Installer, monkeypatch: pytest.MonkeyPatch
) -> None:
    installer.complaints["cpython-3.13"] = "no compiler"
    with pytest.raises(UserError, match="no compiler"):
        make(packages)
    installer.complaints = {}
    full = Mock(side_effect=OSError(errno.ENOSPC, "No space left on device"))
    monkeypatch.setattr(environments, "write_atomically", full)
    with pytest.raises(UserError, match="No space left on device"):
        make(packages)


@pytest.mark.parametrize(
    ("complaint", "line"),
    [
        ("", "no message"),
        ("\u00d7 Failed\n  ╰─▶ in /home/ann/a1, see https://a.b/c", "Failed in a1, see (an address)"),
        (
            "process didn't exit successfully: `git fetch 'https://a.b' '+x'` (exit: 1)\n --- stderr\n fatal: x",
            "fatal: x",
        ),
    ],
)
def test_complaint_fits_a_line_without_addresses_and_paths(complaint: str, line: str) -> None:
    assert environments.one_line(complaint) == line


def test_runners_packages_are_pinned_with_hashes() -> None:
    pins = environments.PINS.read_text(encoding="utf-8")
    for name in environments.packages():
        assert "--hash=sha256:" in environments.entries(name, pins)
    places = re.findall(r"^([a-z0-9-]+)(?:\[.*\])?==\S+(.*)\\$", pins, re.MULTILINE)
    assert len(places) == len(set(places)), "pinned twice for one Python"
    assert "://" not in pins
    uvloop = environments.entries("uvloop", pins)
    assert re.findall(r"^uvloop==\S+ ; (.*) \\$", uvloop, re.MULTILINE) == ["sys_platform != 'win32'"]
