"""Workers: started with a clean environment, heard on their own connection, killed in time."""

import errno
import os
import socket
import sys
import tempfile
import urllib.request
from contextlib import nullcontext, suppress
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest
from planted import take, task

from runners.harness.channel import Message
from runners.harness.errors import UserError
from runners.harness.process import launcher as launch
from runners.harness.process.launcher import Launcher, Worker

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="it has neither scripts that start nor signals")
REPORT: dict[str, Any] = {"status": "ok", "reason": None, "values": {}, "observed": {}, "phases": {}}


def test_worker_gets_few_environment_variables(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("SECRET_TOKEN", "PYTHONOPTIMIZE", "PYTHONPATH", "PYTHONDEVMODE", "UV_THREADPOOL_SIZE"):
        monkeypatch.setenv(name, "1")
    reason = take(task("misbehaving", "breaks", parameters={"way": "tells its environment"})).reason or ""
    variables = set(reason.removeprefix("RuntimeError: ").split())
    assert "PATH" in variables
    added_by_python = {"LC_CTYPE"}
    proxy = launch.NO_PROXY.get(sys.platform, {})
    assert variables <= {*launch.KEPT_VARIABLES, *launch.SCRATCH_VARIABLES, *proxy, *added_by_python}


@pytest.mark.parametrize(("platform", "has_proxy"), [("darwin", True), ("win32", True), ("linux", False)])
def test_worker_uses_no_system_proxy(monkeypatch: pytest.MonkeyPatch, platform: str, *, has_proxy: bool) -> None:
    for name in [name for name in os.environ if name.lower().endswith("_proxy")]:
        monkeypatch.delenv(name)
    for name, value in launch.environment((), platform).items():
        monkeypatch.setenv(name, value)
    assert bool(urllib.request.getproxies_environment()) is has_proxy  # if there are any, the system is not asked
    assert not has_proxy or urllib.request.proxy_bypass("127.0.0.1:8000")


@pytest.mark.parametrize("sent", [b'{"token": "wrong"}\n', b"\x00rubbish\n", b"[1]\n", b"[" * 100_000, b"", None])
def test_strangers_are_disconnected_without_harm(sent: bytes | None, monkeypatch: pytest.MonkeyPatch) -> None:
    if sent is None:  # it stays connected and silent
        monkeypatch.setattr(launch, "TOKEN_LIMIT_S", 0.5)
    with Launcher() as launcher, socket.create_connection(("127.0.0.1", launcher._port)) as stranger:
        if sent is not None:
            stranger.sendall(sent)
            stranger.shutdown(socket.SHUT_WR)
        result = launch.take(launcher, task("misbehaving", "doubles"), Worker.receive)
        assert result.status == "ok"
        stranger.settimeout(5)
        with suppress(ConnectionError):
            assert stranger.recv(1000) == b""


@pytest.mark.parametrize(
    "invalid",
    [
        {"status": "splendid"},
        {"more": 1},
        {"observed": {"threads": 2**31}},
        *({"values": {"elapsed_ns": number}} for number in ([1], 2**63, 1e301)),
        *({"values": values} for values in ({"elapsed": 1}, {"latency_steps_us": [1, -5e-324]})),
    ],
)
def test_reports_that_no_record_can_hold_are_failures(invalid: dict[str, Any]) -> None:
    result = take(task("misbehaving", "doubles"), lambda _: REPORT | invalid)
    assert (result.status, result.values) == ("failed", {})
    assert (result.reason or "").startswith("the result can't be recorded: ")


def test_temporary_files_are_deleted_and_output_is_discarded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    result = take(task("misbehaving", "breaks", parameters={"way": "leaves a temporary file"}))
    assert result.reason == "RuntimeError: it is there"
    assert list(tmp_path.iterdir()) == []
    assert take(task("misbehaving", "breaks", parameters={"way": "prints rubbish"})).status == "ok"
    assert capfd.readouterr() == ("", "")


def test_missing_field_of_a_sample_is_its_reason(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def reason(**different: Any) -> str:  # noqa: ANN401 - any field of a request
        result = take(task("misbehaving", "doubles", **different))
        assert result.status == "failed"
        return result.reason or ""

    refuse = Mock(side_effect=OSError(errno.ENOSPC, "there is no more"))
    python = tmp_path / "python"
    assert reason(python=python).endswith(": No such file or directory")
    python.write_text("#!/bin/sh\necho it is broken >&2\nexit 4\n", encoding="utf-8")
    python.chmod(0o755)
    assert reason(python=python) == "the process ended (exit status 4): it is broken"
    monkeypatch.setattr(tempfile, "TemporaryDirectory", refuse)
    assert reason().endswith(": there is no more")
    monkeypatch.setattr(socket, "create_server", refuse)
    with pytest.raises(UserError, match="there is no more"):
        Launcher()


@pytest.mark.parametrize("error", [None, KeyboardInterrupt])
def test_worker_ends_with_its_conversation(error: type[BaseException] | None) -> None:
    workers: list[Worker] = []

    def interrupt(worker: Worker) -> Message:
        workers.append(worker)
        if error:
            raise error
        worker.process.kill()
        worker.process.wait()
        for _ in range(3):
            worker.send({})  # it is lost without harm
        return worker.receive()

    with pytest.raises(error) if error else nullcontext():
        result = take(task("hanging", "forever"), interrupt)
        assert (result.status, result.reason) == ("failed", "the process ended (killed by signal 9)")
    assert workers[0].process.returncode == -9


def test_sample_survives_the_death_of_the_supervisor() -> None:
    def kill_supervisor(worker: Worker) -> Message:
        launcher._supervisor.kill()
        launcher._supervisor.wait()
        return worker.receive()

    with Launcher() as launcher:
        result = launch.take(launcher, task("misbehaving", "doubles"), kill_supervisor)
    assert result.status == "ok"
