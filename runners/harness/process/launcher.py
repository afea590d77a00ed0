"""Starts workers and supervises them: one fresh process a sample, its own process group, a time limit. Our side."""

from __future__ import annotations

import math
import os
import re
import secrets
import socket
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

import msgspec

from runners.harness.catalogue.scenarios import ROOT
from runners.harness.channel import Channel, Message
from runners.harness.errors import UserError
from runners.harness.process import orphans
from runners.harness.record import columns
from runners.harness.record.model import COLUMN, Column, Count, Observed, Status, Value
from runners.harness.redact import StderrTail, describe_exit, redact_paths

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

START_LIMIT_S = 30.0
"""An interpreter that has not called back by then is given up."""
POLL_S = 0.5
TURN_S = POLL_S if sys.platform == "win32" else math.inf
"""The longest wait for a message at one go. On Windows Ctrl-C ends none, and is seen only after it."""
TOKEN_LIMIT_S = 2.0
"""A connection that has not shown the token by then is somebody else's."""
TIMED_OUT: Status = "timed_out"
FAILED: Status = "failed"
MOST_NAMES = 5
"""Of the processes that a runner leaves behind so many are named."""
KEPT_VARIABLES = (
    *("PATH", "HOME", "LANG", "LC_ALL"),
    *("SYSTEMROOT", "WINDIR", "USERPROFILE", "APPDATA", "LOCALAPPDATA", "COMSPEC", "PATHEXT"),  # Windows
)
"""Environment variables a worker gets; others could change what is measured."""
NO_PROXY = {"darwin": {"NO_PROXY": "*"}, "win32": {"NO_PROXY": "*"}}
"""By platform. There Python asks the system's settings for a proxy, to which 127.0.0.1 is a host like any other:
requests to our own sites would be sent to a company's proxy. On Linux only variables name one, and none is kept."""
SCRATCH_VARIABLES = ("TMPDIR", "TEMP", "TMP")
"""Those that name the folder for temporary files: each sample has its own."""
NOT_SENT = ("python", "variables", "options", "time_limit_s")
"""What of a request is not the worker's concern."""


@dataclass(frozen=True)
class Request:
    """What a worker is asked to do, and in which interpreter."""

    python: Path
    scenario: str
    runner: str
    serves: bool
    parameters: dict[str, int | float | str]
    warm_up: dict[str, int | float | str]
    cores: int
    seed: int
    time_limit_s: float
    sites: tuple[str, ...] = ()
    package: str = "runners"
    """Where the scenario's folder is."""
    variables: tuple[str, ...] = ()
    """Environment variables that switch the interpreter, as NAME=value."""
    options: tuple[str, ...] = ()
    """What follows -X."""


class SampleResult(msgspec.Struct, forbid_unknown_fields=True):
    """One sample as its worker reports it, or what became of it. What no file could hold again is refused."""

    status: Status
    reason: str | None
    values: dict[Column, Value] = {}
    observed: Observed | None = None
    phases: dict[str, Count] = {}
    """interpreter_start (as reported: started_ns, by the clock), imports, warm_up, measured: ns."""
    wall_ns: int = 0
    """From the start of the process to the end of its group."""

    def __post_init__(self) -> None:
        """Raise ValueError for a column that holds what none of its name may, or a number that no file may."""
        wrong = columns.fault({name: [value] for name, value in self.values.items()})
        for name, value in self.values.items():
            if any(map(columns.is_tiny, value if isinstance(value, list) else [value])):
                wrong = name, f"a number nearer to 0 than {columns.SMALLEST:g}"
        if wrong:
            msg = f"{wrong[1]} - at `$.values.{wrong[0]}`"
            raise ValueError(msg)


class WorkerError(Exception):
    """The worker ended or hung. Its arguments, a status and a reason, say how, and are what is recorded."""


def out_of_time() -> WorkerError:
    """Return the error of a sample that takes longer than it may."""
    return WorkerError(TIMED_OUT, "the time limit of the sample has passed")


@dataclass(frozen=True)
class Worker:
    """A started worker, which has called back on its channel: it waits for, or works on, its request."""

    process: subprocess.Popen[bytes]
    channel: Channel
    deadline_s: float
    complaints: StderrTail

    def send(self, message: Message) -> None:
        """Send it *message*. Where it has ended, `receive` gives its last message, or how it ended."""
        with suppress(OSError):
            self.channel.send(message)

    def receive(self) -> Message:
        """Return its next message. Raises WorkerError when it ends or the time limit passes instead."""
        try:
            return self._await_message()
        except TimeoutError:
            raise out_of_time() from None
        except (EOFError, OSError):
            raise WorkerError(FAILED, describe_exit(self.process, self.complaints)) from None
        except (ValueError, RecursionError) as error:
            raise WorkerError(FAILED, f"it sent what is not a message: {error}") from None

    def _await_message(self) -> Message:
        while (turn_ends_s := time.monotonic() + TURN_S) < self.deadline_s:
            with suppress(TimeoutError):
                return self.channel.receive(turn_ends_s)
        return self.channel.receive(self.deadline_s)


class Launcher:
    """Starts workers one after another. Use it as a context: its supervisor ends with it."""

    def __init__(self) -> None:
        """Open the line on which workers call back, on a free loopback port. Raises UserError where there is none."""
        try:
            self._listener = socket.create_server(("127.0.0.1", 0))
        except OSError as error:
            msg = f"no port of 127.0.0.1 is free for workers to call back on: {error.strerror}; end what holds them"
            raise UserError(msg) from None
        self._port = self._listener.getsockname()[1]
        self._mark = orphans.new_mark()
        self.strays: list[str] = []
        """What the last sample left behind outside its process group, and was ended with it: names of programs."""
        self._supervisor = subprocess.Popen(  # noqa: S603 - our own file
            [sys.executable, "-I", "-S", orphans.__file__, str(self._mark)],
            stdin=subprocess.PIPE,
            text=True,
            start_new_session=True,
            creationflags=orphans.NEW_GROUP,
        )
        assert self._supervisor.stdin is not None  # noqa: S101 - it was opened with a pipe
        self._orders = self._supervisor.stdin

    def __enter__(self) -> Self:
        """Return itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close the line; the supervisor ends what is left."""
        self._listener.close()
        with suppress(OSError):  # one that has died takes no more orders
            self._orders.close()
        self._supervisor.wait()

    def _order_supervisor(self, line: str) -> None:
        self._orders.write(line + "\n")
        self._orders.flush()

    @contextmanager
    def start(self, request: Request) -> Iterator[Worker]:
        """Start a worker with *request*; end its whole group on leaving, and what has left it. Raises WorkerError.

        It has a folder of its own for temporary files, which goes with it: pools of processes keep sockets there, and
        a worker that ends at once, or is ended, leaves them behind.
        """
        with _scratch_folder() as scratch, self._start(request, scratch) as worker:
            yield worker

    @contextmanager
    def _start(self, request: Request, scratch: str) -> Iterator[Worker]:
        self.strays = []
        token, before = secrets.token_hex(8), orphans.processes()
        process = self._spawn(request, token, scratch)
        assert process.stderr is not None  # noqa: S101 - it was opened with a pipe
        complaints = StderrTail(process.stderr)
        try:
            self._order_supervisor(f"+{process.pid}")
            channel = self._accept(process, token, complaints)
            try:
                worker = Worker(process, channel, time.monotonic() + request.time_limit_s, complaints)
                worker.send({name: value for name, value in vars(request).items() if name not in NOT_SENT})
                yield worker
            finally:
                orphans.end_group(process.pid)  # first: on Windows its children are found through it alone
                channel.close()
        finally:
            orphans.end_group(process.pid)
            process.wait()
            self.strays = orphans.sweep(self._mark, before, process.pid)
            with suppress(OSError):  # one that has died takes no orders; what ended the sample is what counts
                self._order_supervisor(f"-{process.pid}")

    def _spawn(self, request: Request, token: str, scratch: str) -> subprocess.Popen[bytes]:
        options = [f"-X{option}" for option in request.options]
        try:
            process = subprocess.Popen(  # noqa: S603 - our own program
                [request.python, *options, "-m", "runners.harness.worker", str(self._port), token],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                cwd=ROOT,
                env=environment(request.variables) | dict.fromkeys(SCRATCH_VARIABLES, scratch),
                start_new_session=True,
                creationflags=orphans.NEW_GROUP,
            )
        except OSError as error:
            raise WorkerError(FAILED, f"the interpreter could not be started: {error.strerror}") from None
        orphans.mark_process(process.pid, self._mark)
        return process

    def _accept(self, process: subprocess.Popen[bytes], token: str, complaints: StderrTail) -> Channel:
        deadline_s = time.monotonic() + START_LIMIT_S
        self._listener.settimeout(POLL_S)
        while time.monotonic() < deadline_s:
            try:
                connection, _ = self._listener.accept()
            except (TimeoutError, ConnectionError):
                if process.poll() is not None:
                    raise WorkerError(FAILED, describe_exit(process, complaints)) from None
                continue
            channel = Channel(connection)
            if _shows(channel, token):
                return channel
            channel.close()
        raise WorkerError(TIMED_OUT, f"the interpreter did not start within {START_LIMIT_S:.0f} s")


def environment(variables: Iterable[str], platform: str = sys.platform) -> dict[str, str]:
    """Return a measured build's environment: the variables that are kept, and its own *variables*, as NAME=value."""
    kept = {name: os.environ[name] for name in KEPT_VARIABLES if name in os.environ}
    return kept | NO_PROXY.get(platform, {}) | dict(variable.split("=", 1) for variable in variables)


@contextmanager
def _scratch_folder() -> Iterator[str]:
    """Make a folder for the temporary files of one sample. Raises WorkerError where there can be none."""
    try:
        folder = tempfile.TemporaryDirectory(prefix="pcr-", ignore_cleanup_errors=True)
    except OSError as error:
        raise WorkerError(FAILED, f"no folder for temporary files can be made: {error.strerror}") from None
    with folder as name:
        yield name


def _shows(channel: Channel, token: str) -> bool:
    """Return whether the other end is the worker that was given *token*. Anybody on this host may connect."""
    try:
        return bool(channel.receive(time.monotonic() + TOKEN_LIMIT_S).get("token") == token)
    except (OSError, EOFError, ValueError, RecursionError):
        return False


def _misnamed(report: Message) -> str:
    """Name a column that is called what none may be; empty where there is none."""
    values = report.get("values")
    names = [name for name in values if not re.match(COLUMN, str(name))] if isinstance(values, dict) else []
    return (
        f"the column {names[0]!r}; a name is of small letters, and ends in _ns, _us, _bytes or _count" if names else ""
    )


def take(launcher: Launcher, request: Request, between: Callable[[Worker], Message]) -> SampleResult:
    """Take one sample. *between* carries on the conversation with the worker and returns its report."""
    begun_ns = time.perf_counter_ns()
    try:
        with launcher.start(request) as worker:
            report = between(worker)
            result = msgspec.convert(report, SampleResult)
        result.phases["interpreter_start"] = max(0, result.phases.pop("started_ns", begun_ns) - begun_ns)
    except WorkerError as error:
        result = SampleResult(*error.args)
    except msgspec.ValidationError as error:
        result = SampleResult(FAILED, f"what was measured can't be recorded: {_misnamed(report) or error}")
    if launcher.strays:
        result.status = FAILED if result.status == "ok" else result.status
        names = ", ".join(launcher.strays[:MOST_NAMES])
        result.reason = f"{result.reason or ''}; it left behind, outside its process group: {names}".removeprefix("; ")
    result.reason = result.reason and redact_paths(result.reason)
    result.values = result.values if result.status == "ok" else {}
    result.wall_ns = time.perf_counter_ns() - begun_ns
    result.phases = {name: min(phase_ns, result.wall_ns) for name, phase_ns in result.phases.items()}
    return result
