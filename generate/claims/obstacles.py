"""Why a part of a claim can't be judged by a file: the build, the machine, or a series that is of no use. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from generate.analysis.packages import versions_of
from generate.text.statuses import status_of, status_words
from runners.harness.record.build_names import is_older, numbers

if TYPE_CHECKING:
    from collections.abc import Iterator

    from generate.analysis.gated import GatedRecord
    from generate.claims.hypotheses import Hypothesis
    from generate.claims.model import Needs
    from runners.harness.record.model import Build, Machine, SeriesKey


def too_few_cores(needs: Needs, machine: Machine) -> str:
    """Say that a machine can't show what a claim is about; empty where it can."""
    enough = machine.usable_cores >= needs.cores
    return "" if enough else f"needs {needs.cores} cores; this machine has {machine.usable_cores}"


def unmet(needs: Needs, build: Build) -> str:
    """Say why a claim is not about such a build; empty where it is."""
    if is_older(build.version, numbers(needs.python)):
        return f"needs Python {needs.python} or later"
    if needs.gil is not None and needs.gil is build.free_threaded:
        return f"is about a build {'with' if needs.gil else 'without'} the GIL"
    return ""


def reasons_against(hypothesis: Hypothesis, gated: GatedRecord) -> Iterator[str]:
    """Go through the series of a hypothesis: why each may not be used, empty where it may; then their packages."""
    for key, record in hypothesis.by_record(gated):
        reason = _why_unusable(hypothesis, key, record)
        yield f"with the GIL, {reason}" if reason and record is not gated else reason
    if hypothesis.is_beside_twin and gated.twin is not None:
        packages = [name for runner in hypothesis.runners for name in hypothesis.scenario.runners[runner].packages]
        own, theirs = (versions_of(each.file.record.packages, packages) for each in (gated, gated.twin))
        yield "" if own == theirs else "with the GIL, its packages are of other versions"


def _why_unusable(hypothesis: Hypothesis, key: SeriesKey, gated: GatedRecord) -> str:
    """Say why a series may not be used; empty where it may."""
    scenario, record, series = hypothesis.scenario, gated.file.record, gated.view.series.get(key)
    name = f"{key.runner} in “{key.case}”"
    if series is None:
        left_out = record.run.is_quick and not scenario.cases[key.case].quick
        return f"{'a quick' if left_out else 'this'} run has no {name}"
    if key in gated.refused:
        return f"{name}: {gated.refused[key]}"
    if series.status not in {"ok", "partial"}:
        return f"{name}: {status_words(status_of(series))}: {series.reason}"
    if not scenario.runners[key.runner].is_current(record.schema_version, series.source_sha256):
        return f"{key.runner} has changed since it was measured; measure again"
    if not scenario.is_current(record.schema_version, record.scenario_sha256[scenario.name]):
        return f"the scenario {scenario.name} has changed since it was measured; measure again"
    return "" if gated.by_round(series, hypothesis.metric) else f"{name} has no {hypothesis.metric.name}"
