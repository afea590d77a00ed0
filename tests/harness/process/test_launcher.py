"""Workers: started with a clean environment, heard on their own connection, killed in time."""

from __future__ import annotations

import errno
import math
import os
import socket
import sys
import tempfile
import threading
import time
import urllib.request
from contextlib import suppress
from typing import TYPE_CHECKING, Any, cast

import pytest
from planted import request, take

from runners.harness.channel import Channel
from runners.harness.errors import UserError
from runners.harness.process import launcher as launch
from runners.harness.process.launcher import Launcher, Worker, WorkerError

if TYPE_CHECKING:
    from pathlib import Path

    from runners.harness.channel import Message

pytestmark = pytest.mark.xdist_group("serial")
KILLED, HOW_KILLED = (1, "exit status 1") if sys.platform == "win32" else (-9, "killed by signal 9")


def report(**different: Any) -> Message:  # noqa: ANN401 - any field of a report
    return {"status": "ok", "reason": None, "values": {}, "observed": {}, "phases": {}, **different}


def test_worker_gets_few_environment_variables(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("SECRET_TOKEN", "PYTHONOPTIMIZE", "PYTHONPATH", "PYTHONDEVMODE", "UV_THREADPOOL_SIZE"):
        monkeypatch.setenv(name, "1")
    reason = take(request("misbehaving", "breaks", parameters={"way": "tells its environment"})).reason or ""
    variables = set(reason.removeprefix("RuntimeError: ").split())
    assert "PATH" in variables
    added_by_python = {"LC_CTYPE"}
    proxy = launch.NO_PROXY.get(sys.platform, {})
    assert variables <= {*launch.KEPT_VARIABLES, *launch.SCRATCH_VARIABLES, *proxy, *added_by_python}


@pytest.mark.parametrize(("platform", "has_proxy"), [("darwin", True), ("win32", True), ("linux", False)])
def test_worker_uses_no_system_proxy(monkeypatch: pytest.MonkeyPatch, platform: str, *, has_proxy: bool) -> None:
    given = launch.environment((), platform)
    assert {name: value for name, value in given.items() if name != "NO_PROXY"} == launch.environment((), "linux")
    for name in [name for name in os.environ if name.lower().endswith("_proxy")]:
        monkeypatch.delenv(name)
    for name, value in given.items():
        monkeypatch.setenv(name, value)
    proxies = urllib.request.getproxies_environment()
    assert bool(proxies) is has_proxy  # if there are any, the system is not asked
    assert "http" not in proxies
    if has_proxy:
        assert urllib.request.proxy_bypass("127.0.0.1:8000")


def test_temporary_files_are_deleted_with_the_sample(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    result = take(request("misbehaving", "breaks", parameters={"way": "leaves a temporary file"}))
    assert result.reason == "RuntimeError: it is there"
    assert list(tmp_path.iterdir()) == []


def test_full_disk_fails_the_sample(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(**_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(tempfile, "TemporaryDirectory", full)
    result = take(request("misbehaving", "doubles"))
    assert result.status == "failed"
    assert (result.reason or "").endswith(": No space left on device")


def test_output_of_a_runner_is_discarded(capfd: pytest.CaptureFixture[str]) -> None:
    assert take(request("misbehaving", "breaks", parameters={"way": "prints rubbish"})).status == "ok"
    assert capfd.readouterr() == ("", "")


@pytest.mark.skipif(sys.platform == "win32", reason="a script stands in for the interpreter")
def test_missing_or_broken_interpreter_fails_the_sample(tmp_path: Path) -> None:
    python = tmp_path / "python"
    missing = take(request("misbehaving", "doubles", python=python))
    assert (missing.status, (missing.reason or "").partition(":")[2]) == ("failed", " No such file or directory")
    python.write_text("#!/bin/sh\necho it is broken >&2\nexit 4\n", encoding="utf-8")
    python.chmod(0o755)
    broken = take(request("misbehaving", "doubles", python=python))
    assert (broken.status, broken.reason) == ("failed", "the process ended (exit status 4): it is broken")


@pytest.mark.parametrize(
    "sent", [b'{"token": "wrong"}\n', b"\x00rubbish\n", b"[1]\n", b"[" * 100_000 + b"\n", b"", None]
)
def test_strangers_are_disconnected_without_harm(sent: bytes | None, monkeypatch: pytest.MonkeyPatch) -> None:
    if sent is None:  # it stays connected and silent
        monkeypatch.setattr(launch, "TOKEN_LIMIT_S", 0.5)
    with Launcher() as launcher, socket.create_connection(("127.0.0.1", launcher._port)) as stranger:
        if sent is not None:
            stranger.sendall(sent)
            stranger.shutdown(socket.SHUT_WR)
        result = launch.take(launcher, request("misbehaving", "doubles"), Worker.receive)
        assert result.status == "ok"
        stranger.settimeout(5)
        with suppress(ConnectionError):
            assert stranger.recv(1000) == b""


@pytest.mark.parametrize(
    "invalid",
    [
        {},
        report(status="splendid"),
        report(values={"elapsed": 1}),
        report(values={"elapsed_ns": "1"}),
        report(values={"latency_steps_us": 1}),
        report(values={"elapsed_ns": [1]}),
        report(more=1),
        report(values={"elapsed_ns": 2**63}),
        report(values={"elapsed_ns": 10**400}),
        report(values={"elapsed_ns": 5e-324}),
        report(values={"elapsed_ns": 1e301}),
        report(values={"elapsed_ns": math.nan}),
        report(values={"elapsed_ns": True}),
        report(values={"latency_steps_us": [1, -5e-324]}),
        report(observed={"threads": 2**31}),
        report(observed={"loop_classes": ["x" * 300]}),
        report(phases={"warm_up": -1}),
        report(phases={"warm_up": 2**63}),
    ],
)
def test_reports_that_no_record_can_hold_are_failures(invalid: dict[str, Any]) -> None:
    result = take(request("misbehaving", "doubles"), lambda _: invalid)
    assert (result.status, result.values) == ("failed", {})
    assert (result.reason or "").startswith("the result can't be recorded: ")


@pytest.mark.parametrize("name", ["items", "Items_count", "1_ns", "items_s", "items_count\n"])
def test_invalid_column_is_named(name: str) -> None:
    result = take(request("misbehaving", "doubles"), lambda _: report(values={"elapsed_ns": 1, name: 1}))
    assert result.status == "failed"
    assert f"the column {name!r}" in (result.reason or "")


def test_reasons_are_cut_and_phases_fit_in_the_sample() -> None:
    long = {"status": "failed", "reason": "x" * 100_000, "phases": {"measured": 2**63 - 1}}
    result = take(request("misbehaving", "doubles"), lambda _: long)
    assert (result.status, len(result.reason or "")) == ("failed", 300)
    assert result.phases["measured"] <= result.wall_ns


def test_lack_of_ports_is_a_user_error(monkeypatch: pytest.MonkeyPatch) -> None:
    def occupied(*_: object) -> None:
        raise OSError(errno.EADDRINUSE, "Address already in use")

    monkeypatch.setattr(socket, "create_server", occupied)
    with pytest.raises(UserError, match="Address already in use"):
        Launcher()


def test_messages_to_a_dead_worker_are_lost_without_harm() -> None:
    def kill_first(worker: Worker) -> Message:
        worker.process.kill()
        worker.process.wait()
        for _ in range(3):
            worker.send({})
        return worker.receive()

    result = take(request("misbehaving", "doubles"), kill_first)
    assert (result.status, result.reason) == ("failed", f"the process ended ({HOW_KILLED})")


def test_worker_is_killed_if_the_conversation_is_interrupted() -> None:
    workers: list[Worker] = []

    def interrupt(worker: Worker) -> Message:
        workers.append(worker)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        take(request("hanging", "forever"), interrupt)
    assert workers[0].process.returncode == KILLED


class CountingChannel(Channel):
    """Counts the waits for a message."""

    waits = 0

    def receive(self, deadline_s: float | None = None) -> Message:
        self.waits += 1
        return super().receive(deadline_s)


@pytest.mark.parametrize(("turn_s", "has_turns"), [(0.02, True), (math.inf, False)])
def test_waiting_in_turns_loses_nothing(monkeypatch: pytest.MonkeyPatch, turn_s: float, *, has_turns: bool) -> None:
    monkeypatch.setattr(launch, "TURN_S", turn_s)
    ours, theirs = socket.socketpair()
    channel = CountingChannel(ours)
    worker = Worker(cast("Any", None), channel, time.monotonic() + 0.5, cast("Any", None))
    theirs.sendall(b'{"a"')
    threading.Timer(0.1, theirs.sendall, [b": 1}\n"]).start()
    assert worker.receive() == {"a": 1}
    assert (channel.waits > 2) is has_turns
    with pytest.raises(WorkerError, match="time limit"):
        worker.receive()
    theirs.close()


def test_sample_survives_the_death_of_the_supervisor() -> None:
    def kill_supervisor(worker: Worker) -> Message:
        launcher._supervisor.kill()
        launcher._supervisor.wait()
        return worker.receive()

    with Launcher() as launcher:
        result = launch.take(launcher, request("misbehaving", "doubles"), kill_supervisor)
    assert result.status == "ok"
