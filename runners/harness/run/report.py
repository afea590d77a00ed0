"""What the commands print: the catalogue, a plan, and what came of a run. Pure."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from runners.harness.catalogue.scenarios import Scenario
    from runners.harness.run.plan import Step
    from runners.harness.run.session import Session


def listing(scenarios: Mapping[str, Scenario]) -> str:
    """Return every scenario and runner, a line each."""
    lines = []
    for scenario in scenarios.values():
        lines.append(f"{scenario.name} ({scenario.source}): {scenario.question}")
        width = max((len(name) for name in scenario.runners), default=0)
        for runner in scenario.runners.values():
            note = f"  [{runner.problem}]" if runner.problem else ""
            lines.append(f"  {runner.name:<{width}}  {runner.family:<9}  {runner.title}{note}")
    return "\n".join(lines)


def plan_lines(steps: Sequence[Step]) -> list[str]:
    """Return how much is measured, by scenario and case."""
    counts = Counter((step.entry.scenario, step.entry.case) for step in steps)
    lines = [f"{count:5} samples  {scenario}, {case}" for (scenario, case), count in sorted(counts.items())]
    return [*lines, f"{len(steps):5} samples in all"]


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
