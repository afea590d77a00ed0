"""The verdict board: claims by cells, as data that pages, the terminal and verdicts.json are made from. Pure."""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple, Self

import msgspec

from generate.claims.by_run import judge
from generate.claims.hypotheses import hypotheses, metric_of
from generate.claims.model import Fault, MistakeError
from generate.claims.sentences import contradiction, sentence
from generate.claims.verdicts import OverallVerdict, PartVerdict, Verdict, overall
from generate.text.names import build_order, slug
from runners.harness.catalogue.scenarios import select

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from generate.analysis.gated import GatedRecord
    from generate.analysis.selection import Cell, Host
    from generate.claims.hypotheses import ClaimPart, Hypothesis
    from generate.claims.model import Claim, Claims
    from generate.claims.verdicts import RunVerdict
    from generate.statistics.intervals import Interval
    from runners.harness.catalogue.scenarios import Scenario


FEWEST_TO_AGREE = 3
"""Of fewer cells the board shows each square: that they agree says little."""


class ClaimVerdict(NamedTuple):
    """A claim on a cell."""

    claim: Claim
    cell: Cell
    parts: list[PartVerdict]
    verdict: OverallVerdict
    """What is said of the claim as a whole."""
    leans: bool
    """Whether that is a leaning, not a decision."""

    @property
    def quick(self) -> bool:
        """Whether a quick run decided any part of it."""
        return any(part.is_quick for part in self.parts)

    @property
    def anchor(self) -> str:
        """The id of its card."""
        return f"{slug(self.claim.id)}-{self.cell.key}"


class Difference(NamedTuple):
    """A part of a claim that holds on some builds of a machine and does not on others."""

    part: ClaimPart
    builds: list[tuple[Verdict, list[str]]]
    """By verdict, the builds in order; those that leave it undecided are left out."""


@dataclass(frozen=True)
class Board:
    """All claims on all cells."""

    claims: Claims
    parts: Mapping[str, list[ClaimPart]]
    """By claim."""
    faults: list[Fault]
    """What is wrong with the claims' files, and with the sources that scenarios name."""
    verdicts: Mapping[tuple[str, Cell], ClaimVerdict]
    """By claim and cell."""
    cells: list[Cell]
    """The current machine's first, the builds of a machine in order."""

    @classmethod
    def of(
        cls,
        claims: Claims,
        scenarios: Mapping[str, Scenario],
        records: Sequence[GatedRecord],
        further: Iterable[GatedRecord] = (),
    ) -> Self:
        """Judge every claim on every plain build by *records*, the current files; a variant is compared alone.

        *further* are other runs of the cells.
        """
        parts: dict[str, list[ClaimPart]] = {}
        faults = [*claims.faults]
        for claim in claims.claims:
            parts[claim.id], mistakes = hypotheses(claim, scenarios)
            faults += mistakes
        judged: dict[tuple[str, Cell], list[PartVerdict]] = defaultdict(list)
        plain = [gated for gated in records if not gated.file.record.build.variant]
        for verdict in judge([*chain.from_iterable(parts.values())], plain, further):
            judged[verdict.part.claim.id, verdict.cell].append(verdict)
        hosts = [*dict.fromkeys(cell.host for _, cell in judged)]
        cells = {cell for _, cell in judged}
        return cls(
            claims,
            parts,
            [*faults, *_faults(claims, scenarios)],
            {key: ClaimVerdict(each[0].part.claim, key[1], each, *overall(each)) for key, each in judged.items()},
            sorted(cells, key=lambda cell: (hosts.index(cell.host), build_order(cell.build))),
        )

    def machines(self) -> list[Host]:
        """Return the machines, the current one first."""
        return [*dict.fromkeys(cell.host for cell in self.cells)]

    def current_cells(self) -> list[Cell]:
        """Return the cells of the current machine in order of build."""
        return self.of_machine(self.machines()[0]) if self.cells else []

    def of_machine(self, host: Host) -> list[Cell]:
        """Return the cells of a machine in order of build."""
        return [cell for cell in self.cells if cell.host == host]

    def row(self, claim: Claim, cells: Iterable[Cell]) -> list[ClaimVerdict]:
        """Return a claim on some cells."""
        return [self.verdicts[claim.id, cell] for cell in cells]

    def agreed(self, claim: Claim, cells: Sequence[Cell]) -> OverallVerdict | None:
        """Return the verdict that all of *cells* have of a claim; None where it is open.

        It is open where they differ or lean, where it holds in part or is too close to call, and where they are few.
        Cells to which it does not apply say nothing, unless it applies to none.
        """
        row = self.row(claim, cells)
        verdicts: set[OverallVerdict] = {each.verdict for each in row}
        if len(verdicts) > 1:
            verdicts.discard("not applicable")
        is_open = len(cells) < FEWEST_TO_AGREE or len(verdicts) > 1 or any(each.leans or each.quick for each in row)
        return None if is_open or verdicts <= {"in part", "too close to call"} else verdicts.pop()

    def of_source(self, *sources: str) -> list[Claim]:
        """Return the claims of sources."""
        return [claim for claim in self.claims.claims if claim.source in sources]

    def differences(self, cells: Sequence[Cell]) -> list[Difference]:
        """Return the parts of claims that hold on some builds of *cells* and do not on others."""
        differences = []
        for part in chain.from_iterable(self.parts.values()):
            builds: dict[Verdict, list[str]] = defaultdict(list)
            for claim_verdict in self.row(part.claim, cells):
                if (verdict := claim_verdict.parts[part.number].verdict) in {"holds", "does not hold"}:
                    builds[verdict].append(claim_verdict.cell.build)
            if len(builds) > 1:
                differences.append(Difference(part, [*builds.items()]))
        return differences

    def by_verdict(self, name: str) -> dict[str, list[str]]:
        """Return, for a claim ("S4.2") or a part ("S4.2c") on the current machine, the builds by verdict.

        A leaning is named as such. None are returned where the source's file has a mistake, which may have cost the
        claim. Raises UnknownNameError.
        """
        ids = {claim: [claim, *(part.id for part in parts)] for claim, parts in self.parts.items()}
        claim_of = {each: claim for claim in ids for each in ids[claim]}
        if name not in claim_of and name.partition(".")[0] in {fault.source for fault in self.faults}:
            return {}
        select(claim_of, [name], "claim")
        builds: dict[str, list[str]] = defaultdict(list)
        for cell in self.current_cells():
            parts = self.verdicts[claim_of[name], cell].parts
            verdict, leans = overall([part for part in parts if part.part.id == name] or parts)
            builds[f"leans to “{verdict}”" if leans else verdict].append(cell.build)
        return dict(builds)

    def part_verdicts(self) -> list[PartVerdict]:
        """Return the verdict on every part on every cell."""
        return [part for claim_verdict in self.verdicts.values() for part in claim_verdict.parts]

    def as_json(self) -> bytes:
        """Return every verdict, with what it was decided on, as verdicts.json has it."""
        entries = [*map(_entry, self.part_verdicts())]
        return msgspec.json.encode({"schema_version": 1, "verdicts": entries}) + b"\n"


def _faults(claims: Claims, scenarios: Mapping[str, Scenario]) -> Iterator[Fault]:
    """Go through what is wrong with names in the tables of sources, and with the sources that scenarios name."""
    for file, key, figure in claims.figures():
        try:
            metric_of(figure, scenarios)
        except MistakeError as error:
            yield Fault(file, f"{key}.{error.key}", f"{error}")
    for name, scenario in scenarios.items():
        if scenario.source not in claims.sources:
            known = ", ".join(claims.sources) or "none"
            message = f"no source is called {scenario.source!r}; there are: {known}"
            yield Fault(f"runners/{name}/scenario.py", "SOURCE", message)


def _entry(verdict: PartVerdict) -> dict[str, Any]:
    part, evidence = verdict.part, verdict.evidence
    hypothesis = evidence.hypothesis if evidence else part.hypothesis
    return {
        "claim": part.claim.id,
        "part": part.id,
        "name": part.written.name,
        "says": part.claim.says,
        "machine": verdict.cell.machine,
        "local": verdict.cell.local,
        "build": verdict.cell.build,
        "verdict": verdict.verdict,
        "reason": verdict.reason or None,
        "leans": verdict.leans,
        "quick": verdict.is_quick,
        "expected": hypothesis.words if hypothesis else None,
        **(_hypothesis(hypothesis) if hypothesis else {}),
        "sentence": sentence(verdict),
        "contradiction": contradiction(part) or None,
        "intervals": [*map(_interval, evidence.compared)] if evidence else [],
        "candidate": _interval(evidence.candidate) if evidence else None,
        "baseline": _interval(evidence.baseline) if evidence and evidence.baseline else None,
        "noise": [evidence.noise.low, evidence.noise.high] if evidence and evidence.noise else None,
        "sign_test": evidence.test.either if evidence and evidence.test else None,
        "file": evidence.gated.file.path if evidence else None,
        "runs": [*map(_run, verdict.runs)],
    }


def _run(of: RunVerdict) -> dict[str, Any]:
    return {"run": of.run, "file": of.file, "verdict": of.verdict, "intervals": [*map(_interval, of.compared)]}


def _hypothesis(hypothesis: Hypothesis) -> dict[str, Any]:
    """Say what is judged: `bounds` are of what `intervals` hold, ratios or values in `unit`; null is no bound."""
    return {
        "scenario": hypothesis.scenario.name,
        "metric": hypothesis.metric.name,
        "unit": hypothesis.metric.unit,
        "candidates": [[key.case, key.runner] for key in hypothesis.candidates],
        "against": [hypothesis.baseline.case, hypothesis.baseline.runner] if hypothesis.baseline else None,
        "against_build": "gil_twin" if hypothesis.is_beside_twin else "own",
        "judged": "ratios" if hypothesis.is_of_ratios else "values",
        "bounds": [bound if math.isfinite(bound) else None for bound in hypothesis.expected],
    }


def _interval(of: Interval) -> dict[str, float]:
    return {"median": of.median, "low": of.low, "high": of.high, "coverage": round(of.coverage, 6), "count": of.count}
