"""Unexpected messages of a worker fail its own sample only."""

from typing import Any
from unittest.mock import Mock

import pytest
from planted import task

from runners.harness.channel import Message
from runners.harness.http_load import generator
from runners.harness.process.launcher import WorkerError
from runners.harness.run import protocol


def talker(*messages: Message) -> Any:  # noqa: ANN401 - a fake
    """Return a worker that sends one message after another, whatever it receives."""
    return Mock(deadline_s=0.0, receive=Mock(side_effect=messages))


def serve(*messages: Message) -> Message:
    return protocol.serve(task("server", "answers", serves=True).message, talker(*messages))


@pytest.mark.parametrize(("peak", "status"), [(4, "ok"), (5, "failed")])
def test_pages_in_flight_are_those_that_the_sites_counted(peak: int, status: str) -> None:
    sites = Mock(**{"counts.return_value": ([9, 9], peak)})
    report: Message = {"status": "ok", "reason": None, "observed": {"asked_at_once": 4}}
    result = protocol.fetch(sites, talker({"warm": True}, report))
    assert (result["status"], result["observed"]["peak_in_flight"]) == (status, peak)
    sites.reset.assert_called_once()


@pytest.mark.parametrize("port", ["abc", 0, 65536, None, True, 80.0, [], 10**400])
def test_invalid_port_fails_the_sample(port: object) -> None:
    with pytest.raises(WorkerError) as failed:
        serve({"port": port})
    status, reason = failed.value.args
    assert status == "failed"
    assert repr(port) in reason


@pytest.mark.parametrize(("late_ms", "status"), [(4, "ok"), (6, "failed")])
def test_late_load_fails_the_sample(late_ms: int, status: str, monkeypatch: pytest.MonkeyPatch) -> None:
    late = generator.Connections(1, generator.Load(500, 100, 1.0, 1000.0))
    for number in range(100):
        late.schedule.take(number * 1_000_000 + late_ms * 1_000_000)
    late.elapsed_ns = 105_000_000
    late.answers = [generator.Answer(1_000_000, 100_000, 100_000)] * 100
    monkeypatch.setattr(generator, "measure", lambda *_: late)
    monkeypatch.setattr(protocol, "_wrong_answer", lambda *_: "")
    report: Message = {"status": "ok", "reason": None, "values": {}, "observed": {}, "phases": {}}
    result = serve({"port": 1}, {"begun": True}, report)
    assert result["status"] == status
    assert result["values"]["load_start_late_us"] == late_ms * 1000
    assert (f"{late_ms} ms" in (result["reason"] or "")) is (status == "failed")
