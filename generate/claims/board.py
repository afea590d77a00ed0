"""The verdict board: claims by machines and builds, as data for pages, terminal and verdicts.json."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import chain

import msgspec

from generate.claims.entries import VERSION, make_entry
from generate.claims.hypotheses import ClaimPart, find_metric, hypotheses
from generate.claims.judge import PartVerdict, judge
from generate.claims.marks import ClaimVerdict, find_shown
from generate.claims.model import Claim, Claims, Fault
from generate.claims.sentences import describe_answer, describe_decisive, describe_part
from generate.data.files import MachineKey, ResultKey, build_order
from generate.data.results import Results
from generate.words import patterns
from generate.words.names import capital
from runners.harness.catalogue.scenarios import Scenario, select
from runners.harness.errors import UserError


@dataclass(frozen=True)
class Board:
    """All claims on all machines and builds."""

    claims: Claims
    parts: Mapping[str, list[ClaimPart]]
    faults: list[Fault]
    """In the claims files, and in the sources that scenarios name."""
    verdicts: Mapping[tuple[str, ResultKey], ClaimVerdict]
    results: list[ResultKey]
    """The current machine's first; each machine's builds in order."""

    def machines(self) -> list[MachineKey]:
        """Return the machines, the current one first."""
        return [*dict.fromkeys(key.machine_key for key in self.results)]

    def current_results(self) -> list[ResultKey]:
        return self.results_on(self.machines()[0]) if self.results else []

    def results_for(self, claim: Claim) -> list[ResultKey]:
        """Return the builds of the machine that measured most of a claim's parts; the first of several such."""
        measured = {machine: self._count_measured(claim, machine) for machine in self.machines()}
        return self.results_on(max(measured, key=measured.__getitem__)) if measured else []

    def _count_measured(self, claim: Claim, machine: MachineKey) -> int:
        by_part = zip(*(each.counting_parts for each in self.row(claim, self.results_on(machine))), strict=True)
        return sum(any(verdict.evidence for verdict in verdicts) for verdicts in by_part)

    def best_row(self, claim: Claim) -> list[ClaimVerdict]:
        """Return the verdicts on a claim on the machine that measured most of its parts."""
        return self.row(claim, self.results_for(claim))

    def results_on(self, machine: MachineKey) -> list[ResultKey]:
        return [key for key in self.results if key.machine_key == machine]

    def row(self, claim: Claim, keys: Iterable[ResultKey]) -> list[ClaimVerdict]:
        return [self.verdicts[claim.id, key] for key in keys]

    def part_row(self, part: ClaimPart, keys: Iterable[ResultKey]) -> list[PartVerdict]:
        return [each.parts[part.number] for each in self.row(part.claim, keys)]

    def claims_from(self, source: str) -> list[Claim]:
        return [claim for claim in self.claims.claims if claim.source == source]

    def claims_named(self, names: Iterable[str]) -> list[Claim]:
        """Return the claims named by source ("S4"), claim ("S4.2") or part ("S4.2c"); all if nothing is named.

        Raises UnknownNameError.
        """
        chosen = {*select({**self.claims.sources, **self._by_name}, names, "claim")}
        names_by_claim = {id_: {part.id for part in parts} for id_, parts in self.parts.items()}
        return [each for each in self.claims.claims if chosen & {each.source, each.id, *names_by_claim[each.id]}]

    def answer(self, name: str) -> str:
        """Describe the verdicts on a claim ("S4.2") or a part of it ("S4.2c") on the machine that measured most of it.

        Empty without a verdict, or if the source's file has a mistake. Raises UnknownNameError.
        """
        if name not in self._by_name and name.partition(".")[0] in {fault.source for fault in self.faults}:
            return ""
        named = self._by_name[select(self._by_name, [name], "claim")[0]]
        if isinstance(named, Claim):
            return describe_answer(self.best_row(named))
        return describe_part(self.part_row(named, self.results_for(named.claim)))

    def summary(self, claim: Claim, first: ResultKey | None = None) -> str:
        """Return the answer to a claim, unless its badge says as much, and what was expected and measured."""
        row = self.best_row(claim)
        answer, measured = describe_answer(row), describe_decisive(row, first)
        texts = [measured] if answer in patterns.VERDICTS else [answer, measured]
        return " ".join(f"{capital(text)}." for text in texts if text)

    def finding(self, part: ClaimPart, first: ResultKey | None = None) -> PartVerdict | None:
        """Return the verdict on a part of a claim on *first*, the build that pages begin with.

        Otherwise on the newest build of the machine that measured most of the claim.
        """
        return find_shown(self.part_row(part, self.results_for(part.claim)), first)

    @cached_property
    def _by_name(self) -> Mapping[str, Claim | ClaimPart]:
        """Claims and parts by name: "S4.2", "S4.2c"."""
        parts = {part.id: part for part in chain.from_iterable(self.parts.values())}
        return {**parts, **{claim.id: claim for claim in self.claims.claims}}

    def as_json(self) -> bytes:
        """Return every verdict with its evidence, as verdicts.json has it."""
        entries = [make_entry(part) for verdict in self.verdicts.values() for part in verdict.parts]
        return msgspec.json.encode({"schema_version": VERSION, "verdicts": entries}) + b"\n"


def judge_claims(claims: Claims, scenarios: Mapping[str, Scenario], results: Results) -> Board:
    """Judge every claim on every plain build."""
    parts: dict[str, list[ClaimPart]] = {}
    faults = [*claims.faults]
    for claim in claims.claims:
        parts[claim.id], mistakes = hypotheses(claim, scenarios)
        faults += mistakes
    judged: dict[tuple[str, ResultKey], list[PartVerdict]] = defaultdict(list)
    for verdict in judge([*chain.from_iterable(parts.values())], results):
        judged[verdict.part.claim.id, verdict.result].append(verdict)
    keys = [*dict.fromkeys(key for _, key in judged)]
    machines = [*dict.fromkeys(key.machine_key for key in keys)]
    return Board(
        claims,
        parts,
        [*faults, *_faults(claims, scenarios)],
        {key: ClaimVerdict(each[0].part.claim, key[1], each) for key, each in judged.items()},
        sorted(keys, key=lambda key: (machines.index(key.machine_key), build_order(key.build))),
    )


def _faults(claims: Claims, scenarios: Mapping[str, Scenario]) -> Iterator[Fault]:
    """Yield the mistakes in the names that tables of sources use, and in the sources that scenarios name."""
    for file, key, figure in claims.figures():
        try:
            find_metric(figure, scenarios)
        except (UserError, ValueError) as error:
            yield Fault(file, key, f"{error}")
    for name, scenario in scenarios.items():
        if scenario.source not in claims.sources:
            known = ", ".join(claims.sources) or "none"
            message = f"no source is called {scenario.source!r}; there are: {known}"
            yield Fault(f"runners/{name}/scenario.py", "SOURCE", message)
