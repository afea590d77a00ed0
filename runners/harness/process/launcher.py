"""Starts and supervises workers: one fresh process per sample, in its own process group, with a time limit."""

import math
import os
import secrets
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Self, cast

import msgspec

from runners.harness.channel import Channel, Message
from runners.harness.errors import UserError
from runners.harness.process import orphans
from runners.harness.record.model import Column, Count, Observed, Status, Value, column_fault
from runners.harness.redact import StderrTail, describe_exit, redact_paths

START_LIMIT_S = 30.0
POLL_S = 0.5
TURN_S = POLL_S if sys.platform == "win32" else math.inf
"""The longest single wait for a message. On Windows Ctrl-C doesn't end a wait and is seen only after it."""
TOKEN_LIMIT_S = 2.0
"""A connection that hasn't sent the token by then is not the worker's."""
TIMED_OUT: Status = "timed_out"
FAILED: Status = "failed"
OUT_OF_TIME = TIMED_OUT, "the time limit of the sample has passed"
KEPT_VARIABLES = (
    *("PATH", "HOME", "LANG", "LC_ALL"),
    *("SYSTEMROOT", "WINDIR", "USERPROFILE", "APPDATA", "LOCALAPPDATA", "COMSPEC", "PATHEXT"),  # Windows
)
"""The environment variables that a worker gets; others could change what is measured."""
NO_PROXY = {"darwin": {"NO_PROXY": "*"}, "win32": {"NO_PROXY": "*"}}
"""By platform. There Python takes a proxy from the system's settings, which would send requests for 127.0.0.1 to a
company's proxy. On Linux only variables name a proxy, and workers get none of those."""
SCRATCH_VARIABLES = ("TMPDIR", "TEMP", "TMP")


@dataclass(frozen=True)
class Task:
    """A worker's program, and what it is sent."""

    command: Sequence[str | Path]
    """A port and a token are added."""
    folder: Path
    variables: dict[str, str]
    message: Message
    time_limit_s: float
    """From its connection until it is killed."""


class SampleResult(msgspec.Struct, forbid_unknown_fields=True):
    """One sample, as its worker reports it. Refuses values that a record can't hold."""

    status: Status
    reason: str | None
    values: dict[Column, Value] = {}
    observed: Observed | None = None
    phases: dict[str, Count] = {}
    """interpreter_start (reported as started_ns, a clock reading), imports, warm_up, measured: ns."""
    wall_ns: int = 0
    """From the start of the process to the end of its group."""

    def __post_init__(self) -> None:
        """Raise ValueError for a column whose values don't fit its name."""
        if wrong := column_fault({name: [value] for name, value in self.values.items()}):
            msg = f"{wrong[1]} - at `$.values.{wrong[0]}`"
            raise ValueError(msg)


class WorkerError(Exception):
    """The worker ended or hung. The arguments are the sample's status and reason."""


@dataclass(frozen=True)
class Worker:
    """A worker that has connected: it waits for its request, or works on it."""

    process: subprocess.Popen[bytes]
    channel: Channel
    deadline_s: float
    stderr: StderrTail

    def send(self, message: Message) -> None:
        """Send *message*. If the worker has ended, `receive` returns its last message or raises."""
        with suppress(OSError):
            self.channel.send(message)

    def receive(self) -> Message:
        """Return the next message. Raises WorkerError if the worker ends or its time limit passes."""
        try:
            return self._await_message()
        except TimeoutError:
            raise WorkerError(*OUT_OF_TIME) from None
        except (EOFError, OSError):
            raise WorkerError(FAILED, describe_exit(self.process, self.stderr)) from None
        except (ValueError, RecursionError) as error:
            raise WorkerError(FAILED, f"it sent an invalid message: {error}") from None

    def _await_message(self) -> Message:
        while (turn_ends_s := time.monotonic() + TURN_S) < self.deadline_s:
            with suppress(TimeoutError):
                return self.channel.receive(turn_ends_s)
        return self.channel.receive(self.deadline_s)


class Launcher:
    """Starts workers one after another. A context manager: its supervisor process ends with it.

    Raises UserError if no loopback port is free for workers to connect to.
    """

    def __init__(self) -> None:
        try:
            self._listener = socket.create_server(("127.0.0.1", 0))
        except OSError as error:
            msg = f"no port of 127.0.0.1 is free for workers to connect to: {error.strerror}; stop what uses them"
            raise UserError(msg) from None
        self._port = self._listener.getsockname()[1]
        self._mark = orphans.new_mark()
        self.strays: list[str] = []
        """Programs that the last sample left behind outside its process group; they were killed with it."""
        self._supervisor = subprocess.Popen(  # noqa: S603 - our own file
            [sys.executable, "-I", "-S", orphans.__file__, str(self._mark)],
            stdin=subprocess.PIPE,
            text=True,
            start_new_session=True,
            creationflags=orphans.NEW_GROUP,
        )
        self._orders = cast("IO[str]", self._supervisor.stdin)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._listener.close()
        with suppress(OSError):  # the supervisor may have died
            self._orders.close()
        self._supervisor.wait()

    def _tell_supervisor(self, order: str) -> None:
        self._orders.write(f"{order}\n")
        self._orders.flush()

    @contextmanager
    def start(self, task: Task) -> Iterator[Worker]:
        """Start a worker with *task*; on leaving, kill its group and whatever has left it. Raises WorkerError."""
        token = secrets.token_hex(8)
        command = [*task.command, str(self._port), token]
        with ExitStack() as stack, self.running(command, task.folder, task.variables) as process:
            stderr = StderrTail(cast("IO[bytes]", process.stderr))
            channel = self._accept(process, token, stderr)
            stack.callback(channel.close)  # after its group is killed: Windows finds its children only through it
            worker = Worker(process, channel, time.monotonic() + task.time_limit_s, stderr)
            worker.send(task.message)
            yield worker

    @contextmanager
    def running(
        self, command: Sequence[str | Path], folder: Path, variables: dict[str, str]
    ) -> Iterator[subprocess.Popen[bytes]]:
        """Run a program; on leaving, kill its group and whatever has left it. Raises WorkerError.

        It gets its own folder for temporary files, which is deleted afterwards: process pools keep sockets there, and a
        worker that exits at once or is killed leaves them behind.
        """
        self.strays = []
        before = orphans.processes()
        with _scratch_folder() as scratch:
            process = self._spawn(command, folder, variables | dict.fromkeys(SCRATCH_VARIABLES, scratch))
            try:
                self._tell_supervisor(f"+{process.pid}")
                yield process
            finally:
                orphans.kill_group(process.pid)
                process.wait()
                self.strays = orphans.sweep(self._mark, before, process.pid)
                with suppress(OSError):  # the supervisor may have died; what ended the sample matters more
                    self._tell_supervisor(f"-{process.pid}")

    def _spawn(self, command: Sequence[str | Path], folder: Path, variables: dict[str, str]) -> subprocess.Popen[bytes]:
        try:
            process = subprocess.Popen(  # noqa: S603 - our own program, or the user's
                command,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                cwd=folder,
                env=variables,
                start_new_session=True,
                creationflags=orphans.NEW_GROUP,
            )
        except OSError as error:
            raise WorkerError(FAILED, f"the program could not be started: {error.strerror}") from None
        orphans.mark_process(process.pid, self._mark)
        return process

    def _accept(self, process: subprocess.Popen[bytes], token: str, stderr: StderrTail) -> Channel:
        deadline_s = time.monotonic() + START_LIMIT_S
        self._listener.settimeout(POLL_S)
        while time.monotonic() < deadline_s:
            try:
                connection, _ = self._listener.accept()
            except (TimeoutError, ConnectionError):
                if process.poll() is not None:
                    raise WorkerError(FAILED, describe_exit(process, stderr)) from None
                continue
            channel = Channel(connection)
            if _sends_token(channel, token):
                return channel
            channel.close()
        raise WorkerError(TIMED_OUT, f"the interpreter did not start within {START_LIMIT_S:.0f} s")


def environment(variables: Iterable[str], platform: str = sys.platform) -> dict[str, str]:
    """Return a measured build's environment: the kept variables, and its own *variables*, given as NAME=value."""
    kept = {name: os.environ[name] for name in KEPT_VARIABLES if name in os.environ}
    return kept | NO_PROXY.get(platform, {}) | dict(variable.split("=", 1) for variable in variables)


@contextmanager
def _scratch_folder() -> Iterator[str]:
    try:
        folder = tempfile.TemporaryDirectory(prefix="pcr-", ignore_cleanup_errors=True)
    except OSError as error:
        raise WorkerError(FAILED, f"the folder for temporary files can't be created: {error.strerror}") from None
    with folder as name:
        yield name


def _sends_token(channel: Channel, token: str) -> bool:
    """True if the other end is our worker: any program on this host may connect."""
    try:
        return bool(channel.receive(time.monotonic() + TOKEN_LIMIT_S).get("token") == token)
    except (OSError, EOFError, ValueError, RecursionError):
        return False


def take(launcher: Launcher, task: Task, converse: Callable[[Worker], Message]) -> SampleResult:
    """Take one sample. *converse* talks to the worker and returns its report."""
    begun_ns = time.perf_counter_ns()
    try:
        with launcher.start(task) as worker:
            result = msgspec.convert(converse(worker), SampleResult)
        result.phases["interpreter_start"] = max(0, result.phases.pop("started_ns", begun_ns) - begun_ns)
    except WorkerError as error:
        result = SampleResult(*error.args)
    except msgspec.ValidationError as error:
        result = SampleResult(FAILED, f"the result can't be recorded: {error}")
    if launcher.strays:
        result.status = FAILED if result.status == "ok" else result.status
        names = ", ".join(launcher.strays[:5])
        result.reason = f"{result.reason or ''}; it left behind, outside its process group: {names}".removeprefix("; ")
    result.reason = result.reason and redact_paths(result.reason)
    result.values = result.values if result.status == "ok" else {}
    result.wall_ns = time.perf_counter_ns() - begun_ns
    result.phases = {name: min(phase_ns, result.wall_ns) for name, phase_ns in result.phases.items()}
    return result
