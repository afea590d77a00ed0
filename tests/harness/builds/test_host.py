"""What this machine is, and nothing of its owner."""

from __future__ import annotations

import getpass
import os
import platform
from typing import TYPE_CHECKING

import msgspec
import pytest

from runners.harness.builds import host
from runners.harness.errors import UserError
from runners.harness.record.model import Machine

if TYPE_CHECKING:
    from pathlib import Path


def test_it_fits_the_record() -> None:
    looked = host.look()
    assert msgspec.convert(msgspec.to_builtins(looked), Machine) == looked
    assert 1 <= looked.usable_cores <= looked.logical_cores
    assert (looked.load_after, looked.steal_share) == (None, None)


def test_it_names_neither_host_nor_user() -> None:
    told = msgspec.json.encode(host.look()).decode()
    assert f'"{platform.node()}' not in told
    assert f'"{getpass.getuser()}' not in told


def test_a_label_takes_the_place_of_the_default() -> None:
    assert host.look("my desk").label == "my desk"
    assert host.look().label.endswith("-core")


@pytest.mark.parametrize("label", ["x" * 61, "a\nb", "\x00"])
def test_a_label_that_no_file_could_hold_is_refused(label: str) -> None:
    with pytest.raises(UserError, match="can't name a machine"):
        host.look(label)


def test_processor_time_is_read_with_what_was_stolen(tmp_path: Path) -> None:
    stat = tmp_path / "stat"
    stat.write_text("cpu  1 2 3 4 5 6 7 80 9 10\ncpu0 1\n", encoding="ascii")
    assert host.processor_time(stat) == (80, 108)


@pytest.mark.parametrize("text", ["", "cpu 1 2", "cpu a b c d e f g h"])
def test_processor_time_that_is_not_told_is_none(tmp_path: Path, text: str) -> None:
    stat = tmp_path / "stat"
    assert host.processor_time(stat) is None
    stat.write_text(text, encoding="ascii")
    assert host.processor_time(stat) is None


@pytest.mark.parametrize(
    ("before", "after", "share"),
    [
        ((10, 100), (15, 200), 0.05),
        ((10, 100), (10, 200), 0.0),
        ((10, 100), (8, 200), 0.0),
        ((10, 100), (10, 100), None),
        (None, (1, 2), None),
        ((1, 2), None, None),
    ],
)
def test_the_share_stolen_between_two_readings(
    before: tuple[int, int] | None, after: tuple[int, int] | None, share: float | None
) -> None:
    assert host.steal_share(before, after) == share


@pytest.mark.parametrize(
    ("quota", "cores"), [("100000 100000", 1), ("150000 100000", 2), ("max 100000", 64), (None, 64)]
)
def test_a_container_s_quota_of_processor_time_limits_the_cores(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, quota: str | None, cores: int
) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: range(64), raising=False)
    if quota is not None:
        (tmp_path / "cpu.max").write_text(f"{quota}\n")
    assert host.usable_cores(tmp_path / "cpu.max") == cores


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("MemTotal: 9 kB\nMemAvailable:    2000 kB\n", 1_024_000),
        ("MemTotal: 9 kB\n", None),
        ("MemAvailable: much", None),
    ],
)
def test_the_memory_budget_is_half_of_what_is_left(tmp_path: Path, text: str, expected: int | None) -> None:
    (tmp_path / "meminfo").write_text(text, encoding="ascii")
    assert host.memory_budget_bytes(tmp_path / "meminfo") == expected
    assert host.memory_budget_bytes(tmp_path / "none") is None
