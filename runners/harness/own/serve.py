"""Measures a service: starts its command on loopback for each sample, and puts an open loop of requests on it."""

import os
import shlex
import socket
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any, cast

from runners.harness import programs
from runners.harness.errors import EXIT_INCOMPLETE, UserError
from runners.harness.http_load import generator
from runners.harness.http_load.schedule import broken_schedule
from runners.harness.own.record import Work
from runners.harness.own.session import LEAST_ROUNDS, MeasuredBuild, Trial, take_rounds
from runners.harness.process.launcher import Launcher, SampleResult, WorkerError
from runners.harness.redact import StderrTail, describe_exit, redact_paths

WARM_UP, AT_ONCE = 20, 500
START_LIMIT_S, TIMEOUT_S, LONGEST_S = 30.0, 5.0, 10.0


@dataclass
class ServiceSession:
    builds: Sequence[MeasuredBuild]
    deadline_s: float
    """On the monotonic clock."""
    command: str
    path: str
    rates: Sequence[int]
    words: list[str] = field(init=False)
    trials: list[Trial] = field(default_factory=list)
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Raise UserError for a command that can't be used."""
        try:
            self.words = shlex.split(self.command, posix=os.name != "nt")
        except ValueError as error:
            msg = f"--serve {self.command!r} can't be read ({error}): close its quotes"
            raise UserError(msg) from None
        if "{port}" not in self.command:
            msg = f"--serve {self.command!r} names no port: put {{port}} where its number belongs"
            raise UserError(msg)
        self.builds = self.builds if "{python}" in self.command else self.builds[:1]

    def work(self) -> Work:
        name = next(Path(word).name for word in self.words if word not in {"{python}", "-m"})
        return Work(function=name, kind="service", sha256=None, items_count=0, at_once=None, workers=[], source=None)

    def status(self) -> int:
        return 0 if all(trial.rows for trial in self.trials) else EXIT_INCOMPLETE

    def look(self, launcher: Launcher) -> Iterator[str]:
        """Make one request; yield progress. Raises UserError if the service doesn't start or answer it."""
        yield "the service is started for each sample"
        for build in self.builds:
            result = self._load(launcher, build, rate=WARM_UP, requests=WARM_UP)
            if result.status != "ok":
                msg = f"{self.path} can't be measured: {result.reason}; run it in a shell and get {self.path}"
                raise UserError(msg)

    def measure(self, launcher: Launcher, keep: Callable[[], object]) -> Iterator[str]:
        """Take samples of each rate, and *keep* each. Yield progress."""
        keep()
        places = range(len(self.builds))
        self.trials += [Trial(place, "service", rate_per_s=rate) for place in places for rate in self.rates]
        left_s = self.deadline_s - time.monotonic()
        sample_s = min(LONGEST_S, max(1.0, left_s / len(self.trials) / LEAST_ROUNDS - 1))

        def take(trial: Trial) -> SampleResult:
            rate = trial.rate_per_s or 1
            requests = max(WARM_UP, round(rate * sample_s))
            result = self._load(launcher, self.builds[trial.build], rate=rate, requests=requests)
            result.reason = result.reason and result.reason.partition(": ")[0]  # its own last words are private
            return result

        yield from take_rounds(self.trials, take, self.deadline_s, keep)

    def _load(self, launcher: Launcher, build: MeasuredBuild, *, rate: int, requests: int) -> SampleResult:
        with socket.create_server(("127.0.0.1", 0)) as listener:
            port = int(listener.getsockname()[1])
        filled = [word.replace("{port}", str(port)).replace("{python}", str(build.python)) for word in self.words]
        variables = programs.environment_with(build.build.variables) | {"PYTHONPATH": str(build.scratch / "packages")}
        load = generator.Load(AT_ONCE, requests, TIMEOUT_S, rate, self.path)
        try:
            with launcher.running(filled, Path.cwd(), variables) as process:
                _await_start(process, port)
                generator.measure(port, generator.Load(WARM_UP, WARM_UP, TIMEOUT_S, 0, self.path))
                measured = generator.measure(port, load)
        except WorkerError as error:
            return SampleResult(error.args[0], redact_paths(error.args[1]))
        values: Any = generator.columns(measured) if measured.answers else {}
        broken = broken_schedule(load, values) if values else "no request was answered with status 200"
        return SampleResult("failed", broken) if broken else SampleResult("ok", None, values)


def _await_start(process: subprocess.Popen[bytes], port: int) -> None:
    """Wait until the service listens. Raises WorkerError."""
    stderr = StderrTail(cast("IO[bytes]", process.stderr))
    deadline_s = time.monotonic() + START_LIMIT_S
    while time.monotonic() < deadline_s:
        with suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
            return
        if process.poll() is not None:
            raise WorkerError("failed", describe_exit(process, stderr))  # noqa: EM101
        time.sleep(0.02)
    raise WorkerError("timed_out", f"nothing listens on its port after {START_LIMIT_S:.0f} s")  # noqa: EM101
