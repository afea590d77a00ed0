"""The board of verdicts and its cards, the functions about claims, and the generated pages of sources."""

import json
import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from markupsafe import Markup

from generate.claims.board import Board
from generate.claims.cards import repeat_command
from generate.claims.hypotheses import ClaimPart, find_metric
from generate.claims.judge import PartVerdict, Verdict
from generate.claims.marks import Agreement, ClaimVerdict, find_agreement, merge_marks
from generate.claims.model import QUOTED, Claim, Table, TableCell, is_quoted
from generate.claims.sentences import (
    describe_answer,
    describe_contradiction,
    describe_part,
    describe_printed,
    describe_spread,
)
from generate.data.estimates import DECIDED
from generate.data.files import MachineKey, ResultKey
from generate.data.selection import Result
from generate.pages.articles import article_about
from generate.pages.pieces import Functions, SiteContext
from generate.pages.scenario import overview_case, titles
from generate.pages.templates import fragment, path_to_root
from generate.pages.templates import page as markdown
from generate.words.names import is_free_threaded, list_names, strip_markup
from generate.words.numbers import format_with_range
from generate.words.patterns import NOT_MEASURED
from runners.harness.catalogue.scenarios import Scenario, select
from runners.harness.errors import UserError

HOME = "index.md"
"""The page with the board. Links of its cards are relative to it."""
CARDS = "assets/cards"
"""Folder of each build's cards below docs/."""

LEGEND: tuple[tuple[tuple[Verdict, ...], str], ...] = (
    (("holds",), "holds"),
    (("does not hold",), "does not hold"),
    (("undecided",), "undecided"),
    (("not measured",), "not measured"),
    (("does not apply",), "does not apply"),
    (("does not hold", "holds"), "split: its parts differ; red, one does not hold"),
)
FEWEST_TO_AGREE = 3
"""With fewer builds, agreement shows little and is not folded."""
MOST_SHOWN = 20
"""Rows that fit on a screen: a further group that would exceed them is folded."""


class Group(NamedTuple):
    heading: str
    rows: list[dict[str, object]]
    is_folded: bool


def board(context: SiteContext, page: str) -> Markup:
    """Return the board of the first machine, with its filters. Other machines have theirs on their pages."""
    claims = context.board
    sources = [*dict.fromkeys(_source_group(claim) for claim in claims.claims.claims)]
    return fragment(
        "board.html",
        faults=claims.faults,
        machines=claims.machines(),
        builds=[result.build for result in claims.current_results()],
        sources=[(source, "widely quoted" if source == QUOTED else source) for source in sources],
        families=sorted({name for parts in claims.parts.values() for name in _families(parts)}),
        legend=LEGEND,
        matrix=matrix(context, claims.machines()[0], page) if claims.results else "",
        root=path_to_root(page),
    )


def matrix(context: SiteContext, host: MachineKey, page: str) -> Markup:
    """Return the claims on the builds of one machine; empty if none of its builds is on the board."""
    results = context.board.results_on(host)
    if not results:
        return Markup()
    return fragment(
        "matrix.html",
        groups=_groups(context.board, results),
        has_free_threaded=any(is_free_threaded(result.build) for result in results),
        host=host,
        machine_name=context.site.machine_name(host),
        results=results,
        current=next((each.key for each in context.site.results if each.key in results), results[-1]),
        root=path_to_root(page),
    )


def render_fetched(context: SiteContext) -> Iterator[tuple[str, str]]:
    """Yield the cards of each build on the board, path and JSON."""
    board = context.board
    articles = {claim.id: article_about(context.articles, claim) for claim in board.claims.claims}
    for result in board.current_results():
        facts = {"machine": context.site.machine_name(result.machine_key), "root": path_to_root(HOME)}
        cards = {
            each.claim.id: fragment("card.html", verdict=each, article=articles[each.claim.id], **facts)
            for each in (board.verdicts[claim.id, result] for claim in board.claims.claims)
        }
        yield f"{CARDS}/{result.key}.json", json.dumps(cards, separators=(",", ":"), ensure_ascii=False)


def _groups(board: Board, results: Sequence[ResultKey]) -> list[Group]:
    """Group the claims by how far the builds agree: differences first, agreement folded.

    With few builds, decided claims are one of the groups instead of agreeing ones.
    """
    has_many = len(results) >= FEWEST_TO_AGREE
    alike = {Agreement.SAME, Agreement.UNKNOWN} if has_many else {Agreement.UNKNOWN}
    rows: dict[Agreement, list[dict[str, object]]] = defaultdict(list)
    for claim in board.claims.claims:
        verdicts = board.row(claim, results)
        kind = find_agreement(verdicts)
        rows[kind].append(_row(board, verdicts, is_alike=kind in alike))
    order = [*Agreement] if has_many else [Agreement.DIFFERENT, Agreement.SAME, Agreement.OPEN, Agreement.UNKNOWN]
    groups: list[Group] = []
    for kind in filter(rows.get, order):
        shown = len(rows[kind]) + sum(len(group.rows) for group in groups if not group.is_folded)
        heading = kind.value if has_many or kind is not Agreement.SAME else "Decided"
        groups.append(Group(heading, rows[kind], kind in alike or bool(groups and shown > MOST_SHOWN)))
    return groups


def _row(board: Board, verdicts: Sequence[ClaimVerdict], *, is_alike: bool) -> dict[str, object]:
    """Return a claim's row: a square and the letters of its parts' verdicts per build, or once if all are alike."""
    claim, results = verdicts[0].claim, [each.result for each in verdicts]
    parts, letters = board.parts[claim.id], [each.letters for each in verdicts]
    named = [(part.name, describe_part(board.part_row(part, results)), part.written.depends_on) for part in parts]
    return {
        "claim": claim,
        "source": _source_group(claim),
        "families": _families(parts),
        "answer": describe_answer(verdicts),
        "parts": named if len(named) > 1 else [],
        "squares": [merge_marks(verdicts)] if is_alike else [each.marks for each in verdicts],
        "letters": letters[0] if len({*letters}) == 1 else " ".join(letters),
    }


def _source_group(claim: Claim) -> str:
    """Return the filter's name for a claim's source. Widely quoted sources share one name."""
    return QUOTED if is_quoted(claim.source) else claim.source


def _families(parts: Iterable[ClaimPart]) -> list[str]:
    hypotheses = [part.hypothesis for part in parts if part.hypothesis]
    return sorted({judged.scenario.runners[name].family for judged in hypotheses for name in judged.runners})


DIFFERING = ("free_threaded", "gil", "with_gil")
"""The builds that differ, by how many of the two verdicts occur on builds with the GIL: none, one or both."""
SURPRISES = 5
MOST_OF_A_SOURCE = 2


def source_page(context: SiteContext, source: str) -> str:
    """Return the page of a source without a hand-written one."""
    claims = context.board.claims
    scenarios = [scenario for scenario in context.site.scenarios.values() if scenario.source == source]
    has_claims = bool(context.board.claims_from(source)) or any(f.source == source for f in context.board.faults)
    return markdown(
        "source.md",
        id=source,
        functions=ClaimFunctions(context, f"claims/{source}.md"),
        source=claims.sources[source],
        is_quoted=is_quoted(source),
        has_claims=has_claims,
        has_tables=bool(claims.tables.get(source)),
        scenarios=scenarios,
        answers=[] if has_claims else [_in_short(context, scenario) for scenario in scenarios],
    )


def _in_short(context: SiteContext, scenario: Scenario) -> dict[str, object]:
    """Return a scenario's question, and the finding of its overview case."""
    case = overview_case(context.site, scenario.name)
    result = context.site.first(scenario.name, case)
    finding = next(iter(titles(context, scenario.name, case)), "")
    return {"scenario": scenario, "finding": finding, "case": scenario.case_label(case), "result": result}


class ClaimFunctions(Functions):
    def __init__(self, context: SiteContext, page: str) -> None:
        super().__init__(context, page)
        self._board, self._claims = context.board, context.board.claims
        self._first = next((result.key for result in context.site.results), None)

    def board(self) -> Markup:
        """Return the board of verdicts: a row a claim, a square a build. `board()`."""
        return board(self._context, self._page)

    def verdict(self, claim: str) -> str:
        """Return the verdict on a claim or a part of it. `verdict("S4.2c")`: "holds (undecided on 3.11)"."""
        return self._board.answer(claim) or NOT_MEASURED

    def claim_list(self, *, quoted: bool = False) -> Markup:
        """List the claims of all sources; with *quoted* the widely quoted ones, with their sources. `claim_list()`."""
        claims = [claim for claim in self._claims.claims if is_quoted(claim.source) is quoted]
        shown = [result for result in self._board.results if result == self._first]
        return fragment(
            "claim_list.html",
            claims=claims,
            cited={claim.source: self._claims.sources[claim.source] for claim in claims if quoted},
            answers={claim.id: self.verdict(claim.id) for claim in claims},
            marks={claim.id: each.marks for claim in claims for each in self._board.row(claim, shown)},
            build=shown[0].build if shown else "",
            legend=LEGEND,
            root=self._root,
        )

    def differences(self) -> Markup:
        """Return the claims whose verdicts differ on the first machine, by which builds differ. `differences()`."""
        results = self._board.current_results()
        groups: dict[str, list[tuple[ClaimPart, str]]] = {kind: [] for kind in DIFFERING}
        for part, builds in self._board.differences(results).items():
            verdicts_with_gil = sum(not all(map(is_free_threaded, builds[verdict])) for verdict in DECIDED)
            groups[DIFFERING[verdicts_with_gil]].append((part, describe_spread(builds)))
        has_free = any(is_free_threaded(result.build) for result in results)
        return fragment(
            "differences.html", has_results=bool(results), has_free_threaded=has_free, groups=groups, root=self._root
        )

    def surprises(self) -> Markup:
        """Return the claims that the first build refutes most clearly, at most two a source. `surprises()`."""
        verdicts = [verdict for verdict in self._board.verdicts.values() if verdict.result == self._first]
        counts: Counter[str] = Counter()
        chosen: list[Refuted] = []
        for each in most_refuted(verdicts):
            counts[each.first.part.claim.source] += 1
            if counts[each.first.part.claim.source] <= MOST_OF_A_SOURCE:
                chosen.append(each)
        return fragment(
            "surprises.html",
            entries=chosen[:SURPRISES],
            is_measured=any(verdict.is_measured for verdict in verdicts),
            root=self._root,
        )

    def verdicts(self, source: str) -> Markup:
        """Return every claim of a source: text, measurements, bounds, and a card per build. `verdicts("S5")`."""
        board = self._board
        return fragment(
            "source_verdicts.html",
            claims=[self._entry(claim) for claim in board.claims_from(self._known(source))],
            faults=[fault for fault in board.faults if fault.source == source],
            root=self._root,
            contradiction=describe_contradiction,
            machine_name=self._context.site.machine_name,
        )

    def _entry(self, claim: Claim) -> dict[str, object]:
        """Return a claim with its parts, and its verdict on each build: the first build's, then the newest."""
        board, results = self._board, self._board.results_for(claim)
        row, parts = board.row(claim, results), board.parts[claim.id]
        by_build = [*reversed(row)]  # the newest first
        by_build.sort(key=lambda verdict: verdict.result != self._first)
        judged = by_build[0].parts if by_build else []
        return {
            "claim": claim,
            "printed": [*filter(None, dict.fromkeys(map(describe_printed, parts)))],
            "parts": [
                {
                    "part": part,
                    "answer": describe_part(board.part_row(part, results)),
                    "finding": board.finding(part, self._first),
                }
                for part in parts
            ],
            "answer": board.answer(claim.id),
            "elsewhere": next((key.machine_key for key in results if key not in board.current_results()), None),
            "verdicts": by_build,
            "repeated": {repeat_command(part): part.part.hypothesis for part in judged if part.part.hypothesis},
        }

    def remeasured(self, source: str) -> Markup:
        """Return the tables of a source, with our measurements next to its figures. `remeasured("S5")`."""
        tables = self._claims.tables.get(self._known(source), ())
        measured = [(table, self._list_results(table)) for table in tables]
        results = {result.key: result for _, titled in measured for _, result in titled}
        return fragment(
            "source_tables.html",
            tables=measured,
            measured=self._measured,
            shared=next(iter(results.values())) if len(results) == 1 else None,
            is_measured=bool(results),
            cited=self._claims.sources[source],
        )

    def _list_results(self, table: Table) -> list[tuple[str, Result]]:
        """Return the results behind a source's table, each once, with the scenarios' titles."""
        site, results, names = self._context.site, {}, defaultdict(list)
        for figure in (figure for row in table.row for figure in row.cells if figure.scenario in site.scenarios):
            if result := site.first(figure.scenario, figure.case):
                results[result.key] = result
                names[result.key].append(site.scenarios[figure.scenario].title)
        return [(list_names([*dict.fromkeys(names[key])]), result) for key, result in results.items()]

    def _measured(self, figure: TableCell) -> str:
        """Return our measurement of a source's figure; empty if it has no scenario."""
        if not figure.scenario:
            return ""
        site = self._context.site
        try:
            metric = find_metric(figure, site.scenarios).name
        except (UserError, ValueError):  # the board reports it
            return NOT_MEASURED
        first = site.first(figure.scenario, figure.case)
        row = site.row(first, figure.scenario, figure.case, figure.runner, metric) if first else None
        if row is None:
            return NOT_MEASURED
        return format_with_range(row.value, row.unit) if row.value else strip_markup(row.reason or row.status)

    def source(self, name: str) -> str:
        """Return how a source is cited. `source("S1")`."""
        return self._claims.citation(self._known(name))

    def source_list(self) -> Markup:
        """Return a table of all sources but the widely quoted, each with a link to its page. `source_list()`."""
        row = Markup("| {} | [{}]({}.md) |")
        sources = {name: source for name, source in self._claims.sources.items() if not is_quoted(name)}
        rows = [row.format(self.source(name), source.subject, name) for name, source in sources.items()]
        return Markup("\n").join([Markup("| source | re-measured |"), Markup("|---|---|"), *rows])

    def _known(self, source: str) -> str:
        """Return the id of a source. Raises UnknownNameError, which lists the known ones."""
        return select(self._claims.sources, [source], "source")[0]


class Refuted(NamedTuple):
    """A claim that does not hold, at least in part."""

    in_part: bool
    first: PartVerdict


def most_refuted(verdicts: Iterable[ClaimVerdict]) -> list[Refuted]:
    """Return the refuted claims: those that fail in all parts first, then by how far they miss their bound.

    Parts that depend on our choices are left out: our own questions, bounds or grids, and rules of the map. So are
    all set-ups but that of the source's printed figures, if the claim holds there.
    """
    refuted = []
    for verdict in verdicts:
        written = ((each, each.part.written) for each in verdict.counting_parts)
        parts = [each for each, part in written if not (part.ours or part.depends_on or part.rule)]
        if any(part.verdict == "holds" and part.part.written.printed for part in parts):
            parts = [part for part in parts if part.part.written.printed]
        if first := next((part for part in parts if part.verdict == "does not hold"), None):
            refuted.append(Refuted(len(verdict.marks) > 1, first))
    return sorted(refuted, key=lambda each: (each.in_part, -_distance(each.first), each.first.part.id))


def _distance(verdict: PartVerdict) -> float:
    """Return the factor by which an estimate misses its bounds, as a logarithm."""
    if verdict.evidence is None:
        return 0.0
    low, high = verdict.evidence.hypothesis.expected
    values = [each.value for each in verdict.evidence.compared if each.value > 0]
    gaps = [math.log(low / value) for value in values if low > 0 and value < low]
    gaps += [math.log(value / high) for value in values if 0 < high < value]
    return max(gaps, default=0.0)
