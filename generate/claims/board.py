"""The verdict board: claims by cells, as data that pages, the terminal and verdicts.json are made from. Pure."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, Self

import msgspec

from generate.claims.hypotheses import questions
from generate.claims.sentences import Whole, contradiction, expectation, sentence, whole
from generate.claims.verdicts import PartVerdict, Verdict, verdicts
from generate.text.names import build_order, slug
from runners.harness.catalogue.scenarios import select

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from generate.analysis.selection import Cell
    from generate.analysis.summaries import GatedRecord
    from generate.claims.hypotheses import ClaimPart, Hypothesis
    from generate.claims.read import Claim, Claims, Fault
    from generate.statistics.intervals import Interval
    from runners.harness.catalogue.scenarios import Scenario


class ClaimVerdict(NamedTuple):
    """A claim on a cell."""

    claim: Claim
    column: Cell
    parts: tuple[PartVerdict, ...]

    @property
    def verdict(self) -> Whole:
        """What is said of the claim as a whole."""
        return whole(self.parts)[0]

    @property
    def leans(self) -> bool:
        """Whether that is a leaning, not a decision."""
        return whole(self.parts)[1]

    @property
    def anchor(self) -> str:
        """The id of its card."""
        return f"{slug(self.claim.id)}-{self.column.key}"


class Difference(NamedTuple):
    """A part of a claim that holds on some builds of a machine and does not on others."""

    asked: ClaimPart
    builds: list[tuple[Verdict, list[str]]]
    """By verdict, the builds in order; those that leave it undecided are left out."""


@dataclass(frozen=True)
class Board:
    """All claims on all cells."""

    claims: Claims
    asked: Mapping[str, list[ClaimPart]]
    """The parts of each claim."""
    faults: tuple[Fault, ...]
    """What is wrong with the claims' files."""
    squares: Mapping[tuple[str, Cell], ClaimVerdict]
    """By claim and cell."""
    columns: tuple[Cell, ...]
    """The cells: the machines in the order in which they lead, the builds of a machine in order."""

    @classmethod
    def of(cls, claims: Claims, scenarios: Mapping[str, Scenario], seen: Sequence[GatedRecord]) -> Self:
        """Judge every claim on every cell."""
        made = {claim.id: questions(claim, scenarios) for claim in claims.claims}
        asked = {key: found for key, (found, _) in made.items()}
        parts: dict[tuple[str, Cell], list[PartVerdict]] = defaultdict(list)
        for judged in verdicts([one for found in asked.values() for one in found], seen):
            parts[judged.asked.claim.id, judged.column].append(judged)
        squares = {key: ClaimVerdict(found[0].asked.claim, key[1], tuple(found)) for key, found in parts.items()}
        faults = (*claims.faults, *(fault for _, found in made.values() for fault in found))
        hosts = [*dict.fromkeys(column.host for _, column in squares)]
        columns = sorted(
            {column for _, column in squares}, key=lambda one: (hosts.index(one.host), build_order(one.build))
        )
        return cls(claims, asked, faults, squares, tuple(columns))

    def machines(self) -> list[tuple[str, bool]]:
        """Return the machines, the one that leads first."""
        return [*dict.fromkeys((column.machine, column.local) for column in self.columns)]

    def leading(self) -> list[Cell]:
        """Return the cells of the first machine in order of build."""
        return self.of_machine(*self.machines()[0]) if self.columns else []

    def of_machine(self, machine: str, local: bool) -> list[Cell]:  # noqa: FBT001 - as `machines` gives it
        """Return the cells of a machine in order of build."""
        return [column for column in self.columns if (column.machine, column.local) == (machine, local)]

    def row(self, claim: Claim, columns: Iterable[Cell]) -> list[ClaimVerdict]:
        """Return a claim on some cells."""
        return [self.squares[claim.id, column] for column in columns]

    def on(self, column: Cell) -> list[ClaimVerdict]:
        """Return all claims on a cell."""
        return [self.squares[claim.id, column] for claim in self.claims.claims]

    def of_source(self, source: str) -> list[Claim]:
        """Return the claims of a source."""
        return [claim for claim in self.claims.claims if claim.source == source]

    def differences(self, columns: Sequence[Cell]) -> list[Difference]:
        """Return the parts of claims that hold on some builds of *columns* and do not on others."""
        found = []
        for asked in (one for claim in self.claims.claims for one in self.asked[claim.id]):
            by_verdict: dict[Verdict, list[str]] = defaultdict(list)
            for square in self.row(asked.claim, columns):
                if (verdict := square.parts[asked.number].verdict) in {"holds", "does not hold"}:
                    by_verdict[verdict].append(square.column.build)
            if len(by_verdict) > 1:
                found.append(Difference(asked, [*by_verdict.items()]))
        return found

    def by_verdict(self, name: str) -> dict[str, list[str]]:
        """Return, for a claim ("S4.2") or a part ("S4.2c") on the first machine, the builds by verdict.

        A leaning is told as such. Raises UnknownNameError.
        """
        parts = {asked.id: asked.claim.id for found in self.asked.values() for asked in found}
        select([*dict.fromkeys([*self.asked, *parts])], [name], "claim")
        found: dict[str, list[str]] = defaultdict(list)
        for column in self.leading():
            square = self.squares[parts.get(name, name), column]
            chosen = [part for part in square.parts if part.asked.id == name] or square.parts
            verdict, leans = whole(chosen)
            found[f"leans to “{verdict}”" if leans else verdict].append(column.build)
        return dict(found)

    def counts(self) -> Counter[str]:
        """Count the parts on all cells by verdict."""
        return Counter(part.verdict for square in self.squares.values() for part in square.parts)

    def as_json(self) -> bytes:
        """Return every verdict, with what it was decided on, as verdicts.json has it."""
        made = [_entry(part) for square in self.squares.values() for part in square.parts]
        return msgspec.json.encode({"schema_version": 1, "verdicts": made}) + b"\n"


def _entry(judged: PartVerdict) -> dict[str, Any]:
    found, asked = judged.evidence, judged.asked
    return {
        "claim": asked.claim.id,
        "part": asked.id,
        "name": asked.part.name,
        "says": asked.claim.says,
        "machine": judged.column.machine,
        "local": judged.column.local,
        "build": judged.column.build,
        "verdict": judged.verdict,
        "reason": judged.reason or None,
        "leans": judged.leans,
        "expected": expectation(asked) or None,
        **_question(asked.question),
        "sentence": sentence(judged),
        "contradiction": contradiction(asked) or None,
        "intervals": [_interval(one) for one in found.compared] if found else [],
        "candidate": _interval(found.candidate) if found else None,
        "baseline": _interval(found.baseline) if found and found.baseline else None,
        "noise": [found.noise.low, found.noise.high] if found and found.noise else None,
        "sign_test": found.signs.either if found and found.signs else None,
        "file": found.seen.file.path if found else None,
    }


def _question(question: Hypothesis | None) -> dict[str, Any]:
    """Say what is judged: `bounds` are of what `intervals` hold, ratios or values in `unit`; null is no bound."""
    if question is None:
        return {}
    bounds = [bound if math.isfinite(bound) else None for bound in question.expected]
    return {
        "scenario": question.scenario.name,
        "metric": question.metric.name,
        "unit": question.metric.unit,
        "candidates": [[*place] for place in question.candidates],
        "against": [*question.baseline] if question.baseline else None,
        "judged": "ratios" if question.is_of_ratios else "values",
        "bounds": bounds,
    }


def _interval(of: Interval) -> dict[str, float]:
    return {"median": of.median, "low": of.low, "high": of.high, "coverage": round(of.coverage, 6), "count": of.count}
