"""The planted scenarios, and short ways to run them. As a program: the commands over them, on this interpreter."""

import os
import signal
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import factory
import msgspec

from runners.harness.__main__ import main
from runners.harness.builds import host, interpreters
from runners.harness.builds.build_request import BuildRequest
from runners.harness.catalogue import scenarios as catalogue
from runners.harness.catalogue.scenarios import Scenario
from runners.harness.channel import Message
from runners.harness.process import launcher as launch
from runners.harness.process.launcher import SampleResult, Task, Worker
from runners.harness.record import codec, model
from runners.harness.run import protocol
from runners.harness.run.session import Order, Session

FOLDER = Path(__file__).with_name("faulty")
PACKAGE = "tests.harness.faulty"
SEED = 5
VERSIONS = ("3.11.7",)
HOME = "USERPROFILE" if sys.platform == "win32" else "HOME"
"""Names the folder to which planted runners write: workers keep it, unlike that for temporary files."""


def scenarios(*names: str) -> dict[str, Scenario]:
    planted = catalogue.find(FOLDER, PACKAGE)
    return {name: planted[name] for name in names or planted}


def prepared(version: str) -> interpreters.Prepared:
    python = Path(sys.executable)
    return interpreters.Prepared(python, factory.build(version), {}, BuildRequest(str(python)))


def session(folder: Path, names: Iterable[str], rounds: int = 2, versions: Sequence[str] = VERSIONS) -> Session:
    template = factory.run(factory.Plan(run_id="planted", rounds=rounds, seed=SEED, profile="quick", complete=False))
    chosen = {"scenarios": list(names), "runners": []}
    run = msgspec.structs.replace(template, commit=None, dirty=None, wall_ns={}, **chosen)
    order = Order(run, host.look("planted"), folder)
    return Session(order, scenarios(*names), [prepared(version) for version in versions])


def read(session: Session, build: int = 0) -> model.Record:
    return codec.decode(session.paths()[build].read_bytes())


def task(
    scenario: str,
    runner: str,
    python: Path = Path(sys.executable),
    time_limit_s: float = 0,
    **message: Any,  # noqa: ANN401 - any part of a message
) -> Task:
    planted = scenarios(scenario)[scenario]
    baseline = protocol.task(planted, "tiny", planted.baseline, replace(prepared("3.11.7"), python=python), SEED)
    baseline.message.update({"runner": runner, "cores": 2, **message})
    return replace(baseline, time_limit_s=time_limit_s or baseline.time_limit_s)


def take(task: Task, converse: Callable[[Worker], Message] = launch.Worker.receive) -> SampleResult:
    with launch.Launcher() as launcher:
        return launch.take(launcher, task, converse)


def is_alive(process: int) -> bool:
    """True if it runs; a zombie doesn't."""
    try:
        os.kill(process, 0)
        return Path(f"/proc/{process}/stat").read_text(encoding="ascii").rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:  # a system without /proc
        return Path("/proc/self").exists() is False
    except ProcessLookupError:
        return False


def eventually(condition: Callable[[], object], limit_s: float = 10.0) -> bool:
    """Wait until *condition* is true, for at most *limit_s*."""
    deadline_s = time.monotonic() + limit_s
    while not condition() and time.monotonic() < deadline_s:
        time.sleep(0.01)
    return bool(condition())


def by_runner(record: model.Record) -> Mapping[tuple[str, str], model.Series]:
    return {(series.runner, series.role): series for series in record.series}


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background job starts with it ignored
    catalogue.find = partial(catalogue.find, FOLDER, PACKAGE)
    host.load_average = lambda: 0.5  # a busy machine doesn't resume a run
    interpreters.prepare = lambda requests: [prepared(version) for _, version in zip(requests, VERSIONS, strict=True)]
    main(prog_name="planted")
