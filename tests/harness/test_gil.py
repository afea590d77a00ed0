"""Samples of a free-threaded build in which something turns the GIL back on."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, cast

import pytest
from planted import request

from runners.harness import observe
from runners.harness.measure import GIL_REENABLED, Sample

if TYPE_CHECKING:
    from runners.harness.channel import Channel


@pytest.mark.parametrize(
    ("gil", "outcome"),
    [
        (["off", "on"], ("unsupported", GIL_REENABLED[0])),
        (["off", "off", "on"], ("failed", GIL_REENABLED[1])),
        (["off"], ("ok", None)),
        (["on"], ("ok", None)),
    ],
    ids=["by imports", "while running", "never", "a build with the GIL"],
)
def test_gil_that_comes_back_spoils_the_sample(
    monkeypatch: pytest.MonkeyPatch, gil: list[str], outcome: tuple[str, str | None]
) -> None:
    readings = iter(gil)  # the last one is repeated
    monkeypatch.setattr(observe, "gil_enabled", lambda: next(readings, gil[-1]) == "on")
    monkeypatch.setattr(observe.Recorder, "install", lambda _: None)  # it changes classes of this process
    sample = Sample(asdict(request("misbehaving", "doubles")), cast("Channel", None), 0).take()
    assert (sample["status"], sample["reason"]) == outcome
    if outcome[0] == "unsupported":  # nothing was measured
        assert (sample["values"], sample["phases"].keys()) == ({}, {"started_ns", "imports"})
        assert [sample["observed"][f"gil_{when}"] for when in ("before", "after_imports", "after_run")] == [
            False,
            True,
            True,
        ]
