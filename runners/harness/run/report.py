"""Formats what the commands print: the catalogue, a plan, and a run's outcome."""

import math
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence

from runners.harness.builds.host import why_busy
from runners.harness.builds.interpreters import Prepared
from runners.harness.catalogue.scenarios import Scenario
from runners.harness.record.build_names import DEBUG_BUILD, is_older, slowed_by
from runners.harness.record.model import Machine
from runners.harness.run.package_remedies import installation_problem, one_line
from runners.harness.run.plan import Entry, Selection, Step
from runners.harness.run.revision import revision
from runners.harness.run.session import Session

BUILD_FACTS = ("version", "compiler", "flags", "pgo", "lto")
STATUSES = {"timed_out": "ran out of time", "not_reached": "not reached", "unsupported": "not installed"}


def listing(scenarios: Mapping[str, Scenario]) -> str:
    """Return a line for every scenario and runner."""
    lines = []
    for scenario in scenarios.values():
        lines.append(f"{scenario.name} ({scenario.source}): {scenario.question}")
        width = max((len(name) for name in scenario.runners), default=0)
        words = max((len(runner.label) for runner in scenario.runners.values()), default=0)
        for runner in scenario.runners.values():
            note = f"  [{runner.problem}]" if runner.problem else ""
            lines.append(f"  {runner.name:<{width}}  {runner.label:<{words}}  {runner.family:<9}  {runner.title}{note}")
    return "\n".join(lines)


def plan_lines(steps: Sequence[Step], minutes: float) -> list[str]:
    """Return the number of samples of each case, and how long all of them take."""
    counts = Counter((step.entry.scenario, step.entry.case) for step in steps)
    lines = [f"{count:5} samples  {scenario}, {case}" for (scenario, case), count in sorted(counts.items())]
    roughly = f"{math.ceil(minutes)} minute{'s' * (minutes > 1)}"
    return [*lines, f"{len(steps):5} samples in all: roughly {roughly} on an idle machine"]


def left_out_lines(selection: Selection, scenarios: Mapping[str, Scenario]) -> list[str]:
    """Return a line that names what the quick profile leaves out of a run."""
    names = []
    for name in (selection.scenarios or scenarios) if selection.profile == "quick" and not selection.cases else ():
        cases, measured = scenarios[name].cases, selection.select_cases(scenarios[name])
        if missing := [case for case in cases if cases[case].full and case not in measured]:
            names.append(f"{name} ({len(missing)} of {len(cases)} cases)" if measured else name)
    return [f"the quick profile leaves out {', '.join(names)}; --profile full measures them"] if names else []


def opening_lines(session: Session) -> list[str]:
    """Return warnings for before the first sample: missing packages, useless variants, a slowed processor."""
    lines = [*_package_lines(session), *_build_lines(session)]
    if session.order.run.commit is None:
        lines.append(f"git names no commit, so these results can't be published: {revision().problem}")
    if session.order.machine.governor == "powersave":
        lines.append("the processor's governor is powersave, which may slow it down: choose performance")
    return lines


def _package_lines(session: Session) -> Iterator[str]:
    for builder, build in zip(session.builders, session.builds, strict=True):
        for name in sorted(build.packages):
            lacking = (entry for entry in builder.unmeasurable if name in _missing_packages(session, entry))
            if runners := sorted({f"{entry.scenario}/{entry.runner}" for entry in lacking}):
                yield f"{build.name}: {installation_problem(build, name)}; measuring without {', '.join(runners)}"


def _build_lines(session: Session) -> Iterator[str]:
    for builder, build in zip(session.builders, session.builds, strict=True):
        if why := slowed_by(build.build):
            yield f"{build.name}: {DEBUG_BUILD} ({why}), so its results decide nothing: measure a release"
        if build.varied and not builder.rows:
            yield f"{build.name}: nothing to measure: none of the chosen runners imports {' or '.join(build.varied)}"
        if facts := _differences(build, session.builds[0]):
            made = f"differs from {session.builds[0].name} in {', '.join(facts)}"
            yield f"{build.name}: {made}, which may be part of any difference"


def _differences(build: Prepared, reference: Prepared) -> list[str]:
    """Name how a labelled interpreter is another than the reference; published builds always differ."""
    facts = BUILD_FACTS if build.request.label or reference.request.label else ()
    return [fact for fact in facts if getattr(build.build, fact) != getattr(reference.build, fact)]


def closing_lines(session: Session) -> list[str]:
    """Return the path of each file, and how many series have which status."""
    lines = []
    for path, builder, build in zip(session.paths(), session.builders, session.builds, strict=True):
        statuses = Counter(builder.series(entry).status for entry in builder.rows)
        counts = ", ".join(f"{count} {status}" for status, count in sorted(statuses.items()))
        lines += [f"{build.name}: {counts} series", f"  {path}"]
    return lines


def busy_lines(machines: Sequence[Machine]) -> list[str]:
    """Return a last line if some runs decide nothing because *machines* were busy."""
    reasons = [*filter(None, map(why_busy, machines))]
    if not reasons:
        return []
    runs = "this run decides" if len(machines) == 1 else f"{len(reasons)} of {len(machines)} runs decide"
    return ["", f"{reasons[0].capitalize()}; {runs} nothing. Measure again when it is idle."]


def fault_lines(session: Session) -> list[str]:
    """Return the series that lack values, grouped by reason, except those that are unsupported by design."""
    faults: dict[str, list[str]] = defaultdict(list)
    for builder, build in zip(session.builders, session.builds, strict=True):
        for entry in builder.rows:
            series = builder.series(entry)
            if series.status == "ok" or (series.status == "unsupported" and not _missing_packages(session, entry)):
                continue
            status = STATUSES.get(series.status, series.status)
            faults[f"{status}: {one_line(series.reason)}"].append(entry.label(build.name))
    count = sum(len(builder.rows) for builder in session.builders)
    lines = [f"{sum(map(len, faults.values()))} of {count} series lack values:"] if faults else []
    for reason, names in faults.items():
        lines += [f"  {reason}", *(f"    {name}" for name in names)]
    return lines


def _missing_packages(session: Session, entry: Entry) -> list[str]:
    build: Prepared = session.builds[entry.build]
    runner = session.scenarios[entry.scenario].runners[entry.runner]
    if is_older(build.build.version, runner.requires_python):
        return []
    installed = {name for name, package in build.packages.items() if package.version is not None}
    return [name for name in runner.packages if name not in installed and not build.is_excluded(name)]
