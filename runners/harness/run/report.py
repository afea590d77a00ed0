"""What the commands print: the catalogue, a plan, and what came of a run. Pure."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from runners.harness.catalogue.scenarios import Scenario
    from runners.harness.run.new_run import RunRequest
    from runners.harness.run.plan import Step
    from runners.harness.run.session import Session


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


def plan_lines(steps: Sequence[Step]) -> list[str]:
    """Return how much is measured, by scenario and case."""
    counts = Counter((step.entry.scenario, step.entry.case) for step in steps)
    lines = [f"{count:5} samples  {scenario}, {case}" for (scenario, case), count in sorted(counts.items())]
    return [*lines, f"{len(steps):5} samples in all"]


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


def closing_lines(session: Session, faults: Mapping[tuple[str, str], str]) -> list[str]:
    """Return where the files are, where the time went, and what did not go well."""
    lines = [f"{name}: {status}: {reason}" for (name, status), reason in faults.items()]
    for path, builder, build in zip(session.paths(), session.builders, session.builds, strict=True):
        statuses = Counter(builder.series(entry).status for entry in builder.rows)
        counts = ", ".join(f"{count} {status}" for status, count in sorted(statuses.items()))
        samples = sum(map(len, builder.rows.values()))
        lines += [f"{build.name}: {counts} series", f"  {path}", f"  {time_shares(builder.wall_ns, samples)}"]
    return lines


def time_shares(wall_ns: Mapping[str, int], samples: int) -> str:
    """Say where the wall time went, and the harness's own part of a sample."""
    total = sum(wall_ns.values()) or 1
    shares = ", ".join(f"{phase.replace('_', ' ')} {part / total:.0%}" for phase, part in wall_ns.items())
    own_ms = wall_ns.get("harness", 0) / max(samples, 1) / 1e6
    return f"{total / 1e9:.0f} s: {shares}; the harness's own {own_ms:.1f} ms a sample"
