"""A build's environment: made once, and whatever does not install stops nothing else. The installer is a fake."""

from __future__ import annotations

import errno
import json
import re
from pathlib import Path

import pytest

from runners.harness import programs
from runners.harness.builds import environments
from runners.harness.errors import UserError

REFUSAL = """  \u00d7 Failed to build `gevent==1.0`
  ├─▶ The build backend returned an error
  ╰─▶ Call to `setuptools.build_meta` failed (exit status: 1) in /home/ann/.cache/uv/builds/a1
      see https://example.org/simple/gevent/ for more
"""


PINS = """aiohttp==3.0 \\
    --hash=sha256:01
    # via -r runners/aiohttp.in
gevent==2.0 --hash=sha256:02
multidict==7.0 \\
    --hash=sha256:03
    # via aiohttp
tornado[fast]==6.5 ; python_full_version < '3.11' \\
    --hash=sha256:04
tornado[fast]==6.6 ; python_full_version >= '3.11' \\
    --hash=sha256:05
"""


class Installer:
    """Takes down what it is asked to do; packages and environments may fail for a reason."""

    def __init__(self) -> None:
        self.calls: list[tuple[str, ...]] = []
        self.reasons: dict[str, str] = {}
        self.wanted: dict[str, str] = {}
        """By package, the requirements file that it was installed from."""

    def __call__(self, *arguments: str) -> str | None:
        self.calls.append(arguments)
        if arguments[0] == "pip":
            self.wanted[Path(arguments[-1]).stem] = Path(arguments[-1]).read_text(encoding="utf-8")
        else:
            Path(arguments[-1]).mkdir(parents=True, exist_ok=True)
        return next((reason for part, reason in self.reasons.items() if part in arguments[-1]), None)


@pytest.fixture
def installer(monkeypatch: pytest.MonkeyPatch) -> Installer:
    fake = Installer()
    monkeypatch.setattr(environments, "_uv", fake)
    return fake


@pytest.fixture
def packages(tmp_path: Path) -> Path:
    """Name three packages, and pin them and what they need in the file beside the folder."""
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


def test_what_does_not_install_is_noted_with_the_reason_and_the_others_install(
    packages: Path, installer: Installer
) -> None:
    installer.reasons["gevent"] = "no compiler"
    python, reasons = make(packages)
    assert reasons == {"gevent": "no compiler"}
    installed = [call[-1] for call in installer.calls if call[:2] == ("pip", "install")]
    assert [path.rpartition("/")[2] for path in installed] == ["aiohttp.txt", "gevent.txt", "tornado.txt"]
    assert python.is_relative_to(packages.parent / "builds")


def test_each_package_is_installed_by_itself_and_all_take_what_they_need_from_the_same_hashed_pins(
    packages: Path, installer: Installer
) -> None:
    make(packages)
    installing = [call for call in installer.calls if call[0] == "pip"]
    pins = str(packages.with_suffix(".txt"))
    assert all("--require-hashes" in call and call[-4:-1] == ("--constraint", pins, "-r") for call in installing)
    assert installer.wanted["aiohttp"] == "aiohttp==3.0 \\\n    --hash=sha256:01\n    # via -r runners/aiohttp.in\n"
    assert installer.wanted["tornado"].count("tornado[fast]==") == 2
    assert "multidict" not in "".join(installer.wanted.values())


def test_a_package_that_is_not_pinned_yet_is_not_installed_in_any_version(packages: Path, installer: Installer) -> None:
    (packages / "trio.in").write_text("trio\n", encoding="utf-8")
    assert make(packages)[1] == {"trio": "no pinned version in runners.txt: run `make pins`"}
    assert "trio" not in installer.wanted


def test_every_package_of_the_runners_is_pinned_with_hashes_and_none_twice_for_one_python() -> None:
    pins = environments.PINS.read_text(encoding="utf-8")
    for name in environments.packages():
        assert "--hash=sha256:" in environments.entries(name, pins)
    places = re.findall(r"^([a-z0-9-]+)(?:\[.*\])?==\S+(.*)\\$", pins, re.MULTILINE)
    assert len(places) == len(set(places))
    assert "://" not in pins


def test_a_package_that_a_platform_can_not_have_is_pinned_for_the_others_alone() -> None:
    pinned = environments.entries("uvloop", environments.PINS.read_text(encoding="utf-8"))
    wanted = (environments.PINS.with_suffix("") / "uvloop.in").read_text(encoding="utf-8")
    assert re.findall(r"^uvloop==\S+ ; (.*) \\$", pinned, re.MULTILINE) == ["sys_platform != 'win32'"]
    assert wanted.splitlines()[-1] == 'uvloop ; sys_platform != "win32"'


def test_it_is_made_once_and_then_kept_and_other_pins_make_another(packages: Path, installer: Installer) -> None:
    installer.reasons["gevent"] = REFUSAL
    first, calls = make(packages), len(installer.calls)
    assert make(packages) == first
    assert len(installer.calls) == calls
    packages.with_suffix(".txt").write_text(PINS.replace("2.0", "2.1"), encoding="utf-8")
    assert make(packages)[0] != first[0]


def test_an_interpreter_that_is_installed_anew_at_its_place_gets_another_environment(
    packages: Path, installer: Installer
) -> None:
    installer.reasons["gevent"] = REFUSAL
    first = make(packages)
    installer.reasons.clear()
    (packages.parent / "python").write_bytes(b"compiled again")
    assert make(packages)[0] != first[0]
    assert make(packages)[1] == {}


def test_an_interpreter_that_is_gone_is_named(packages: Path) -> None:
    (packages.parent / "python").unlink()
    with pytest.raises(UserError, match="python can't be looked at: No such file"):
        make(packages)


def test_all_that_an_installer_said_is_kept_in_the_environment(packages: Path, installer: Installer) -> None:
    installer.reasons["gevent"] = f"{REFUSAL}{'x' * 5000}"
    python, reasons = make(packages)
    assert environments.log_of("gevent", python).read_text(encoding="utf-8") == f"{REFUSAL}{'x' * 5000}"
    assert not environments.log_of("aiohttp", python).exists()
    assert len(reasons["gevent"]) == 300


UNRESOLVED = "error: No solution found when resolving dependencies\n  cause: Because"
FOR_GOOD = (
    REFUSAL,
    f"{UNRESOLVED} gevent==1.0 has no wheels with a matching Python ABI tag (e.g., `cp311`)",
    f"{UNRESOLVED} the current Python version (3.10.4) does not satisfy Python>=3.11 and gevent==1.0 depends on it",
)
PASSING = (
    "Failed to fetch: dns error",
    "the installation took over 20 minutes",
    "uv could not be started: Cannot allocate memory",
    "failed to create file: Too many open files (os error 24)",
    "No space left on device (os error 28)",
    "something that nobody has foreseen",
    f"{REFUSAL}fatal error: error writing to a.o: No space left on device",
    f"{REFUSAL}gcc: fatal error: Killed signal terminated program cc1",
    f"{REFUSAL}MemoryError",
    f"{REFUSAL}{'x' * 1000} Failed to fetch",  # beyond what is kept of the reason
    f"{UNRESOLVED} there is no version of gevent==1.0 and you require gevent==1.0",
    f"{UNRESOLVED} gevent was not found in the package registry and you require gevent==1.0",
    f"{UNRESOLVED} gevent is needed hint: it lacks valid authentication credentials (401 Unauthorized)",
    f"{UNRESOLVED} gevent is needed hint: An index (https://example.org/simple/) returned a 403 Forbidden error.",
    f"{UNRESOLVED} gevent was not found in the cache hint: Packages were unavailable because the network was disabled.",
)


@pytest.mark.parametrize("complaint", PASSING)
def test_what_failed_for_a_passing_reason_is_tried_again(packages: Path, installer: Installer, complaint: str) -> None:
    installer.reasons[".txt"] = complaint
    assert make(packages)[1].keys() == {"aiohttp", "gevent", "tornado"}
    installer.reasons.clear()
    assert make(packages)[1] == {}


def test_what_is_tried_again_is_added_to_the_environment_that_another_run_may_be_using(
    packages: Path, installer: Installer
) -> None:
    installer.reasons = {"gevent.txt": PASSING[0], "tornado.txt": FOR_GOOD[0]}
    make(packages)
    installer.reasons, installer.calls = {}, []
    assert [*make(packages)[1]] == ["tornado"]
    assert [Path(call[-1]).name for call in installer.calls] == ["gevent.txt"]


@pytest.mark.parametrize("complaint", FOR_GOOD)
def test_what_the_resolver_or_a_build_says_is_kept(packages: Path, installer: Installer, complaint: str) -> None:
    installer.reasons["gevent"] = complaint
    refused = make(packages)
    installer.reasons.clear()
    assert make(packages) == refused


def test_an_installer_that_can_not_be_started_is_a_passing_reason(
    packages: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def start(*_: object, **__: object) -> None:
        raise OSError(errno.ENOMEM, "Cannot allocate memory")

    monkeypatch.setattr(programs, "run", start)
    with pytest.raises(UserError, match="uv could not be started: Cannot allocate memory"):
        make(packages)


def test_one_that_was_cut_off_is_made_anew(
    packages: Path, installer: Installer, monkeypatch: pytest.MonkeyPatch
) -> None:
    def cut(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(json, "dumps", cut)
        with pytest.raises(KeyboardInterrupt):
            make(packages)
    calls = len(installer.calls)
    assert make(packages)[1] == {}
    assert len(installer.calls) == 2 * calls


def test_where_not_even_an_empty_one_can_be_made_the_user_is_told(packages: Path, installer: Installer) -> None:
    installer.reasons["builds"] = "no room on the disk"
    with pytest.raises(UserError, match=r"no environment could be made for cpython-3\.13\.0-\w+: no room on the disk"):
        make(packages)


def test_a_complaint_becomes_one_line_without_addresses_and_private_paths() -> None:
    assert environments.one_line(REFUSAL) == (
        "Failed to build `gevent==1.0` The build backend returned an error Call to `setuptools.build_meta` failed"
        " (exit status: 1) in a1 see (an address) for more"
    )


def test_of_what_git_complains_of_its_own_words_stay_and_not_the_command() -> None:
    said = (
        "error: Git operation failed\n  cause: failed to fetch branch or tag `main`\n"
        "  cause: process didn't exit successfully: `/usr/bin/git fetch --force 'https://github.com/a/b' "
        "'+refs/tags/main:refs/remotes/origin/tags/main'` (exit status: 128)\n         --- stderr\n"
        "         fatal: unable to access 'https://github.com/a/b/': Could not resolve host: github.com\n"
    )
    assert environments.one_line(said) == (
        "error: Git operation failed cause: failed to fetch branch or tag `main` "
        "cause: fatal: unable to access '(an address)': Could not resolve host: github.com"
    )


@pytest.mark.parametrize(
    ("complaint", "line"), [("", "no message"), (f"{'x' * 1000} no compiler", f"{'x' * 120} … {'x' * 165} no compiler")]
)
def test_a_complaint_is_never_empty_and_of_a_long_one_beginning_and_end_are_kept(complaint: str, line: str) -> None:
    assert environments.one_line(complaint) == line


@pytest.mark.usefixtures("installer")
def test_a_folder_in_which_nothing_can_be_kept_is_named_with_the_remedy(
    packages: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def write(path: Path, data: bytes) -> None:
        raise OSError(errno.ENOSPC, "No space left on device", f"{path} {len(data)}")

    monkeypatch.setattr(environments, "write_atomically", write)
    with pytest.raises(UserError, match=r"no environment can be made in \S+builds: No space left on device; make room"):
        make(packages)
