"""pyperf times the same work that we measure."""

import importlib
from typing import Any

import against_pyperf
import lines
import pytest


@pytest.mark.parametrize("runner", [against_pyperf.BASELINE, against_pyperf.CANDIDATE])
def test_pyperf_times_the_work_that_we_measure(runner: str) -> None:
    workload = importlib.import_module(f"{lines.PACKAGE}.{against_pyperf.WORK}.workload")
    made: dict[str, Any] = {}
    exec(against_pyperf.make_setup(runner), made)  # noqa: S102 - as pyperf does
    returned = eval(against_pyperf.CALL, made)  # noqa: S307 - as pyperf does
    assert workload.judge(made["job"], returned).wrong == ""
