"""A build's environment: made once, and whatever does not install stops nothing else. The installer is a fake."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from runners.harness.builds import environments
from runners.harness.errors import UserError

if TYPE_CHECKING:
    from pathlib import Path

REFUSAL = """  \u00d7 Failed to build `gevent==1.0`
  ├─▶ The build backend returned an error
  ╰─▶ Call to `setuptools.build_meta` failed (exit status: 1) in /home/ann/.cache/uv/builds/a1
      see https://example.org/simple/gevent/ for more
"""


class Installer:
    """Takes down what it is asked to do; packages and environments may fail for a reason."""

    def __init__(self) -> None:
        self.calls: list[tuple[str, ...]] = []
        self.reasons: dict[str, str] = {}

    def __call__(self, *arguments: str) -> str | None:
        self.calls.append(arguments)
        return next((reason for part, reason in self.reasons.items() if part in arguments[-1]), None)


@pytest.fixture
def installer(monkeypatch: pytest.MonkeyPatch) -> Installer:
    fake = Installer()
    monkeypatch.setattr(environments, "_uv", fake)
    return fake


@pytest.fixture
def pins(tmp_path: Path) -> Path:
    folder = tmp_path / "pins"
    folder.mkdir()
    for name in ("aiohttp", "gevent", "tornado"):
        (folder / f"{name}.txt").write_text(f"{name}==1.0 --hash=sha256:00\n", encoding="utf-8")
    return folder


def make(pins: Path) -> tuple[Path, dict[str, str]]:
    return environments.make(pins.parent / "python", "cpython-3.13.0", folder=pins.parent / "builds", pins=pins)


def test_what_does_not_install_is_noted_with_the_reason_and_the_others_install(
    pins: Path, installer: Installer
) -> None:
    installer.reasons["gevent"] = "no compiler"
    python, reasons = make(pins)
    assert reasons == {"gevent": "no compiler"}
    installed = [call[-1] for call in installer.calls if call[:2] == ("pip", "install")]
    assert [path.rpartition("/")[2] for path in installed] == ["aiohttp.txt", "gevent.txt", "tornado.txt"]
    assert all("--require-hashes" in call for call in installer.calls if call[0] == "pip")
    assert python.is_relative_to(pins.parent / "builds")


def test_it_is_made_once_and_then_kept_and_other_pins_make_another(pins: Path, installer: Installer) -> None:
    installer.reasons["gevent"] = "no compiler"
    first, calls = make(pins), len(installer.calls)
    assert make(pins) == first
    assert len(installer.calls) == calls
    assert environments.made("cpython-3.13.0", pins.parent / "builds") == [first[0]]
    assert environments.made("cpython-3.13", pins.parent / "builds") == []
    (pins / "gevent.txt").write_text("gevent==2.0 --hash=sha256:00\n", encoding="utf-8")
    assert make(pins)[0] != first[0]


def test_what_failed_for_want_of_a_network_is_tried_again(pins: Path, installer: Installer) -> None:
    installer.reasons[".txt"] = "Failed to fetch: dns error"
    assert make(pins)[1].keys() == {"aiohttp", "gevent", "tornado"}
    installer.reasons.clear()
    assert make(pins)[1] == {}


def test_one_that_was_cut_off_is_made_anew(pins: Path, installer: Installer, monkeypatch: pytest.MonkeyPatch) -> None:
    def cut(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(json, "dumps", cut)
        with pytest.raises(KeyboardInterrupt):
            make(pins)
    calls = len(installer.calls)
    assert make(pins)[1] == {}
    assert len(installer.calls) == 2 * calls


def test_where_not_even_an_empty_one_can_be_made_the_user_is_told(pins: Path, installer: Installer) -> None:
    installer.reasons["builds"] = "no room on the disk"
    with pytest.raises(UserError, match=r"no environment could be made for cpython-3\.13\.0-\w+: no room on the disk"):
        make(pins)


def test_a_complaint_becomes_one_line_without_addresses_and_private_paths() -> None:
    assert environments.in_a_line(REFUSAL) == (
        "Failed to build `gevent==1.0` The build backend returned an error Call to `setuptools.build_meta` failed"
        " (exit status: 1) in a1 see (an address) for more"
    )


@pytest.mark.parametrize(("complaint", "line"), [("", "no message"), ("x" * 1000, "x" * 300)])
def test_a_complaint_is_never_empty_and_never_long(complaint: str, line: str) -> None:
    assert environments.in_a_line(complaint) == line
