"""The functions of hand-written pages that name builds, or set a variant beside the plain build."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from markupsafe import Markup

from generate.pages.outcome import gain_words
from generate.pages.short_answer import why_no_value
from generate.text.builds import build_words, how_optimised
from generate.text.hosted_machines import known
from generate.text.names import is_prerelease
from generate.text.numbers import NOT_MEASURED, counted, say
from generate.text.units import kind_of_metric
from runners.harness.catalogue.scenarios import select
from runners.harness.record.build_names import build_name, release
from runners.harness.record.model import SeriesKey

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from generate.analysis.collection import CurrentResults
    from generate.analysis.selection import CellResult
    from generate.pages.context import SiteContext
    from runners.harness.catalogue.scenarios import Scenario
    from runners.harness.contract import Metric
    from runners.harness.record.model import Build, Series

Difference = Literal["jit", "optimisation"]
"""What distinguishes a variant: its just-in-time compiler is on, or it was compiled otherwise."""
MEASURED_BY: Mapping[Difference, str] = {"jit": "{}+PYTHON_JIT=1", "optimisation": "unoptimised=/path/to/python3"}
"""How a command asks for one, of a Python."""


class BuildFunctions:
    """The functions that speak of builds, for one page."""

    def __init__(self, context: SiteContext, page: str) -> None:
        """Make them for *page*, a path below docs/; what they return is the same for all."""
        del page
        self._site = context.site

    def free_threaded(self, scenario: str) -> str:
        """Return the newest build without the GIL that the current machine has *scenario* of; empty where none is."""
        found = self._plain(scenario, free_threaded=True)
        return _newest(found).build if found else ""

    def with_gil(self, scenario: str) -> str:
        """Return the current build of *scenario*, where it has a GIL; else the newest that has; or nothing."""
        found = self._plain(scenario, free_threaded=False)
        current = next(iter(self._site.current[scenario]), None)
        return (current if current in found else _newest(found)).build if found else ""

    def against_gil(self, scenario: str, case: str, runner: str, baseline: str, metric: str | None = None) -> str:
        """Say how *runner* without the GIL compares with *baseline* with it: in one run, paired by round.

        Of the newest build without the GIL and the same Python with it; by the first metric if none is named.
        """
        chosen = metric_named(scenario_named(self._site, scenario, case, runner, baseline), metric)
        found = self._plain(scenario, free_threaded=True)
        if not found:
            return NOT_MEASURED
        return self._beside_twin(_newest(found), (scenario, case, runner), baseline, chosen)

    def gains_without_gil(self, scenario: str, case: str, runner: str, baseline: str) -> str:
        """Say whether *runner* without the GIL gains over *baseline* with it: yes, no, or that it is not decided."""
        metric = metric_named(scenario_named(self._site, scenario, case, runner, baseline))
        cells = self._plain(scenario, free_threaded=True)
        if not cells:
            return NOT_MEASURED
        cell = _newest(cells)
        series = self._found(cell, (scenario, case, runner), metric)
        if isinstance(series, str):
            return series
        gated = cell.gated
        compared = gated.beside_twin(series, metric, baseline)
        if compared is None:
            return NOT_MEASURED
        runs = self._site.runs_beside_gil(cell, series, metric, baseline)
        return gain_words(compared, gated.noise_beside_twin(series, metric), metric, runs)

    def reference_version(self) -> str:
        """Return the version of the reference build of published results: what is to be compared with them needs it."""
        published = (cell for cell in self._site.cells() if not cell.file.local)
        found = next(published, None)
        return found.record.reference_build.version if found else known().reference

    def against_reference(self, version: str, scenario: str, case: str, runner: str) -> str:
        """Say how *runner* on the plain build of *version*, as "3.13", compares with itself on the reference build.

        In one run, paired by round: "CPython 3.13.15 against CPython 3.14.7: 1.98 times as fast (1.90 to 2.13)".
        """
        metric = metric_named(scenario_named(self._site, scenario, case, runner))
        cells = self._plain(scenario, free_threaded=False)
        cell = next((cell for cell in cells if release(cell.record.build.version) == version), None)
        row = self._site.row(cell, scenario, case, runner, metric.name) if cell else None
        if cell is None or row is None or row.against_reference is None or cell.gated.is_reference:
            return NOT_MEASURED
        reference = build_words(build_name(cell.record.reference_build))
        compared = say(row.against_reference, kind_of_metric(metric), row.noise)
        return f"{build_words(cell.build)} against {reference}: {compared}"

    def refused_on(self, scenario: str, case: str) -> str:
        """Say on how many of the current machine's builds the sanity gate refused some series of *case*."""
        scenario_named(self._site, scenario, case)
        beside = self._site.beside_each_other(scenario, case)
        cells = [cell for cell in beside if not cell.record.build.variant]
        if not cells:
            return NOT_MEASURED
        own = [{key[:2] for key in cell.gated.refused if key.role != "reference"} for cell in cells]
        refused = sum((scenario, case) in of_cell for of_cell in own)
        if refused == len(cells):
            return f"on {'all ' if cells[1:] else ''}{counted(len(cells), 'build')}"
        return f"on {refused or 'none'} of {counted(len(cells), 'build')}"

    def variants(self, differ_by: Difference, scenario: str, case: str, *runners: str) -> Markup:
        """Return a list of the variants that *differ_by* this from the plain build of their version in the same run.

        Each with how the runners compare with the same on the plain build, paired by round. Where there is none, the
        command that measures one.
        """
        metric = metric_named(scenario_named(self._site, scenario, case, *runners))
        rows = [
            Markup("{}, {}:{}").format(
                build_words(cell.build),
                how_optimised(cell.record.build),
                _listed(
                    f"{self._words(scenario, name)}: {self._beside_twin(cell, (scenario, case, name), name, metric)}"
                    for name in runners
                ),
            )
            for cell in self._differing(differ_by, scenario)
        ]
        if rows:
            return _listed(rows)
        python = known().reference
        pythons = f"--python {python} --python {MEASURED_BY[differ_by].format(python)}"
        command = f"python -m runners run --profile full --scenario {scenario} {pythons}"
        return Markup('<p class="note">Not measured yet: <code>{}</code></p>').format(command)

    def _beside_twin(self, cell: CellResult, place: tuple[str, str, str], runner: str, metric: Metric) -> str:
        """Say how a series compares with *runner* on the twin of its build; or why it has no value."""
        series = self._found(cell, place, metric)
        if isinstance(series, str):
            return series
        noise = cell.gated.noise_beside_twin(series, metric)
        runs = self._site.runs_beside_gil(cell, series, metric, runner)
        return say(cell.gated.beside_twin(series, metric, runner), kind_of_metric(metric), noise, runs)

    def _found(self, cell: CellResult, place: tuple[str, str, str], metric: Metric) -> Series | str:
        """Return a series; or in words why it has no value of *metric*."""
        series = cell.gated.view.series.get(SeriesKey(*place, "subject"))
        if series is None:
            return NOT_MEASURED
        return why_no_value(self._site.row(cell, *place, metric.name)) or series

    def _words(self, scenario: str, runner: str) -> str:
        return self._site.scenarios[scenario].runners[runner].words

    def _differing(self, differ_by: Difference, scenario: str) -> Iterator[CellResult]:
        """Go through the variants of the current machine that differ so from their twins, in order of build."""
        for cell in self._site.beside_each_other(scenario):
            twin = cell.gated.twin if cell.record.build.variant else None
            if twin is not None and _differ(differ_by, cell.record.build, twin.file.record.build):
                yield cell

    def _plain(self, scenario: str, *, free_threaded: bool) -> list[CellResult]:
        """Return the current machine's cells of plain builds without the GIL, or of those with one, in order."""
        scenario_named(self._site, scenario)
        builds = [(cell, cell.record.build) for cell in self._site.beside_each_other(scenario)]
        return [cell for cell, build in builds if build.free_threaded is free_threaded and not build.variant]


def _newest(cells: Sequence[CellResult]) -> CellResult:
    """Return the newest of *cells*, which are in order: of a release, where there is one, before any pre-release."""
    return ([cell for cell in cells if not is_prerelease(cell.build)] or cells)[-1]


def scenario_named(site: CurrentResults, scenario: str, case: str | None = None, *runners: str) -> Scenario:
    """Check the names and return the scenario. Raises UnknownNameError, which lists what there is."""
    select(site.scenarios, [scenario], "scenario")
    chosen = site.scenarios[scenario]
    select(chosen.cases, [case] if case is not None else [], f"case of {scenario}")
    select(chosen.runners, runners, f"runner of {scenario}")
    return chosen


def metric_named(scenario: Scenario, metric: str | None = None) -> Metric:
    """Return a metric of *scenario*, the first if none is named. Raises UnknownNameError, which lists what there is."""
    metrics = {known.name: known for known in scenario.metrics}
    return metrics[select(metrics, [metric] if metric else [], f"metric of {scenario.name}")[0]]


def _listed(items: Iterable[str]) -> Markup:
    return Markup("<ul>{}</ul>").format(Markup().join(Markup("<li>{}</li>").format(item) for item in items))


def _differ(by: Difference, build: Build, plain_build: Build) -> bool:
    """Say whether builds differ by this alone."""
    has_jit = build.jit is True and not plain_build.jit
    is_compiled_otherwise = (build.pgo, build.lto) != (plain_build.pgo, plain_build.lto)
    return has_jit and not is_compiled_otherwise if by == "jit" else is_compiled_otherwise and not has_jit
