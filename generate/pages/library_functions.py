"""The function of hand-written pages that sets releases of a library beside each other: did they change an answer?"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

from markupsafe import Markup
from packaging.version import Version

from generate.pages.build_functions import scenario_named
from generate.pages.scenario import why_no_value
from generate.pages.templates import fragment, root_of
from generate.words.machines import hosted_matrix
from generate.words.names import list_names_briefly
from generate.words.numbers import describe, format_with_range, outcome
from generate.words.units import kind_of_metric
from runners.harness.record.model import SeriesKey

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from generate.data.estimates import Estimate
    from generate.data.selection import Result
    from generate.data.table import Summary
    from generate.pages.context import SiteContext
    from generate.words.units import Kind


class LibraryRelease(NamedTuple):
    """A runner with one release of a library."""

    version: str
    row: Summary
    kind: Kind
    against_usual: Estimate | None = None
    """Its ratio to the release that builds have as a rule; None for that one itself."""

    @property
    def value(self) -> str:
        """Its value with the range, or why there is none."""
        return why_no_value(self.row) or format_with_range(self.row.value, self.row.unit)

    @property
    def beside(self) -> str:
        """How it compares with the usual release."""
        return describe(self.against_usual, self.kind) if self.against_usual else ""

    @property
    def against(self) -> str:
        """How it compares with the baseline of its block."""
        return describe(self.row.ratio, self.kind)


class LibraryFunctions:
    """The functions that compare libraries, for one page."""

    def __init__(self, context: SiteContext, page: str) -> None:
        """Make them for *page*, a path below docs/."""
        self._site, self._page = context.site, page

    def releases(self, package: str, scenario: str, case: str, runner: str) -> Markup:
        """Return a table of *runner* with each measured release of *package*, the newest first.

        Above it, whether a release changed what was measured, and whether it changed the answer, which is how the
        runner compares with the baseline. Without another release, the command that measures one.
        """
        chosen = scenario_named(self._site, scenario, case, runner)
        place = scenario, case, runner
        plain = self._site.first(scenario, case)
        beside = self._site.on_one_machine(scenario, case)
        others = [cell for cell in beside if plain and _is_other_release(cell, package, plain)]
        usual = self._release(plain, package, place) if plain else None
        found = [each for cell in others if (each := self._release(cell, package, place))]
        measured = sorted(found, key=lambda release: Version(release.version), reverse=True)
        if plain is None or usual is None or not measured:
            return _command(package, scenario)
        names = {name: each.words for name, each in chosen.runners.items()}
        baseline = names[chosen.baseline_of(chosen.block_of(case))[1]]
        return fragment(
            "releases.html",
            answer=_answer(measured, usual, baseline),
            others=_other_packages(measured, package),
            caption=f"{chosen.title}, {case}: {names[runner]} with each release of {package}",
            heads=(package, chosen.metrics[0].title, f"Against {usual.version}", f"Against {baseline}"),
            releases=sorted([usual, *measured], key=lambda release: Version(release.version), reverse=True),
            cell=plain,
            root=root_of(self._page),
        )

    def _release(self, cell: Result, package: str, place: tuple[str, str, str]) -> LibraryRelease | None:
        """Return what a result has; None without the series, or if the package's version is not known."""
        found = cell.record.packages.get(package)
        scenario, case, runner = place
        metric = self._site.scenarios[scenario].metrics[0]
        row = self._site.row(cell, *place, metric.name)
        if found is None or found.version is None or row is None:
            return None
        key = SeriesKey(scenario, case, runner, "subject")
        usual = cell.against_counterpart(key, metric) if cell.record.build.variant else None
        return LibraryRelease(found.version, row, kind_of_metric(metric), usual)


def _other_packages(releases: Iterable[LibraryRelease], package: str) -> str:
    """Name the other packages that have another version with some of *releases*; empty if none has.

    A release may need an older one of another library, and a difference may then be due to that.
    """
    with_it: dict[str, list[str]] = defaultdict(list)
    for release in releases:
        named = (release.row.other_packages or "").split("; ")
        if others := [each for each in named if each and not each.startswith(f"{package} ")]:
            with_it["; ".join(others)].append(release.version)
    parts = (f"with {package} {list_names_briefly(versions)}, {others}" for others, versions in with_it.items())
    return f"Other packages differ too: {'; '.join(parts)}." if with_it else ""


def _is_other_release(cell: Result, package: str, plain: Result) -> bool:
    """True if a build differs from *plain*, beside which it was measured, by a release of *package* only."""
    variant, counterpart = cell.record.build.variant, cell.newest.counterpart
    is_beside = counterpart is not None and counterpart.file.record.build == plain.record.build
    return len(variant) == 1 and variant[0].startswith(f"{package} ") and is_beside


def _command(package: str, scenario: str) -> Markup:
    python = hosted_matrix().reference
    measure = f"python -m runners run --profile full --scenario {scenario} --python {python} --python {python}"
    return Markup('<p class="note">Not measured yet: <code>{}+{}==VERSION</code></p>').format(measure, package)


def _answer(others: Sequence[LibraryRelease], usual: LibraryRelease, baseline: str) -> str:
    """Say which releases differ from the usual one, and whether the answer is another with them."""
    differing = [
        each.version for each in others if each.against_usual and outcome(each.against_usual) in {"less", "more"}
    ]
    if differing:
        first = f"{list_names_briefly(differing)} {'differs' if len(differing) == 1 else 'differ'} from {usual.version}"
    else:
        first = f"No other release is seen to differ from {usual.version}"
    ways = {outcome(each.row.ratio) for each in (usual, *others) if each.row.ratio}
    if len(ways - {"undecided"}) > 1:
        return f"{first}. How it compares with “{baseline}” depends on the release."
    return f"{first}. The answer stays the same: against “{baseline}”, with {usual.version}, {usual.against}."
