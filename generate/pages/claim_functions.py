"""The functions of hand-written pages that speak of claims and sources, and the page of a source that has none."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from markupsafe import Markup

from generate.claims.hypotheses import metric_of
from generate.claims.model import MistakeError, is_quoted
from generate.claims.sentences import describe_contradiction, describe_printed, describe_verdict
from generate.data.estimates import DECIDED
from generate.data.gate_rules import BUSY_LOAD_SHARE
from generate.pages.board import LEGEND, board
from generate.pages.pieces import how_they_were_built
from generate.pages.scenario import overview_case, titles
from generate.pages.templates import fragment, root_of
from generate.pages.templates import page as markdown
from generate.words.builds import describe_build
from generate.words.names import is_free_threaded, list_names, list_names_briefly, strip_markup
from generate.words.numbers import NOT_MEASURED, format_share, format_with_range
from runners.harness.catalogue.scenarios import select

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from generate.claims.hypotheses import ClaimPart
    from generate.claims.judge import PartVerdict
    from generate.claims.marks import ClaimVerdict
    from generate.claims.model import Claim, Table, TableCell
    from generate.data.selection import Result
    from generate.pages.context import SiteContext
    from runners.harness.catalogue.scenarios import Scenario


DIFFERING = ("free_threaded", "gil", "with_gil")
"""What differs, by how many of the two verdicts builds with the GIL have: none, one or both."""


def source_page(context: SiteContext, source: str) -> str:
    """Return the page of a source for which none is written by hand."""
    functions, claims = ClaimFunctions(context, f"claims/{source}.md"), context.board.claims
    scenarios = [scenario for scenario in context.site.scenarios.values() if scenario.source == source]
    facts = {"source": claims.sources[source], "has_tables": bool(claims.tables.get(source)), "scenarios": scenarios}
    has_claims = bool(context.board.claims_from(source)) or any(f.source == source for f in context.board.faults)
    kinds = {"has_claims": has_claims, "is_quoted": is_quoted(source)}
    answers = [] if has_claims else [_in_short(context, scenario) for scenario in scenarios]
    return markdown("source.md", id=source, functions=functions, answers=answers, **facts, **kinds)


def _in_short(context: SiteContext, scenario: Scenario) -> dict[str, object]:
    """Return a scenario's question, and of its answer the first sentence: what its overview case found, and where."""
    case = overview_case(context.site, scenario.name)
    cell = context.site.first(scenario.name, case)
    found = next(iter(titles(context, scenario.name, case)), "")
    return {"scenario": scenario, "found": found, "case": scenario.case_words(case), "cell": cell}


class ClaimFunctions:
    """The functions that speak of claims, for one page."""

    def __init__(self, context: SiteContext, page: str) -> None:
        """Make the functions for *page*, a path below docs/."""
        self._context, self._page, self._root = context, page, root_of(page)
        self._board, self._claims = context.board, context.board.claims
        self._first = next((cell.key for cell in context.site.cells()), None)
        """What pages begin with."""

    def board(self) -> Markup:
        """Return the board of verdicts: a row a claim, a square a build."""
        return board(self._context, self._page)

    def verdict(self, claim: str) -> str:
        """Put into words what is decided of a claim, or a part of it ("S4.2c"): "holds (undecided on 3.11)"."""
        return self._board.answer(claim) or NOT_MEASURED

    def claim_list(self) -> Markup:
        """Return a list of all claims but the widely quoted; the search finds each on the page of its source."""
        claims = [claim for claim in self._claims.claims if not is_quoted(claim.source)]
        return fragment("claim_list.html", cited={}, **self._listed(claims))

    def quoted_list(self) -> Markup:
        """Return a list of the claims that are widely quoted, each with its source."""
        claims = [claim for claim in self._claims.claims if is_quoted(claim.source)]
        cited = {claim.source: self._claims.sources[claim.source] for claim in claims}
        return fragment("claim_list.html", cited=cited, **self._listed(claims))

    def _listed(self, claims: Sequence[Claim]) -> dict[str, object]:
        """Return what a list has of each claim: what is decided on all builds, and the square of the first."""
        said = {claim.id: self.verdict(claim.id) for claim in claims}
        shown = [cell for cell in self._board.cells if cell == self._first]
        marks = {claim.id: of.marks for claim in claims for of in self._board.row(claim, shown)}
        build = shown[0].build if shown else ""
        shared = {"legend": LEGEND, "root": self._root}
        return {"claims": claims, "said": said, "marks": marks, "build": build, **shared}

    def differences(self) -> Markup:
        """Return the claims that the builds of the current machine decide differently: without the GIL, and others."""
        cells = self._board.current_cells()
        found: dict[str, list[tuple[ClaimPart, str]]] = {kind: [] for kind in DIFFERING}
        for each in self._board.differences(cells):
            found[DIFFERING[each.verdicts_with_gil]].append((each.part, self._board.part_answer(each.part, cells)))
        return fragment(
            "differences.html",
            has_cells=bool(cells),
            has_free_threaded=any(is_free_threaded(cell.build) for cell in cells),
            found=found,
            root=self._root,
        )

    def verdicts(self, source: str) -> Markup:
        """Return every claim of a source: what it says, what was measured, its bounds, and a card for each build."""
        verdicts = self._board
        claims = [self._of_claim(claim) for claim in verdicts.claims_from(self._known(source))]
        faults = [fault for fault in verdicts.faults if fault.source == source]
        return fragment(
            "source_verdicts.html",
            claims=claims,
            faults=faults,
            built=how_they_were_built(self._plain_cells()),
            root=self._root,
            contradiction=describe_contradiction,
            machine_name=self._context.site.machine_name,
            said=describe_verdict,
        )

    def _plain_cells(self) -> Iterator[Result]:
        """Yield the results that the current machine's columns are of."""
        judged = {*self._board.current_cells()}
        return (cell for cell in self._context.site.cells() if cell.key in judged)

    def _of_claim(self, claim: Claim) -> dict[str, object]:
        """Return what a source's page has of a claim: the card of the build that pages begin with, then the newest.

        Builds on which none of it was measured are named once, below its parts.
        """
        board = self._board
        cells = board.current_cells()
        newest_first = reversed(board.row(claim, cells))
        row = sorted(newest_first, key=lambda verdict: verdict.cell != self._first)
        measured = [each for each in row if not _is_unmeasured(each)]
        unmeasured = [each for each in row if _is_unmeasured(each)]
        return {
            "claim": claim,
            "printed": _whole(dict.fromkeys(map(describe_printed, board.parts[claim.id]))),
            "parts": [
                {
                    "part": part,
                    "answer": board.part_answer(part, cells),
                    "load": _load_words(board.part_row(part, cells)),
                    "finding": board.finding(part.id, self._first),
                }
                for part in board.parts[claim.id]
            ],
            "answer": board.answer(claim.id),
            "packages": _other_packages(verdict for each in board.row(claim, cells) for verdict in each.parts),
            "measured": measured,
            "unmeasured": unmeasured,
            "why_unmeasured": _why_unmeasured(unmeasured),
        }

    def remeasured(self, source: str) -> Markup:
        """Return the tables of a source: what it printed, and next to it what we measured."""
        cited, tables = self._claims.sources[self._known(source)], self._claims.tables.get(source, ())
        measured = [(table, self._cells_of(table)) for table in tables]
        cells = {cell.key: cell for _, found in measured for _, cell in found}
        shared = next(iter(cells.values())) if len(cells) == 1 else None
        facts = {"measured": self._measured, "shared": shared, "is_measured": bool(cells), "cited": cited}
        return fragment("source_tables.html", tables=measured, **facts)

    def _cells_of(self, table: Table) -> list[tuple[str, Result]]:
        """Return the results that a source's table has figures of, each once, with the scenarios' titles."""
        site, cells, titles = self._context.site, {}, defaultdict(list)
        figures = [figure for row in table.row for figure in row.cells if figure.scenario in site.scenarios]
        for figure in figures:
            if cell := site.first(figure.scenario, figure.case):
                cells[cell.key] = cell
                titles[cell.key].append(site.scenarios[figure.scenario].title)
        return [(list_names([*dict.fromkeys(titles[key])]), cell) for key, cell in cells.items()]

    def _measured(self, figure: TableCell) -> str:
        """Return what was measured for a figure of the source; empty if it names no scenario."""
        if not figure.scenario:
            return ""
        site = self._context.site
        try:
            metric = metric_of(figure, site.scenarios).name
        except MistakeError:  # the board reports it
            return NOT_MEASURED
        first = site.first(figure.scenario, figure.case)
        row = site.row(first, figure.scenario, figure.case, figure.runner, metric) if first else None
        if row is None:
            return NOT_MEASURED
        return format_with_range(row.value, row.unit) if row.value else strip_markup(row.reason or row.status)

    def source(self, name: str) -> str:
        """Return how a source is cited."""
        return self._claims.citation(self._known(name))

    def source_list(self) -> Markup:
        """Return a table of the sources, each with a link to its page, as Markdown for a page beside them.

        Those that are widely quoted stand in a list of their own.
        """
        row = Markup("| {} | [{}]({}.md) |")
        alone = {name: source for name, source in self._claims.sources.items() if not is_quoted(name)}
        rows = [row.format(self.source(name), source.subject, name) for name, source in alone.items()]
        return Markup("\n").join([Markup("| source | re-measured |"), Markup("|---|---|"), *rows])

    def _known(self, source: str) -> str:
        """Return the id of a source. Raises UnknownNameError, which lists what there is."""
        return select(self._claims.sources, [source], "source")[0]


def _is_unmeasured(verdict: ClaimVerdict) -> bool:
    """True if no part of a claim was measured on a build."""
    return not any(part.evidence for part in verdict.parts)


def _why_unmeasured(row: Iterable[ClaimVerdict]) -> str:
    """Put into words what a claim is on builds on which no part of it has a value: "not measured or does not apply"."""
    said = {part.verdict for verdict in row for part in verdict.counting_parts}
    return " or ".join(word for word in ("not measured", "does not apply") if word in said)


def _other_packages(verdicts: Iterable[PartVerdict]) -> list[str]:
    """Name the builds that decide by other versions of packages than the reference build, and these versions."""
    others: dict[str, set[str]] = defaultdict(set)
    for verdict in verdicts:
        if verdict.evidence and verdict.verdict in DECIDED:
            view = verdict.evidence.newest.view
            series = filter(None, map(view.series.get, verdict.evidence.hypothesis.series))
            others[verdict.cell.build].update(*((view.other_versions(each) or "").split("; ") for each in series))
    builds: dict[str, list[str]] = defaultdict(list)
    for build, names in others.items():
        if different := "; ".join(sorted(filter(None, names))):
            builds[different].append(describe_build(build))
    return [f"On {list_names_briefly(named)} packages differ too: {names}." for names, named in builds.items()]


def _load_words(row: Iterable[PartVerdict]) -> str:
    """Say on which builds the load generator may be part of what was measured; empty if on none."""
    shares = {
        verdict.cell.build: share
        for verdict in row
        if verdict.evidence and verdict.verdict in DECIDED and (share := verdict.evidence.load_share)
    }
    if not shares:
        return ""
    builds, most = list_names_briefly([*map(describe_build, shares)]), format_share(max(shares.values()))
    return (
        f"The load generator used up to {most} of a core ({builds}): near its limit of "
        f"{format_share(BUSY_LOAD_SHARE)} servers look alike, so that a ratio may lie too near 1."
    )


def _whole(words: Collection[str]) -> list[str]:
    """Return what was printed, without what another begins with."""
    return [each for each in words if each and not any(other != each and other.startswith(each) for other in words)]
