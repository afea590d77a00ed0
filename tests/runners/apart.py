"""Takes a sample of a real runner as a run does: in a process of its own, since one may patch the standard library.

TRY_ON names the build to try the runners on, as `--python` of a run does; without it they are tried on this Python.
"""

import functools
import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import planted
import pytest

from runners.harness.builds import environments, interpreters
from runners.harness.builds.build_request import parse
from runners.harness.builds.interpreters import Prepared
from runners.harness.catalogue.scenarios import Runner, Scenario
from runners.harness.http_load.origin_sites import Sites
from runners.harness.measure import GIL_REENABLED
from runners.harness.process import launcher as launch
from runners.harness.process.launcher import Task
from runners.harness.record.model import Observed, Package
from runners.harness.run import protocol

Parameters = Mapping[str, int | float | str]
"""As of the contract, which only knows it while types are checked."""


@functools.cache
def build_to_try() -> Prepared:
    """Return the build that TRY_ON names, with the packages of the runners, or this Python with what it has."""
    if name := os.environ.get("TRY_ON"):
        return interpreters.prepare([parse(name, environments.packages())])[0]
    here = Path(sys.executable)
    missing = Package(version=None, reason="make .venv/dev.done installs it")
    pinned = dict.fromkeys(environments.packages(), missing)
    return interpreters.Prepared(here, interpreters.ask(here), pinned | interpreters._packages(here, {}))


def _task(scenario: Scenario, runner: Runner, parameters: Parameters) -> Task:
    """Ask for *runner* with *parameters*. Skips the test if the build is too old or lacks a package."""
    assert runner.problem is None, f"{runner.path.name}: {runner.problem}"
    if refusal := build_to_try().why_not(runner):
        pytest.skip(f"{runner.name} {refusal[1]}")
    case = next(name for name, case in scenario.cases.items() if runner.takes_part(case))
    task = protocol.task(scenario, case, runner.name, build_to_try(), seed=1)
    task.message.update(parameters=dict(parameters), cores=2)
    return task


@contextmanager
def serving(scenario: Scenario, runner: Runner, parameters: Parameters) -> Iterator[int]:
    """Start a server and yield its port. Skips the test if a package turns the GIL back on."""
    with launch.Launcher() as launcher, launcher.start(_task(scenario, runner, parameters)) as worker:
        message = worker.receive()
        if message.get("reason") in GIL_REENABLED and runner.packages:
            pytest.skip(f"{runner.name}: {message['reason']}")
        assert "port" in message, message
        yield message["port"]


def take_rightly(
    scenario: Scenario, runner: str, parameters: Parameters, sites: Sites | None = None
) -> tuple[dict[str, Any], Observed]:
    """Take one sample, and check that its answers are right and that no more ran at once than its limit allows.

    *sites* are those that it fetches from. Skips the test if a package turns the GIL of a free-threaded build back on:
    that is no fault of the runner.
    """
    task = _task(scenario, scenario.runners[runner], parameters)
    if sites is None:
        result = planted.take(task, protocol.conversation(task))
    else:
        task.message["sites"] = sites.addresses
        result = planted.take(task, partial(protocol.fetch, sites))
    if result.reason in GIL_REENABLED and scenario.runners[runner].packages:
        pytest.skip(f"{runner}: {result.reason}")
    assert (result.status, result.reason) == ("ok", None), f"{runner}: {result.status}: {result.reason}"
    assert result.observed is not None
    return result.values, result.observed
