"""Takes a sample of a real runner as a run does: in a process of its own, since one may patch the standard library."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import planted
import pytest

from runners.harness.process import launcher as launch
from runners.harness.run import protocol

if TYPE_CHECKING:
    from collections.abc import Iterator

    from runners.harness.catalogue.scenarios import Runner, Scenario
    from runners.harness.contract import Parameters
    from runners.harness.http_load.origin_sites import Sites
    from runners.harness.process.launcher import Request
    from runners.harness.record.model import Observed


def _request(scenario: Scenario, runner: Runner, parameters: Parameters) -> Request:
    """Ask for *runner* with *parameters*. Skips the test where this Python or its packages can't run it."""
    assert runner.problem is None
    if sys.version_info < runner.requires_python:
        pytest.skip(f"{runner.name} needs Python {'.'.join(map(str, runner.requires_python))}")
    for package in runner.packages:
        pytest.importorskip(package)
    case = next(name for name, case in scenario.cases.items() if runner.takes_part(case))
    asked = protocol.request(scenario, case, runner.name, python=Path(sys.executable), seed=1)
    return replace(asked, parameters=dict(parameters), cores=2)


@contextmanager
def serving(scenario: Scenario, runner: Runner, parameters: Parameters) -> Iterator[int]:
    """Start a server and yield its port."""
    asked = _request(scenario, runner, parameters)
    with launch.Launcher() as launcher, protocol.serving(launcher, asked) as port:
        yield port


def take_rightly(
    scenario: Scenario, runner: str, parameters: Parameters, sites: Sites | None = None
) -> tuple[dict[str, Any], Observed]:
    """Take one sample, and check that its answers are right and that no more ran at once than were asked for.

    *sites* are those that it fetches from.
    """
    asked = _request(scenario, scenario.runners[runner], parameters)
    if sites is None:
        result = planted.take(asked, protocol.conversation(asked))
    else:
        result = planted.take(replace(asked, sites=sites.addresses), partial(protocol.fetch, sites))
    assert (result.status, result.reason) == ("ok", None)
    assert result.observed is not None
    return result.values, result.observed
