"""Results as files that `pyperf stats` and `pyperf compare_to` read. Pure."""

from collections.abc import Collection, Iterator
from typing import Any

import msgspec

from generate.data.checked import CheckedRecord, CheckedSeries
from runners.harness.record.build_names import build_name

PYPERF_VERSION = "1.0"
PER_S = {"ns": 1e9, "us": 1e6}
"""Number of each unit of time in a second."""


def pyperf_suite(gated: CheckedRecord, scenarios: Collection[str]) -> bytes | None:
    """Return a file for `pyperf stats` and `pyperf compare_to` with every metric that is a time; None without any.

    It has the series of *scenarios*. A benchmark is a metric of a series, named scenario/case/runner/metric, and its
    runs are samples in seconds. pyperf can't represent times of zero or missing rounds, so metrics and series with
    those are left out. Benchmarks are tagged with their metric, as `compare_to` summarises each tag separately.
    """
    subjects = [series for key, series in gated.series.items() if key.scenario in scenarios and key.role == "subject"]
    chosen = [series for series in subjects if series.has_all_rounds and not series.rejected]
    benchmarks = [benchmark for series in chosen for benchmark in _benchmarks(gated, series)]
    if not benchmarks:
        return None
    suite = {"benchmarks": benchmarks, "metadata": _facts(gated), "version": PYPERF_VERSION}
    return msgspec.json.encode(suite) + b"\n"


def _facts(gated: CheckedRecord) -> dict[str, str]:
    """Return the facts that identify the file, by pyperf's names if there are any. pyperf rejects empty texts."""
    record = gated.file.record
    facts = {
        "cpu_model_name": record.machine.cpu,
        "platform": record.machine.os,
        "python_implementation": record.build.implementation.lower(),
        "python_version": record.build.version,
        "python_compiler": record.build.compiler,
        "build": build_name(record.build),
        "free_threaded": "yes" if record.build.free_threaded else "no",
        "machine": record.machine.label,
        "run_id": record.run.id,
        "started": record.run.started,
        "raw": f"raw/{gated.file.path}",
        "unit": "second",
    }
    lines = {name: " ".join(text.split()) for name, text in facts.items() if text}
    return {name: line for name, line in lines.items() if line}


def _benchmarks(gated: CheckedRecord, series: CheckedSeries) -> Iterator[dict[str, Any]]:
    for metric in gated.metrics(series.key):
        values = series.by_round(metric) if metric.unit in PER_S else {}
        if values and min(values.values()) > 0:
            name = "/".join((*series.key[:3], metric.name))
            runs = [{"values": [value / PER_S[metric.unit]]} for value in values.values()]
            yield {"metadata": {"name": name, "tags": [metric.name]}, "runs": runs}
