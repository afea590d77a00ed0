"""The board of verdicts, the functions about claims, and the generated pages of sources."""

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from markupsafe import Markup

from generate.claims.cards import repeat_command
from generate.claims.changes import list_steps
from generate.claims.hypotheses import ClaimPart, find_metric
from generate.claims.judge import PartVerdict
from generate.claims.marks import (
    Badge,
    ClaimVerdict,
    differs_between_builds,
    find_badge,
    find_shown,
    group_builds,
    settle,
    settle_parts,
)
from generate.claims.model import QUOTED, Claim, Table, TableCell, is_quoted
from generate.claims.sentences import (
    describe_answer,
    describe_contradiction,
    describe_decisive,
    describe_part,
    describe_printed,
)
from generate.data.files import MachineKey, ResultKey
from generate.data.selection import Result
from generate.pages.articles import article_about
from generate.pages.pieces import Functions, SiteContext
from generate.pages.scenario import overview_case, titles
from generate.pages.templates import fragment, path_to_root
from generate.pages.templates import page as markdown
from generate.words import patterns
from generate.words.builds import abbreviate_builds
from generate.words.names import capital, is_free_threaded, list_names, strip_markup
from generate.words.numbers import NO_BREAK, count_noun, format_with_range, outcome
from runners.harness.catalogue.scenarios import Scenario, select
from runners.harness.errors import UserError

MOST_SHOWN = 20
"""Rows that fit on a screen: with more, only the first group is unfolded."""


class Group(NamedTuple):
    badge: Badge
    rows: list[dict[str, object]]
    is_folded: bool


def board(context: SiteContext, page: str) -> Markup:
    """Return the claims by their badges, with filters. Each is judged on the machine that measured most of it."""
    claims = context.board
    every = claims.claims.claims
    return fragment(
        "board.html",
        faults=claims.faults,
        sources=[
            (source, "widely quoted" if source == QUOTED else source)
            for source in dict.fromkeys(map(_source_group, every))
        ],
        families=sorted({name for parts in claims.parts.values() for name in _families(parts)}),
        groups=_groups(context, [(claim, claims.best_row(claim)) for claim in every]),
        machines=claims.machines(),
        root=path_to_root(page),
    )


def matrix(context: SiteContext, host: MachineKey, page: str) -> Markup:
    """Return the claims as one machine judges them; empty if none of its builds is on the board."""
    results = context.board.results_on(host)
    if not results:
        return Markup()
    rows = [(claim, context.board.row(claim, results)) for claim in context.board.claims.claims]
    return fragment("matrix.html", groups=_groups(context, rows), results=results, root=path_to_root(page))


def _groups(context: SiteContext, rows: Sequence[tuple[Claim, Sequence[ClaimVerdict]]]) -> list[Group]:
    """Group the claims by badge. Only the first group is unfolded, unless all fit on a screen."""
    by_badge: dict[Badge, list[dict[str, object]]] = defaultdict(list)
    for claim, row in rows:
        by_badge[find_badge(row)].append(_row(context, claim, row))
    by_badge[Badge.HALF].sort(key=lambda row: not row["is_refuted"])
    badges = [*filter(by_badge.get, Badge)]
    return [Group(badge, by_badge[badge], len(rows) > MOST_SHOWN and badge != badges[0]) for badge in badges]


def _row(context: SiteContext, claim: Claim, row: Sequence[ClaimVerdict]) -> dict[str, object]:
    """Return a claim's row: its question, what was measured and its parts; builds only if they differ."""
    board = context.board
    parts = board.parts[claim.id]
    answers = [describe_part(each.parts[part.number] for each in row) for part in parts]
    is_half = find_badge(row) is Badge.HALF
    return {
        "claim": claim,
        "source": _source_group(claim),
        "citation": board.claims.citation(claim.source),
        "families": _families(parts),
        "is_refuted": any("does not hold" in verdicts for verdicts in settle_parts(row)),
        "short": describe_answer(row, is_brief=True) if is_half else describe_decisive(row, _first_key(context)),
        "answer": describe_answer(row),
        "article": article_about(context.articles, claim),
        "parts": [
            (part.name, answer, part.written.depends_on)
            for part, answer in zip(parts, answers, strict=True)
            if part.name
        ],
        "strip": _strip(row),
    }


def _strip(row: Sequence[ClaimVerdict]) -> list[tuple[str, Badge]]:
    """Return the badge on each build that measured a claim, with the GIL first; empty unless builds differ."""
    measured = [each for each in row if each.is_measured] if differs_between_builds(row) else []
    measured.sort(key=lambda each: is_free_threaded(each.result.build))
    names = abbreviate_builds([each.result.build for each in measured])
    return [(name, find_badge([each])) for name, each in zip(names, measured, strict=True)]


def _first_key(context: SiteContext) -> ResultKey | None:
    """Return the result that pages begin with."""
    return next((result.key for result in context.site.results), None)


def _source_group(claim: Claim) -> str:
    """Return the filter's name for a claim's source. Widely quoted sources share one name."""
    return QUOTED if is_quoted(claim.source) else claim.source


def _families(parts: Iterable[ClaimPart]) -> list[str]:
    hypotheses = [part.hypothesis for part in parts if part.hypothesis]
    return sorted({judged.scenario.runners[name].family for judged in hypotheses for name in judged.runners})


CLEAREST = 5
MOST_OF_A_SOURCE = 2


def source_page(context: SiteContext, source: str) -> str:
    """Return the page of a source without a hand-written one."""
    claims = context.board.claims
    scenarios = [scenario for scenario in context.site.scenarios.values() if scenario.source == source]
    board, written = context.board, context.board.claims_from(source)
    has_claims = bool(written) or any(fault.source == source for fault in board.faults)
    badges = {claim: capital(find_badge(board.best_row(claim)).value) for claim in written[:2]}
    findings = [f"{claim.title} {badge}. {board.summary(claim)}" for claim, badge in badges.items()]
    return markdown(
        "source.md",
        id=source,
        description=" ".join(findings) or f"What is measured for {source}.",
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
        self._first = _first_key(context)

    def board(self) -> Markup:
        """Return the claims by badge, with filters. `board()`."""
        return board(self._context, self._page)

    def claim_counts(self) -> str:
        """Count the claims, and those with the first badges. `claim_counts()`: "83 claims about …: 5 refuted, …"."""
        counts = (
            f"{count}{NO_BREAK}{badge.value.removesuffix('s' * (count > 1))}"
            for badge, count in self._count_badges()[:3]
        )
        claims = count_noun(len(self._claims.claims), "claim")
        return patterns.CLAIMS_COUNTED.format(claims=claims, counts=", ".join(counts))

    def _count_badges(self) -> list[tuple[Badge, int]]:
        badges = Counter(find_badge(self._board.best_row(claim)) for claim in self._claims.claims)
        return [(badge, badges[badge]) for badge in Badge if badges[badge]]

    def verdict(self, claim: str) -> str:
        """Return the verdict on a claim or a part of it. `verdict("S4.2c")`: "holds (undecided on 3.11)"."""
        return self._board.answer(claim) or patterns.NOT_MEASURED

    def what_changed(self) -> Markup:
        """Return the verdicts that changed from one Python to the next, the newest first. `what_changed()`."""
        steps = list_steps(self._board)
        return fragment(
            "changes.html", steps=[each for each in steps if each.changed or each is steps[0]], root=self._root
        )

    def clearest_claims(self) -> Markup:
        """Return the most clearly refuted claims, and how many have each badge. `clearest_claims()`."""
        rows = [self._board.best_row(claim) for claim in self._claims.claims]
        counts: Counter[str] = Counter()
        chosen: dict[object, Refuted] = {}  # by what was compared, so that no two show the same
        for each in most_refuted(rows, self._first):
            counts[each.first.part.claim.source] += 1
            if counts[each.first.part.claim.source] <= MOST_OF_A_SOURCE:
                compared = each.first.part.hypothesis
                chosen.setdefault(tuple(compared.series) if compared else each, each)
        return fragment(
            "clearest_claims.html",
            entries=[*chosen.values()][:CLEAREST],
            is_measured=any(each.is_measured for row in rows for each in row),
            counts=self._count_badges(),
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
        """Return a claim with its parts, and its verdict on each build: those that measured it, the newest first."""
        board, results = self._board, self._board.results_for(claim)
        row, parts = board.row(claim, results), board.parts[claim.id]
        by_build = [*reversed(row)]  # the newest first
        by_build.sort(key=lambda verdict: (not verdict.is_measured, verdict.result != self._first))
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
            "answer": board.summary(claim, self._first),
            "badge": find_badge(row),
            "strip": _strip(row),
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
            return patterns.NOT_MEASURED
        first = site.first(figure.scenario, figure.case)
        row = site.row(first, figure.scenario, figure.case, figure.runner, metric) if first else None
        if row is None:
            return patterns.NOT_MEASURED
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

    badge: Badge
    first: PartVerdict


def most_refuted(rows: Iterable[Sequence[ClaimVerdict]], first: ResultKey | None = None) -> list[Refuted]:
    """Return the refuted claims: those without any part that holds first, then by how far they miss their bound.

    Parts that depend on our choices are left out: our own questions, bounds or grids, and rules of the map. So are
    parts on which builds disagree, and those that leave open which side is ahead. If a claim holds for the figures that
    the source printed, only their set-up counts.
    """
    refuted = []
    for row in rows:
        by_part = [*zip(*(each.counting_parts for each in row), strict=True)]
        known = [(settle(group_builds(each)), find_shown(each, first), each[0].part.written) for each in by_part]
        parts = [each for each in known if not (each[2].ours or each[2].depends_on or each[2].rule)]
        if any("holds" in settled and part.printed for settled, _, part in parts):
            parts = [each for each in parts if each[2].printed]
        shown = (each for settled, each, _ in parts if settled == ("does not hold",))
        clear = (each for each in shown if each and each.verdict == "does not hold" and _is_clear(each))
        if verdict := next(clear, None):
            refuted.append(Refuted(find_badge(row), verdict))
    return sorted(refuted, key=lambda each: (each.badge is Badge.HALF, -_distance(each.first), each.first.part.id))


def _is_clear(verdict: PartVerdict) -> bool:
    """True if a verdict decides which side is ahead, or compares none."""
    evidence = verdict.evidence
    if evidence is None or not evidence.hypothesis.compares_ratios:
        return True
    return all(outcome(ratio) != "undecided" for ratio in evidence.compared)


def _distance(verdict: PartVerdict) -> float:
    """Return the factor by which the nearest end of a range misses its bounds, as a logarithm."""
    if verdict.evidence is None:
        return 0.0
    low, high = verdict.evidence.hypothesis.expected
    ranges = [(each.low, each.high) for each in verdict.evidence.compared if each.low > 0]
    gaps = [math.log(low / end) for _, end in ranges if low > 0 and end < low]
    gaps += [math.log(end / high) for end, _ in ranges if 0 < high < end]
    return max(gaps, default=0.0)
