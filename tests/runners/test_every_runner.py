"""Every runner of every scenario, as a run measures it, on the tiny instance of its warm-up.

A new scenario's runners are tested here as soon as they are found; a file of their own is for what only they do.
"""

from __future__ import annotations

import sys
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import planted
import pytest

from runners.harness.catalogue import scenarios as catalogue
from runners.harness.process import launcher as launch
from runners.harness.run import protocol
from runners.harness.run.session import OriginSites

if TYPE_CHECKING:
    from collections.abc import Iterator

    from runners.harness.catalogue.scenarios import Runner, Scenario
    from runners.harness.process.launcher import Launcher, SampleResult

SCENARIOS = catalogue.find()
RUNNERS = [runner for scenario in SCENARIOS.values() for runner in scenario.runners.values()]


@pytest.fixture(scope="module")
def launcher() -> Iterator[Launcher]:
    with launch.Launcher() as running:
        yield running


def tiny_sample(launcher: Launcher, scenario: Scenario, runner: Runner) -> SampleResult:
    """Take one sample of the warm-up's size, in the first case that *runner* takes part in."""
    name, case = next((name, case) for name, case in scenario.cases.items() if runner.takes_part(case))
    asked = protocol.request(scenario, name, runner.name, python=Path(sys.executable), seed=1)
    asked = replace(asked, parameters={**case.parameters, **case.warm_up})
    if not scenario.sites_module:
        return launch.take(launcher, asked, protocol.conversation(asked))
    with ExitStack() as stack:
        running = stack.enter_context(OriginSites()).sites(scenario.sites_module)
        asked = replace(asked, sites=running.addresses)
        return launch.take(launcher, asked, lambda worker: protocol.fetch(worker, running))


@pytest.mark.parametrize("runner", RUNNERS, ids=lambda runner: f"{runner.scenario}-{runner.name}")
def test_it_answers_rightly_with_no_more_at_once_than_asked(launcher: Launcher, runner: Runner) -> None:
    assert runner.problem is None
    if sys.version_info < runner.requires_python:
        pytest.skip(f"{runner.name} needs Python {'.'.join(map(str, runner.requires_python))}")
    for package in runner.packages:
        pytest.importorskip(package)
    result = tiny_sample(launcher, SCENARIOS[runner.scenario], runner)
    assert (result.status, result.reason) == ("ok", None)
    peak, asked = result.observed.get("peak_in_flight"), result.observed.get("asked_at_once")
    assert peak is None or asked is None or peak <= asked


@pytest.mark.parametrize(
    ("name", "status"),
    [("doubles", "ok"), ("runs_too_many", "failed"), ("answers_wrongly", "failed"), ("raises", "failed")],
)
def test_one_that_goes_wrong_would_be_found_out(launcher: Launcher, name: str, status: str) -> None:
    scenario = catalogue.find(planted.FOLDER, planted.PACKAGE)["misbehaving"]
    case = scenario.cases["tiny"]
    going_wrong = replace(scenario, cases={"tiny": case._replace(warm_up={})})
    assert tiny_sample(launcher, going_wrong, scenario.runners[name]).status == status
