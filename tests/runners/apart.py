"""Runs a runner in a process of its own, as the harness does: one may patch the standard library for good."""

from __future__ import annotations

import importlib
import json
import os
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from runners.harness.contract import Surroundings, peak_in_flight

if TYPE_CHECKING:
    from collections.abc import Iterator

    from runners.harness.catalogue.scenarios import Runner
    from runners.harness.contract import Parameters

ROOT = Path(__file__).resolve().parents[2]


@contextmanager
def _child(what: str, scenario: str, runner: str, *rest: object) -> Iterator[subprocess.Popen[str]]:
    asked = [what, scenario, runner, *map(json.dumps, rest)]
    with subprocess.Popen(  # noqa: S603 - this file
        [sys.executable, __file__, *asked],
        stdout=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT), "no_proxy": "*"},
    ) as process:
        try:
            yield process
        finally:
            process.kill()


@contextmanager
def serving(scenario: str, runner: str, parameters: Parameters) -> Iterator[int]:
    """Start a server and yield its port."""
    with _child("serve", scenario, runner, parameters, []) as process:
        assert process.stdout is not None
        yield int(process.stdout.readline())


def run(scenario: str, runner: str, parameters: Parameters, sites: list[str]) -> dict[str, Any]:
    """Run a runner and return what the scenario makes of what it returned."""
    with _child("run", scenario, runner, parameters, sites) as process:
        assert process.stdout is not None
        outcome: dict[str, Any] = json.loads(process.stdout.readline())
        return outcome


def run_rightly(runner: Runner, parameters: Parameters) -> dict[str, Any]:
    """Run *runner* as `run` does, and check what holds of each: it can be measured, and it answers rightly."""
    skip_unless_supported(runner)
    assert runner.problem is None
    outcome = run(runner.scenario, runner.name, parameters, [])
    assert outcome["wrong"] == ""
    return outcome


def skip_unless_supported(runner: Runner) -> None:
    """Skip the test, with the reason, where this Python or its packages can't run *runner*."""
    import pytest  # noqa: PLC0415 - the child has no need of it

    if sys.version_info < runner.requires_python:
        pytest.skip(f"{runner.name} needs Python {'.'.join(map(str, runner.requires_python))}")
    for package in runner.packages:
        pytest.importorskip(package)


def main(what: str, scenario_name: str, runner_name: str, parameters: str, sites: str) -> None:
    """Do it, in the child."""
    scenario = importlib.import_module(f"runners.{scenario_name}")
    runner = importlib.import_module(f"runners.{scenario_name}.{runner_name}")
    surroundings = Surroundings(2, 1, tuple(json.loads(sites)), _say)
    job = scenario.prepare(json.loads(parameters), surroundings)
    if what == "serve":
        runner.serve(job)
    outcome = scenario.judge(job, runner.run(job))
    at_most = scenario.at_once(job).get(getattr(runner, "AT_ONCE", ""))
    peak = peak_in_flight(outcome.spans)
    _say({"values": outcome.values, "wrong": outcome.wrong, "at_most": at_most, "peak": peak})


def _say(what: object) -> None:
    sys.stdout.write(json.dumps(what) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main(*sys.argv[1:])
