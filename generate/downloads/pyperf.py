"""Results as files that `pyperf stats` and `pyperf compare_to` read. Pure."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from generate.analysis.gated import GatedRecord
    from generate.results.model import Measured
    from runners.harness.record.model import Series

PYPERF_VERSION = "1.0"
PER_S = {"ns": 1e9, "us": 1e6}
"""Units of time, and how many make a second."""


def pyperf_suite(gated: GatedRecord, measured: Collection[Measured]) -> bytes | None:
    """Return a file that `pyperf stats` and `pyperf compare_to` read: every metric that is a time. None without any.

    It is of the series that *measured* names, as the tables are.
    A benchmark is a metric of a series, named scenario/case/runner/metric; a run of it is a sample, with its value in
    seconds. Values of zero are no times that pyperf takes: a metric that has one is left out.
    """
    wanted = [series for series in gated.file.record.series if series.key[:3] in measured]
    benchmarks = [benchmark for series in wanted for benchmark in _benchmarks(gated, series)]
    if not benchmarks:
        return None
    record = gated.file.record
    facts = {
        "cpu_model_name": record.machine.cpu,
        "platform": record.machine.os,
        "python_implementation": record.build.implementation.lower(),
        "python_version": record.build.version,
        "python_compiler": record.build.compiler,
        "unit": "second",
    }
    suite = {"benchmarks": benchmarks, "metadata": facts, "version": PYPERF_VERSION}
    return (json.dumps(suite, separators=(",", ":"), ensure_ascii=False) + "\n").encode()


def _benchmarks(gated: GatedRecord, series: Series) -> Iterator[dict[str, Any]]:
    if series.role != "subject" or series.key in gated.refused:
        return
    for metric in gated.view.metrics(series):
        values = gated.by_round(series, metric) if metric.unit in PER_S else {}
        if values and all(value > 0 for value in values.values()):
            name = f"{series.scenario}/{series.case}/{series.runner}/{metric.name}"
            runs = [{"values": [value / PER_S[metric.unit]]} for value in values.values()]
            yield {"metadata": {"name": name}, "runs": runs}
