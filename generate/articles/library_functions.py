"""The function of hand-written pages that sets releases of a library beside each other: did they change an answer?"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

from markupsafe import Markup
from packaging.version import Version

from generate.analysis.selection import CellResult
from generate.articles.build_functions import scenario_named
from generate.claims.answers import number_words
from generate.pages.short_answer import value_words
from generate.pages.templates import fragment, root_of
from generate.statistics.noise import Finding, finding_of
from generate.text.hosted_machines import known
from generate.text.names import listed_briefly
from generate.text.numbers import say
from generate.text.units import kind_of_metric
from runners.harness.record.model import SeriesKey

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from generate.analysis.summary import Summary
    from generate.pages.context import SiteContext


class LibraryRelease(NamedTuple):
    """What was measured of a runner with one release of a library."""

    version: str
    cell: CellResult
    row: Summary
    beside: str
    """How it compares with the release that builds have as a rule, in the same run; empty of that one itself."""
    is_other: bool
    """Whether it differs from that by more than the noise."""
    against: str
    """How it compares with the baseline of its block."""

    @property
    def value(self) -> str:
        """Its median with the interval, or why there is none."""
        return value_words(self.row)

    @property
    def way(self) -> int | None:
        """Whether it is beyond the noise below the baseline (-1), above it (1) or neither (0); None where not known."""
        if self.row.ratio is None or self.row.against_baseline is None:
            return None
        is_beyond = finding_of(self.row.against_baseline, self.row.noise) is Finding.BEYOND
        return (1 if self.row.ratio > 1 else -1) if is_beyond else 0


class LibraryFunctions:
    """The functions that speak of libraries, for one page."""

    def __init__(self, context: SiteContext, page: str) -> None:
        """Make them for *page*, a path below docs/."""
        self._site, self._page = context.site, page

    def releases(self, package: str, scenario: str, case: str, runner: str) -> Markup:
        """Return a table of *runner* with each release of *package* that one run measured, the newest first.

        Before it in words: whether a release changed what was measured, and whether it changed the answer, which is how
        the runner compares with the baseline. Where no other release was measured, the command that measures one.
        """
        chosen = scenario_named(self._site, scenario, case, runner)
        place = scenario, case, runner
        others = [cell for cell in self._site.beside_each_other(scenario, case) if _other_release(cell, package)]
        twin = others[-1].gated.twin if others else None
        usual = self._release(CellResult.of(twin), package, place) if twin else None
        found = [self._release(cell, package, place) for cell in others if _twin_path(cell) == _twin_path(others[-1])]
        measured = _newest_first(release for release in found if release)
        if usual is None or not measured:
            return _command(package, scenario)
        names = {name: each.words for name, each in chosen.runners.items()}
        baseline = names[chosen.baseline_of(chosen.block_of(case))[1]]
        return fragment(
            "releases.html",
            answer=_answer(measured, usual, baseline),
            others=_other_packages(measured, package),
            caption=f"{chosen.title}, {case}: {names[runner]} with each release of {package}",
            heads=(package, chosen.metrics[0].title, f"Against {usual.version}", f"Against {baseline}"),
            releases=_newest_first([usual, *measured]),
            cell=usual.cell,
            elsewhere=self._elsewhere(usual, package, place),
            root=root_of(self._page),
        )

    def _elsewhere(self, usual: LibraryRelease, package: str, place: tuple[str, str, str]) -> str:
        """Say which run and value other pages quote of the build of *usual*; empty where those are of the table.

        Times of two runs differ, so a reader would take one of them for an error.
        """
        alike = (cell for cell in self._site.beside_each_other(*place[:2]) if cell.cell == usual.cell.cell)
        cell = next((cell for cell in alike if cell.file.path != usual.cell.file.path), None)
        row = self._site.value(cell, *place, usual.row.metric) if cell else None
        if cell is None or row is None or package not in cell.record.packages:
            return ""
        version, began = cell.record.packages[package].version, cell.record.run.started[:10]
        quoted = f"Other pages quote the run of {began}, which had {value_words(row)} with {package} {version}"
        outside = _outside(usual.row, row)
        return f"{quoted}{outside and f'. {outside}'}: compare values of one table alone."

    def _release(self, cell: CellResult, package: str, place: tuple[str, str, str]) -> LibraryRelease | None:
        """Return what a cell measured; None where it has no such series, or the package is of no known version."""
        series = cell.gated.view.series.get(SeriesKey(*place, "subject"))
        version = cell.record.packages[package].version if package in cell.record.packages else None
        if series is None or version is None:
            return None
        metric = cell.gated.view.metrics(series)[0]
        row = self._site.row(cell, *place, metric.name)
        if row is None:
            return None
        kind = kind_of_metric(metric)
        beside = cell.gated.beside_twin(series, metric) if cell.record.build.variant else None
        noise = cell.gated.noise_beside_twin(series, metric)
        is_other = beside is not None and finding_of(beside, noise) is Finding.BEYOND
        words = say(beside, kind, noise) if cell.record.build.variant else ""
        return LibraryRelease(version, cell, row, words, is_other, say(row.against_baseline, kind, row.noise))


def _outside(here: Summary, elsewhere: Summary) -> str:
    """Say where the run of a table lies outside the range of the runs that *elsewhere* stands among; empty if inside.

    A reader would take their range for what this build does in any run.
    """
    numbers = (("value", here.median, elsewhere.values_of_runs), ("ratio", here.ratio, elsewhere.ratios_of_runs))
    beyond = [name for name, own, runs in numbers if runs and own is not None and not runs.low <= own <= runs.high]
    if not beyond:
        return ""
    lies = "lies outside the range" if len(beyond) == 1 else "lie outside the ranges"
    return f"The {' and the '.join(beyond)} here {lies} of {elsewhere.runs} runs there"


def _other_packages(releases: Iterable[LibraryRelease], package: str) -> str:
    """Say which packages other than *package* had another version with *releases*; empty where none had.

    A release may need an older one of another library, and a difference may then be of that.
    """
    with_it: dict[str, list[str]] = defaultdict(list)
    for release in releases:
        named = (release.row.other_packages or "").split("; ")
        if others := [each for each in named if each and not each.startswith(f"{package} ")]:
            with_it["; ".join(others)].append(release.version)
    said = (f"with {package} {listed_briefly(versions)}, {others}" for others, versions in with_it.items())
    return f"Other packages differ too: {'; '.join(said)}." if with_it else ""


def _newest_first(releases: Iterable[LibraryRelease]) -> list[LibraryRelease]:
    return sorted(releases, key=lambda release: Version(release.version), reverse=True)


def _other_release(cell: CellResult, package: str) -> bool:
    """Say whether a cell's build differs from the plain one of its run by a release of *package* alone."""
    variant = cell.record.build.variant
    return len(variant) == 1 and variant[0].startswith(f"{package} ") and bool(_twin_path(cell))


def _twin_path(cell: CellResult) -> str:
    """Return the path of the file of the plain build beside which a variant was measured; empty where none was."""
    return cell.gated.twin.file.path if cell.gated.twin else ""


def _command(package: str, scenario: str) -> Markup:
    python = known().reference
    measure = f"python -m runners run --profile full --scenario {scenario} --python {python} --python {python}"
    return Markup('<p class="note">Not measured yet: <code>{}+{}==VERSION</code></p>').format(measure, package)


def _answer(others: Sequence[LibraryRelease], usual: LibraryRelease, baseline: str) -> str:
    """Say whether a release changed what was measured, and whether it changed how that compares with *baseline*.

    Where some releases differ from the baseline and others do not, but none from another beyond the noise, that is no
    change of the answer: it is too close to call.
    """
    changed = [release.version for release in others if release.is_other]
    if changed:
        first = f"{listed_briefly(changed)} {'differs' if len(changed) == 1 else 'differ'} from {usual.version}"
    elif len(others) == 1:
        first = f"{others[0].version} does not differ from {usual.version} by more than the noise"
    else:
        many = f"the {number_words(len(others))} other releases"
        first = f"None of {many} differs from {usual.version} by more than the noise"
    every = (usual, *others)
    decided, open_ = ([each.version for each in every if is_so(each.way)] for is_so in (bool, lambda way: way == 0))
    if len({each.way for each in every if each.way}) > 1:
        return f"{first}. How it compares with “{baseline}” depends on the release."
    if decided and open_ and not changed:
        sides = f"beyond the noise with {listed_briefly(decided)}, not with {listed_briefly(open_)}"
        return f"{first}. Against “{baseline}” it is close: {sides}. So no release is seen to change the answer."
    if decided and open_:
        seen = f"the difference is beyond the noise with {listed_briefly(decided)}"
        return f"{first}. Against “{baseline}”, {seen}; with {listed_briefly(open_)} it is not."
    return f"{first}. The answer stays the same; against “{baseline}”, with {usual.version}: {usual.against}."
