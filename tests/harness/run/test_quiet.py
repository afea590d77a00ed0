"""Waiting for a busy machine, on a fake clock."""

import time

import pytest

from runners.harness.builds import host
from runners.harness.run.quiet import wait_until_quiet


@pytest.mark.parametrize(
    ("loads", "waited_s", "lines"),
    [
        ([None], 0, []),
        ([3.1, 2.0, 1.1, 0.9], 15, ["busy: the load is 3.1 on 2 cores"]),
        ([1.5], 60, ["busy: the load is 1.5 on 2 cores", "still busy: the load is 1.5 on 2 cores, so its ranges"]),
    ],
)
def test_busy_machine_is_given_up_to_a_minute(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    loads: list[float | None],
    waited_s: int,
    lines: list[str],
) -> None:
    waits_s: list[float] = []
    monkeypatch.setattr(host, "usable_cores", lambda: 2)
    monkeypatch.setattr(host, "load_average", lambda: loads.pop(0) if len(loads) > 1 else loads[0])
    monkeypatch.setattr(time, "sleep", waits_s.append)
    wait_until_quiet()
    assert sum(waits_s) == waited_s
    printed = capsys.readouterr().err.splitlines()
    assert [line[: len(start)] for line, start in zip(printed, lines, strict=True)] == lines
