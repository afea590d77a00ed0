"""What becomes of a sample on a build without the GIL when something turns the GIL on."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, cast

import pytest
from planted import request

from runners.harness import observe
from runners.harness.measure import GIL_REENABLED, Sample

if TYPE_CHECKING:
    from runners.harness.channel import Channel, Message


def taken(monkeypatch: pytest.MonkeyPatch, *seen: str) -> Message:
    """Take a sample in this process, which finds the GIL "on" or "off" as *seen* says, and at last as it says last."""
    found = iter(seen)
    monkeypatch.setattr(observe, "gil_enabled", lambda: next(found, seen[-1]) == "on")
    monkeypatch.setattr(observe.Recorder, "install", lambda _: None)  # it watches classes of the whole process
    return Sample(asdict(request("misbehaving", "doubles")), cast("Channel", None), 0).take()


def test_where_the_imports_turn_it_on_the_runner_is_not_supported_and_nothing_is_measured(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    sample = taken(monkeypatch, "off", "on")
    assert (sample["status"], sample["reason"]) == ("unsupported", GIL_REENABLED[0])
    assert sample["values"] == {}
    assert sample["phases"].keys() == {"started_ns", "imports"}
    observed = sample["observed"]
    assert [observed[f"gil_{when}"] for when in ("before", "after_imports", "after_run")] == [False, True, True]


def test_where_it_comes_back_while_the_runner_works_the_sample_has_failed(monkeypatch: pytest.MonkeyPatch) -> None:
    sample = taken(monkeypatch, "off", "off", "on")
    assert (sample["status"], sample["reason"]) == ("failed", GIL_REENABLED[1])


@pytest.mark.parametrize("gil", ["off", "on"])
def test_where_it_stays_as_it_was_the_sample_is_right(monkeypatch: pytest.MonkeyPatch, gil: str) -> None:
    sample = taken(monkeypatch, gil)
    assert (sample["status"], sample["reason"]) == ("ok", None)
