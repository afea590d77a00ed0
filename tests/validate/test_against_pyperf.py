"""What pyperf is given to time is what we measure."""

from __future__ import annotations

import importlib
from typing import Any

import against_pyperf
import lines
import pytest


@pytest.mark.parametrize("work", against_pyperf.WORKS)
@pytest.mark.parametrize("variant", [0, 1])
def test_pyperf_times_the_work_that_we_measure(work: str, variant: int) -> None:
    workload = importlib.import_module(f"{lines.PACKAGE}.{work}.workload")
    made: dict[str, Any] = {}
    exec(against_pyperf.setup_of(work, against_pyperf.WORKS[work][variant]), made)  # noqa: S102 - as pyperf does
    returned = eval(against_pyperf.CALL, made)  # noqa: S307 - as pyperf does
    assert workload.judge(made["job"], returned).wrong == ""
