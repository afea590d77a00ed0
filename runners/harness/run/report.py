"""What the commands print: the catalogue, a plan, and what came of a run. Pure."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from typing import TYPE_CHECKING, Any

from runners.harness.builds.build_request import asked_again
from runners.harness.builds.environments import log_of
from runners.harness.builds.host import MOST_STEAL_SHARE, format_cores, is_busy, steal_share
from runners.harness.record.build_names import is_older
from runners.harness.run.package_remedies import one_line, remedy

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from runners.harness.builds.interpreters import Prepared
    from runners.harness.catalogue.scenarios import Scenario
    from runners.harness.record.model import Machine
    from runners.harness.run.new_run import RunRequest
    from runners.harness.run.plan import Entry, Step
    from runners.harness.run.session import Session

POWER_SAVING = "powersave"
HOW_BUILT = {
    "compiler": "compiler",
    "options": "flags",
    "profile-guided optimisation": "pgo",
    "link-time optimisation": "lto",
}
"""In words, what a build records of how it was compiled, and its field."""
STATUS_WORDS = {"timed_out": "ran out of time", "not_reached": "not reached", "unsupported": "not installed"}
"""What a status is called here where its own name does not say it."""


def listing(scenarios: Mapping[str, Scenario]) -> str:
    """Return every scenario and runner, a line each."""
    lines = []
    for scenario in scenarios.values():
        lines.append(f"{scenario.name} ({scenario.source}): {scenario.question}")
        width = max((len(name) for name in scenario.runners), default=0)
        words = max((len(runner.words) for runner in scenario.runners.values()), default=0)
        for runner in scenario.runners.values():
            note = f"  [{runner.problem}]" if runner.problem else ""
            lines.append(f"  {runner.name:<{width}}  {runner.words:<{words}}  {runner.family:<9}  {runner.title}{note}")
    return "\n".join(lines)


def listing_json(scenarios: Mapping[str, Scenario]) -> list[dict[str, Any]]:
    """Return the catalogue as JSON values."""
    return [
        {
            "scenario": scenario.name,
            "source": scenario.source,
            "title": scenario.title,
            "question": scenario.question,
            "cases": {
                name: {
                    "name": scenario.case_words(name),
                    "parameters": dict(case.parameters),
                    "block": scenario.block_of(name),
                }
                for name, case in scenario.cases.items()
            },
            "runners": [
                {
                    "runner": runner.name,
                    "name": runner.words,
                    "title": runner.title,
                    "family": runner.family,
                    "cases": [name for name, case in scenario.cases.items() if runner.takes_part(case)],
                    "packages": list(runner.packages),
                    "requires_python": ".".join(map(str, runner.requires_python)),
                    "source_sha256": runner.source_sha256,
                    "problem": runner.problem,
                }
                for runner in scenario.runners.values()
            ],
        }
        for scenario in scenarios.values()
    ]


def plan_lines(steps: Sequence[Step], minutes: float) -> list[str]:
    """Return how much is measured, by scenario and case, and how long that takes."""
    counts = Counter((step.entry.scenario, step.entry.case) for step in steps)
    lines = [f"{count:5} samples  {scenario}, {case}" for (scenario, case), count in sorted(counts.items())]
    roughly = f"{math.ceil(minutes)} minute{'s' * (minutes > 1)}"
    return [*lines, f"{len(steps):5} samples in all: roughly {roughly} where nothing else runs"]


def plan_json(steps: Sequence[Step], request: RunRequest) -> dict[str, Any]:
    """Return a plan as JSON values."""
    return {
        "profile": request.selection.profile,
        "rounds": request.rounds,
        "seed": request.seed,
        "pythons": list(request.pythons),
        "steps": [
            {
                "round": step.round,
                "position": step.position,
                "python": request.pythons[step.entry.build],
                "scenario": step.entry.scenario,
                "case": step.entry.case,
                "runner": step.entry.runner,
                "role": step.entry.role,
            }
            for step in steps
        ],
    }


def opening_lines(session: Session, machine: Machine, ticks: tuple[int, int] | None) -> list[str]:
    """Return what a user should know before the first sample.

    Which packages are not there, which variants can't differ, and why the machine is not fit.

    *ticks* is the processor time since the machine started: (stolen, all), None where not reported.
    """
    return [
        *_package_lines(session),
        *_build_lines(session),
        *_machine_lines(machine, steal_share((0, 0), ticks)),
    ]


def _package_lines(session: Session) -> Iterator[str]:
    """Return a line for each package that runners of this run need and that did not install on a build."""
    for builder, build in zip(session.builders, session.builds, strict=True):
        left_out: dict[str, set[str]] = defaultdict(set)
        for entry in builder.refused:
            for name in _not_installed(session, entry):
                left_out[name].add(f"{entry.scenario}/{entry.runner}")
        for name, runners in sorted(left_out.items()):
            if package := build.packages.get(name):
                reason = f"{name} did not install: {one_line(package.reason)}"
                what_to_do = remedy(package.reason or "", log_of(name, build.python))
                yield f"{build.name}: {reason}; {what_to_do}left out: {', '.join(sorted(runners))}"


def _build_lines(session: Session) -> Iterator[str]:
    """Return a line for each variant of which nothing is measured, and for what may blur how it differs."""
    for builder, build in zip(session.builders, session.builds, strict=True):
        if build.varied and not builder.rows:
            yield f"{build.name}: nothing is measured: no runner of what was chosen imports what is other about it"
        yield from (f"{build.name}: {doubt}" for doubt in build.doubts)
        if other := _built_otherwise(build, session.builds[0]):
            otherwise = f"built otherwise than {session.builds[0].name} ({', '.join(other)})"
            yield f"{build.name}: {otherwise}: a part of what differs between the two may be that"


def _built_otherwise(build: Prepared, reference: Prepared) -> list[str]:
    """Name what an interpreter under a label was built with that the reference was not; none of builds without one."""
    if not any(asked_again(each.build.variant)[0] for each in (build, reference)):
        return []
    return [
        words for words, field in HOW_BUILT.items() if getattr(build.build, field) != getattr(reference.build, field)
    ]


def _machine_lines(machine: Machine, steal: float | None) -> Iterator[str]:
    """Return why measurements on *machine* would be doubtful now, apart from its load."""
    if steal is not None and steal > MOST_STEAL_SHARE:
        kept = f"the host of this machine has kept {100 * steal:.1f} % of its processor time for others so far"
        yield f"{kept}: over {100 * MOST_STEAL_SHARE:.0f} % in a run, it decides nothing; take another machine or hour"
    if machine.governor == POWER_SAVING:
        yield f"the processor's governor is {POWER_SAVING}, which may slow it down: choose performance, on mains power"


def closing_lines(session: Session) -> list[str]:
    """Return where the files are and where the time went."""
    lines = []
    for path, builder, build in zip(session.paths(), session.builders, session.builds, strict=True):
        statuses = Counter(builder.series(entry).status for entry in builder.rows)
        counts = ", ".join(f"{count} {status}" for status, count in sorted(statuses.items()))
        samples = sum(map(len, builder.rows.values()))
        lines += [f"{build.name}: {counts} series", f"  {path}", f"  {time_shares(builder.wall_ns, samples)}"]
    return lines


def busy_lines(machines: Sequence[Machine]) -> list[str]:
    """Return the last line of runs on *machines* if some decide nothing because other work had the machine."""
    reasons = [
        f"the load was {machine.load_before:.1f} on {format_cores(machine.usable_cores)}"
        if is_busy(machine)
        else f"its host kept {100 * (machine.steal_share or 0):.1f} % of the processor time for others"
        for machine in machines
        if is_busy(machine) or (machine.steal_share or 0) > MOST_STEAL_SHARE
    ]
    if not reasons:
        return []
    which = "this run decides" if len(machines) == 1 else f"{len(reasons)} of {len(machines)} runs decide"
    return ["", f"The machine was busy ({reasons[0]}), so {which} nothing: measure again when it is idle."]


def fault_lines(session: Session) -> list[str]:
    """Return each series that was not measured as it should have been, by reason; what is unsupported by design is not.

    None where all was measured.
    """
    without: dict[str, list[str]] = defaultdict(list)
    in_part: dict[str, list[str]] = defaultdict(list)
    for builder, build in zip(session.builders, session.builds, strict=True):
        for entry in builder.rows:
            series = builder.series(entry)
            if series.status == "ok" or (series.status == "unsupported" and not _not_installed(session, entry)):
                continue
            status = STATUS_WORDS.get(series.status, series.status)
            kind = in_part if series.status == "partial" else without
            kind[f"{status}: {one_line(series.reason)}"].append(entry.words(build.name))
    count = sum(len(builder.rows) for builder in session.builders)
    return [*_by_reason(without, count, "no value"), *_by_reason(in_part, count, "a value of some rounds alone")]


def _by_reason(faults: Mapping[str, Sequence[str]], count: int, have: str) -> Iterator[str]:
    if faults:
        yield f"{sum(map(len, faults.values()))} of {count} series have {have}:"
    for reason, names in faults.items():
        yield f"  {reason}"
        yield from (f"    {name}" for name in names)


def _not_installed(session: Session, entry: Entry) -> list[str]:
    """Return the packages for want of which a series can't be measured; none where its runner is not for it."""
    build: Prepared = session.builds[entry.build]
    runner = session.scenarios[entry.scenario].runners[entry.runner]
    if is_older(build.build.version, runner.requires_python):
        return []
    known = {name for name, package in build.packages.items() if package.version is not None}
    return [name for name in runner.packages if name not in known and not build.is_excluded(name)]


def time_shares(wall_ns: Mapping[str, int], samples: int) -> str:
    """Say where the wall time went, and the harness's own part of a sample."""
    total = sum(wall_ns.values()) or 1
    shares = ", ".join(f"{phase.replace('_', ' ')} {part / total:.0%}" for phase, part in wall_ns.items())
    own_ms = wall_ns.get("harness", 0) / max(samples, 1) / 1e6
    return f"{total / 1e9:.0f} s: {shares}; the harness's own {own_ms:.1f} ms a sample"
