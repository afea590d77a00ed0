"""Workers: started with little, listened to on a line of their own, ended in time."""

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
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import pytest
from planted import request, take

from runners.harness import channel as channel_module
from runners.harness.channel import Channel
from runners.harness.errors import UserError
from runners.harness.process import launcher as launch
from runners.harness.process.launcher import Launcher, Worker, WorkerError
from runners.harness.redact import redact_paths

if TYPE_CHECKING:
    from runners.harness.channel import Message


ENDED, HOW_ENDED = (1, "exit status 1") if sys.platform == "win32" else (-9, "killed by signal 9")
"""How a process ends that is ended from outside."""


def test_a_worker_gets_few_environment_variables(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("SECRET_TOKEN", "PYTHONOPTIMIZE", "PYTHONPATH", "PYTHONDEVMODE", "UV_THREADPOOL_SIZE"):
        monkeypatch.setenv(name, "1")
    reason = take(request("misbehaving", "breaks", parameters={"way": "tells its environment"})).reason or ""
    assert "PATH" in reason.split()
    made_by_python_itself = {"LC_CTYPE"}
    assert set(reason.removeprefix("RuntimeError: ").split()) <= {
        *launch.KEPT_VARIABLES,
        *launch.SCRATCH_VARIABLES,
        *launch.NO_PROXY.get(sys.platform, {}),
        *made_by_python_itself,
    }


@pytest.mark.parametrize(("platform", "is_told"), [("darwin", True), ("win32", True), ("linux", False)])
def test_where_python_asks_the_system_for_a_proxy_a_worker_is_told_to_use_none(
    monkeypatch: pytest.MonkeyPatch, platform: str, *, is_told: bool
) -> None:
    given = launch.environment((), platform)
    assert ("NO_PROXY" in given) is is_told
    assert {name: value for name, value in given.items() if name != "NO_PROXY"} == launch.environment((), "linux")
    for name in [name for name in os.environ if name.lower().endswith("_proxy")]:
        monkeypatch.delenv(name)
    for name, value in given.items():
        monkeypatch.setenv(name, value)
    found = urllib.request.getproxies_environment()
    assert bool(found) is is_told  # where it finds anything, the system is not asked
    assert "http" not in found
    if is_told:
        assert urllib.request.proxy_bypass("127.0.0.1:8000")


def test_what_a_runner_leaves_in_its_temporary_folder_goes_with_its_sample(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    taken = take(request("misbehaving", "breaks", parameters={"way": "leaves a temporary file"}))
    assert taken.reason == "RuntimeError: it is there"
    assert list(tmp_path.iterdir()) == []


def test_a_disk_without_room_for_temporary_files_fails_the_sample(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(**_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(tempfile, "TemporaryDirectory", full)
    taken = take(request("misbehaving", "doubles"))
    assert taken.reason == "no folder for temporary files can be made: No space left on device"


def test_what_a_runner_prints_goes_nowhere(capfd: pytest.CaptureFixture[str]) -> None:
    assert take(request("misbehaving", "breaks", parameters={"way": "prints rubbish"})).status == "ok"
    assert capfd.readouterr() == ("", "")


def test_an_interpreter_that_is_gone_is_a_failure_and_no_crash(tmp_path: Path) -> None:
    taken = take(request("misbehaving", "doubles", python=tmp_path / "python"))
    assert taken.status == "failed"
    reason = "The system cannot find the file specified" if sys.platform == "win32" else "No such file or directory"
    assert taken.reason == f"the interpreter could not be started: {reason}"


@pytest.mark.skipif(sys.platform == "win32", reason="a script stands in for the interpreter")
def test_an_interpreter_that_never_calls_back_is_a_failure(tmp_path: Path) -> None:
    python = tmp_path / "python"
    python.write_text("#!/bin/sh\necho it is broken >&2\nexit 4\n", encoding="utf-8")
    python.chmod(0o755)
    taken = take(request("misbehaving", "doubles", python=python))
    assert (taken.status, taken.reason) == ("failed", "the process ended (exit status 4): it is broken")


@pytest.mark.parametrize(
    "said", [b'{"token": "wrong"}\n', b"\x00rubbish\n", b"[1]\n", b"[" * 100_000 + b"\n", b"", None]
)
def test_a_stranger_on_the_line_is_refused_and_harms_nothing(
    said: bytes | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    if said is None:  # it says nothing, and stays until it is given up; the limit is the worker's too
        monkeypatch.setattr(launch, "TOKEN_LIMIT_S", 0.5)
    with Launcher() as launcher, socket.create_connection(("127.0.0.1", launcher._port)) as stranger:
        if said is not None:
            stranger.sendall(said)
            stranger.shutdown(socket.SHUT_WR)
        taken = launch.take(launcher, request("misbehaving", "doubles"), Worker.receive)
        assert taken.status == "ok"
        stranger.settimeout(5)
        assert heard(stranger) == b""


def heard(stranger: socket.socket) -> bytes:
    try:
        return stranger.recv(1000)
    except ConnectionError:
        return b""


@pytest.mark.parametrize(
    "report",
    [
        {},
        {"status": "splendid", "reason": None, "values": {}, "observed": {}, "phases": {}},
        {"status": "ok", "reason": None, "values": {"elapsed": 1}, "observed": {}, "phases": {}},
        {"status": "ok", "reason": None, "values": {"elapsed_ns": "1"}, "observed": {}, "phases": {}},
        {"status": "ok", "reason": None, "values": {"latency_steps_us": 1}, "observed": {}, "phases": {}},
        {"status": "ok", "reason": None, "values": {"elapsed_ns": [1]}, "observed": {}, "phases": {}},
        {"status": "ok", "reason": None, "values": {}, "observed": {}, "phases": {}, "more": 1},
        {"status": "ok", "reason": None, "values": {"elapsed_ns": 2**63}, "observed": {}, "phases": {}},
        {"status": "ok", "reason": None, "values": {"elapsed_ns": 10**400}, "observed": {}, "phases": {}},
        {"status": "ok", "reason": None, "values": {"elapsed_ns": 5e-324}, "observed": {}, "phases": {}},
        {"status": "ok", "reason": None, "values": {"elapsed_ns": 1e301}, "observed": {}, "phases": {}},
        {"status": "ok", "reason": None, "values": {"elapsed_ns": math.nan}, "observed": {}, "phases": {}},
        {"status": "ok", "reason": None, "values": {"elapsed_ns": True}, "observed": {}, "phases": {}},
        {"status": "ok", "reason": None, "values": {"latency_steps_us": [1, -5e-324]}, "observed": {}, "phases": {}},
        {"status": "ok", "reason": None, "values": {}, "observed": {"threads": 2**31}, "phases": {}},
        {"status": "ok", "reason": None, "values": {}, "observed": {"loop_classes": ["x" * 300]}, "phases": {}},
        {"status": "ok", "reason": None, "values": {}, "observed": {}, "phases": {"warm_up": -1}},
        {"status": "ok", "reason": None, "values": {}, "observed": {}, "phases": {"warm_up": 2**63}},
    ],
)
def test_a_report_that_no_file_could_hold_is_a_failure(report: dict[str, Any]) -> None:
    taken = take(request("misbehaving", "doubles"), lambda _: report)
    assert taken.status == "failed"
    assert (taken.reason or "").startswith("what was measured can't be recorded: ")
    assert not taken.values


@pytest.mark.parametrize("name", ["items", "Items_count", "1_ns", "items_s", "items_count\n"])
def test_a_column_that_is_called_what_none_may_be_is_named(name: str) -> None:
    report = {"status": "ok", "reason": None, "values": {"elapsed_ns": 1, name: 1}, "observed": {}, "phases": {}}
    taken = take(request("misbehaving", "doubles"), lambda _: report)
    words = (
        f"can't be recorded: the column {name!r}; a name is of small letters, and ends in _ns, _us, _bytes or _count"
    )
    assert (taken.status, (taken.reason or "").endswith(words)) == ("failed", True)


def test_a_reason_that_is_too_long_is_cut_and_no_phase_is_longer_than_the_sample() -> None:
    report = {"status": "failed", "reason": "x" * 100_000, "phases": {"measured": 2**63 - 1}}
    taken = take(request("misbehaving", "doubles"), lambda _: report)
    assert (taken.status, len(taken.reason or "")) == ("failed", 300)
    assert taken.phases["measured"] <= taken.wall_ns


def test_a_line_that_can_not_be_opened_is_an_error_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    def occupied(*_: object) -> None:
        raise OSError(errno.EADDRINUSE, "Address already in use")

    monkeypatch.setattr(socket, "create_server", occupied)
    with pytest.raises(UserError, match=r"no port of 127\.0\.0\.1 is free .*: Address already in use; end what"):
        Launcher()


def test_what_is_said_to_a_worker_that_has_ended_is_lost_without_harm() -> None:
    def end_first(worker: Worker) -> Message:
        worker.process.kill()
        worker.process.wait()
        for _ in range(3):
            worker.send({})
        return worker.receive()

    taken = take(request("misbehaving", "doubles"), end_first)
    assert (taken.status, taken.reason) == ("failed", f"the process ended ({HOW_ENDED})")


def test_the_worker_is_ended_when_the_conversation_breaks_off() -> None:
    seen: list[Worker] = []

    def break_off(worker: Worker) -> Message:
        seen.append(worker)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        take(request("hanging", "forever"), break_off)
    assert seen[0].process.returncode == ENDED


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("no module in /home/ann/env/lib/site.py, line 3", "no module in site.py, line 3"),
        (r"cannot open C:\Users\ann\file.txt", "cannot open file.txt"),
        ("HTTP/1.0 and 3/4 stay", "HTTP/1.0 and 3/4 stay"),
        ("get it with `.venv/bin/uv python install 3.15`", "get it with `.venv/bin/uv python install 3.15`"),
        (
            "get it with `.venv\\Scripts\\uv.exe python install 3`",
            "get it with `.venv\\Scripts\\uv.exe python install 3`",
        ),
        ("no /home/ann/.venv/bin/uv", "no uv"),
        ("x" * 300, "x" * 300),
        (f"failed: {'x' * 400} at last", f"failed: {'x' * 112} … {'x' * 169} at last"),
        ("odd \ud800 letter", "odd ? letter"),
    ],
)
def test_private_paths_are_left_out(text: str, left: str) -> None:
    assert redact_paths(text) == left


def test_a_home_with_a_space_in_its_name_is_left_out_too(monkeypatch: pytest.MonkeyPatch) -> None:
    home = Path("/home/Ann Example")
    monkeypatch.setattr(Path, "home", lambda: home)
    assert "Example" not in redact_paths(f"no {home}/work/file.txt")


@pytest.fixture
def line() -> tuple[Channel, socket.socket]:
    """Connect two sockets: our end of the line, and the other as it is."""
    ours, theirs = socket.socketpair()
    return Channel(ours), theirs


@pytest.mark.parametrize(
    ("sent", "raised"), [(b"{]\n", ValueError), (b"[]\n", ValueError), (b"\xff\n", ValueError), (b'{"a": 1}', EOFError)]
)
def test_what_is_no_message_is_not_taken_for_one(
    line: tuple[Channel, socket.socket], sent: bytes, raised: type[Exception]
) -> None:
    channel, theirs = line
    theirs.sendall(sent)
    theirs.close()
    with pytest.raises(raised):
        channel.receive()


class Turns(Channel):
    """Notes until when each message is waited for."""

    def __init__(self, connection: socket.socket) -> None:
        super().__init__(connection)
        self.deadlines_s: list[float | None] = []

    def receive(self, deadline_s: float | None = None) -> Message:
        self.deadlines_s.append(deadline_s)
        return super().receive(deadline_s)


@pytest.mark.parametrize(("turn_s", "waits"), [(0.02, 3), (math.inf, 1)])
def test_a_wait_for_a_message_has_turns_between_which_an_interrupt_is_seen_and_loses_nothing(
    monkeypatch: pytest.MonkeyPatch, turn_s: float, waits: int
) -> None:
    monkeypatch.setattr(launch, "TURN_S", turn_s)
    ours, theirs = socket.socketpair()
    channel = Turns(ours)
    worker = Worker(cast("Any", None), channel, time.monotonic() + 0.5, cast("Any", None))
    theirs.sendall(b'{"a"')
    threading.Timer(0.1, theirs.sendall, [b": 1}\n"]).start()
    assert worker.receive() == {"a": 1}
    assert len(channel.deadlines_s) >= waits
    assert (len(channel.deadlines_s) == 1) is (waits == 1)
    with pytest.raises(WorkerError, match="time limit"):
        worker.receive()
    assert channel.deadlines_s[-1] == worker.deadline_s
    theirs.close()


def test_messages_that_come_in_pieces_or_together_are_told_apart(line: tuple[Channel, socket.socket]) -> None:
    channel, theirs = line
    theirs.sendall(b'{"a": 1}\n{"b": ')
    assert channel.receive() == {"a": 1}
    theirs.sendall(b"2}\n")
    assert channel.receive() == {"b": 2}
    theirs.sendall(b"{")  # a deadline that has passed ends the waiting even while something comes
    with pytest.raises(TimeoutError):
        channel.receive(deadline_s=0.0)


def test_a_message_without_end_is_refused_once_it_is_longer_than_any(
    line: tuple[Channel, socket.socket], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(channel_module, "LONGEST_BYTES", 1000)
    channel, theirs = line
    theirs.sendall(b"[" * 1001)
    with pytest.raises(ValueError, match="it goes on after 1000 bytes"):
        channel.receive()


def test_a_message_in_many_pieces_is_looked_through_once(monkeypatch: pytest.MonkeyPatch) -> None:
    class Pieces:
        """Stands in for a connection over which a message comes in small pieces."""

        def recv(self, _: int) -> bytes:
            return next(pieces)

    class Pending(bytearray):
        """Counts the bytes that are searched."""

        searched = 0

        def find(self, part: Any, start: Any = 0, end: Any = None) -> int:  # noqa: ANN401 - as it is declared
            Pending.searched += len(self) - start
            return super().find(part, start, end)

    message = b'{"a": "' + b"x" * 5000 + b'"}\n'
    pieces = iter([message[place : place + 10] for place in range(0, len(message), 10)])
    channel = Channel(cast("socket.socket", Pieces()))
    monkeypatch.setattr(channel, "_pending", Pending())
    assert channel.receive() == {"a": "x" * 5000}
    assert Pending.searched <= len(message)


def test_a_supervisor_that_has_died_takes_no_sample_with_it() -> None:
    def supervisor_dies(worker: Worker) -> Message:
        launcher._supervisor.kill()
        launcher._supervisor.wait()
        return worker.receive()

    with Launcher() as launcher:
        taken = launch.take(launcher, request("misbehaving", "doubles"), supervisor_dies)
    assert taken.status == "ok"
