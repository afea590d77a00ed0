"""What a result file that was accepted lacks: one may be as planned and hold no measurement. Pure."""

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
AS_IT_SHOULD_BE = frozenset({"ok", "unsupported"})
"""What a build does not support, by design or for want of a package that no variant names, is a fact, not a fault."""


def why_nothing(record: Record, request: BuildRequest, scenarios: Mapping[str, Scenario]) -> str | None:
    """Return why nothing that the cell is about was measured; None where something was.

    A variant is about the packages that it names, and any build about more than the baselines, which all others are
    held against.
    """
    if absent := named_builds.absences(record.packages, request):
        return "; ".join(absent)
    varied = {package.name for package in request.packages}
    own = [series for series in record.series if _is_own(series, scenarios[series.scenario], varied)]
    if not own or any(series.status in HAVE_VALUES for series in own):
        return None
    return f"no runner but the baselines has a value: {_counted(own)}"


def in_part(record: Record) -> str | None:
    """Count the series that lack the value of some round, though the build supports them; None where none does."""
    faulty = [series for series in record.series if series.status not in AS_IT_SHOULD_BE]
    return f"of {len(record.series)} series {_counted(faulty)}" if faulty else None


def _counted(faulty: Sequence[Series]) -> str:
    """Count series by status, the most common first, and give the reason of one that has it."""
    numbers = Counter(series.status for series in faulty).most_common()
    words = ", ".join(f"{number} {describe_status(status)}" for status, number in numbers)
    example = next(series for series in faulty if series.status == numbers[0][0])
    return f"{words}, such as {of_runner(example)}: {example.reason}"


def _is_own(series: Series, scenario: Scenario, varied: set[str]) -> bool:
    """Say whether a series is more than a baseline that every build measures beside the others."""
    block = scenario.block_of(series.case)
    is_baseline = (series.case, series.runner) == scenario.baseline_of(block)
    return not is_baseline or not varied.isdisjoint(scenario.runners[series.runner].packages)
