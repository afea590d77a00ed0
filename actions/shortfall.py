"""What an accepted result file lacks: it may be as planned and hold no measurement. Pure."""

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


def why_nothing(record: Record, request: BuildRequest, scenarios: Mapping[str, Scenario]) -> str | None:
    """Return why nothing of the cell's own was measured; None if something was.

    Its own are not the baselines, which every build measures, unless they import a package that the variant names.
    """
    if absent := named_builds.absences(record.packages, request):
        return "; ".join(absent)
    varied = {package.name for package in request.packages}
    own = [series for series in record.series if _is_own(series, scenarios[series.scenario], varied)]
    if not own or any(series.status in HAVE_VALUES for series in own):
        return None
    return f"no runner but the baselines has a value: {_count(own)}"


def in_part(record: Record) -> str | None:
    """Count the series with faults; None without any."""
    faulty = [series for series in record.series if series.status not in FAULTLESS]
    return f"of {len(record.series)} series {_count(faulty)}" if faulty else None


def _count(faulty: Sequence[Series]) -> str:
    """Count series by status, with the reason of one of the most common."""
    numbers = Counter(series.status for series in faulty).most_common()
    words = ", ".join(f"{number} {describe_status(status)}" for status, number in numbers)
    example = next(series for series in faulty if series.status == numbers[0][0])
    return f"{words}, such as {of_runner(example)}: {example.reason}"


def _is_own(series: Series, scenario: Scenario, varied: set[str]) -> bool:
    block = scenario.block_of(series.case)
    is_baseline = (series.case, series.runner) == scenario.baseline_of(block)
    return not is_baseline or not varied.isdisjoint(scenario.runners[series.runner].packages)
