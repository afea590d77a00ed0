"""Describes what an accepted result file lacks: it may match the plan without any measurement. Pure."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from actions import named_builds
from generate.words.names import describe_status
from runners.harness.record.model import of_runner

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from runners.harness.builds.build_request import BuildRequest
    from runners.harness.catalogue.scenarios import Scenario
    from runners.harness.record.model import Record, Series

HAVE_VALUES = frozenset({"ok", "partial"})
FAULTLESS = frozenset({"ok", "unsupported"})
"""A build that does not support a runner is a fact, not a fault."""
ONLY_BASELINES = "no runner but the baselines has a value: {}"
SOME_FAULTY = "of {} series {}"
EXAMPLE = "{counts}, such as {runner}: {reason}"


def explain(record: Record, request: BuildRequest, scenarios: Mapping[str, Scenario]) -> str | None:
    """Return why none of the build's own runners was measured; None if any was.

    The baselines, which every build measures, are its own only if they import a package that the variant names.
    """
    varied = {package.name for package in request.packages}
    absent = {name: each for name, each in record.packages.items() if name in varied and named_builds.is_absent(each)}
    if absent:
        return "; ".join(f"{name} did not install: {package.reason}" for name, package in absent.items())
    own = [series for series in record.series if _is_own(series, scenarios[series.scenario], varied)]
    if not own or any(series.status in HAVE_VALUES for series in own):
        return None
    return ONLY_BASELINES.format(_count(own))


def count_faulty(record: Record) -> str | None:
    """Count the series with faults; None without any."""
    faulty = [series for series in record.series if series.status not in FAULTLESS]
    return SOME_FAULTY.format(len(record.series), _count(faulty)) if faulty else None


def _count(faulty: Sequence[Series]) -> str:
    """Count series by status, with the reason of one of the most common."""
    numbers = Counter(series.status for series in faulty).most_common()
    counts = ", ".join(f"{number} {describe_status(status)}" for status, number in numbers)
    example = next(series for series in faulty if series.status == numbers[0][0])
    return EXAMPLE.format(counts=counts, runner=of_runner(example), reason=example.reason)


def _is_own(series: Series, scenario: Scenario, varied: set[str]) -> bool:
    block = scenario.block_of(series.case)
    is_baseline = (series.case, series.runner) == scenario.baseline_of(block)
    return not is_baseline or not varied.isdisjoint(scenario.runners[series.runner].packages)
