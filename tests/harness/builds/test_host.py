"""The description of this machine."""

import getpass
import os
import platform
from pathlib import Path

import msgspec
import pytest

from runners.harness.builds import host
from runners.harness.errors import UserError
from runners.harness.record.model import Machine


def test_machine_fits_the_record_and_names_nobody() -> None:
    machine = host.look()
    assert msgspec.convert(msgspec.to_builtins(machine), Machine) == machine
    assert 1 <= machine.usable_cores <= machine.logical_cores
    text = msgspec.json.encode(machine).decode()
    assert f'"{platform.node()}' not in text
    assert f'"{getpass.getuser()}' not in text


def test_label_replaces_the_default_if_files_can_have_it() -> None:
    assert host.look("my desk").label == "my desk"
    assert host.look().label.endswith("-core")
    for label in ("x" * 61, "a\nb", "\x00"):
        with pytest.raises(UserError):
            host.look(label)


@pytest.mark.parametrize(
    ("text", "ticks", "budget"),
    [
        (None, None, None),
        ("cpu  1 2 3 4 5 6 7 80 9 10\ncpu0 1\n", (80, 108), None),
        ("cpu a b c d e f g h", None, None),
        ("MemTotal: 9 kB\nMemAvailable:    2000 kB\n", None, 1_024_000),
        ("MemAvailable: much", None, None),
    ],
)
def test_processor_time_and_free_memory_are_read_if_reported(
    tmp_path: Path, text: str | None, ticks: tuple[int, int] | None, budget: int | None
) -> None:
    path = tmp_path / "file"
    if text is not None:
        path.write_text(text, encoding="ascii")
    assert (host.processor_time(path), host.memory_budget_bytes(path)) == (ticks, budget)


def test_stolen_share_between_two_readings() -> None:
    assert [host.steal_share((10, 100), after) for after in ((15, 200), (10, 200), (8, 200))] == [0.05, 0.0, 0.0]
    for unknown in (((10, 100), (10, 100)), (None, (1, 2)), ((1, 2), None)):
        assert host.steal_share(*unknown) is None


@pytest.mark.parametrize(
    ("quota", "cores"), [("100000 100000", 1), ("150000 100000", 2), ("max 100000", 64), (None, 64)]
)
def test_container_quota_limits_the_cores(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, quota: str | None, cores: int
) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: range(64), raising=False)
    if quota is not None:
        (tmp_path / "cpu.max").write_text(f"{quota}\n")
    assert host.usable_cores(tmp_path / "cpu.max") == cores
