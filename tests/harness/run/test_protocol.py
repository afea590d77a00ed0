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


@pytest.mark.parametrize(("fault", "status"), [("", "ok"), ("late", "failed")])
def test_load_that_broke_its_schedule_fails_the_sample(
    fault: str, status: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(generator, "measure", lambda *_: generator.Connections(1, generator.Load(1, 1, 1.0)))
    monkeypatch.setattr(protocol, "_wrong_answer", lambda *_: "")
    monkeypatch.setattr(protocol, "broken_schedule", lambda *_: fault)
    report: Message = {"status": "ok", "reason": None, "values": {}, "observed": {}, "phases": {}}
    result = serve({"port": 1}, {"begun": True}, report)
    assert (result["status"], result["reason"] or "") == (status, fault)
