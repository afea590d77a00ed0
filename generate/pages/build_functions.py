"""The functions of hand-written pages that compare builds: without the GIL, older releases, variants."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from markupsafe import Markup

from generate.pages.scenario import why_no_value
from generate.words.builds import describe_build, describe_optimisation
from generate.words.machines import add_article, hosted_matrix
from generate.words.names import strip_markup
from generate.words.numbers import NOT_MEASURED, describe, describe_briefly, outcome
from generate.words.units import kind_of_metric
from runners.harness.catalogue.scenarios import select
from runners.harness.record.build_names import release
from runners.harness.record.model import SeriesKey

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from generate.data.estimates import Estimate
    from generate.data.results import Results
    from generate.data.selection import Result
    from generate.pages.context import SiteContext
    from runners.harness.catalogue.scenarios import Scenario
    from runners.harness.contract import Metric
    from runners.harness.record.model import Build

Difference = Literal["jit", "optimisation"]
"""What distinguishes a variant: its just-in-time compiler is on, or it was compiled otherwise."""
MEASURED_BY: Mapping[Difference, str] = {"jit": "{}+PYTHON_JIT=1", "optimisation": "unoptimised=/path/to/python3"}
"""How a command names one, of a Python."""


class BuildFunctions:
    """The functions that compare builds, for one page. With *brief* they leave out the range, for running text."""

    def __init__(self, context: SiteContext, page: str) -> None:
        """Make them for *page*, a path below docs/; what they return is the same for all."""
        del page
        self._site = context.site

    def against_gil(  # noqa: PLR0913 - what a page may say, by name
        self,
        scenario: str,
        case: str,
        runner: str,
        baseline: str = "",
        metric: str | None = None,
        *,
        brief: bool = False,
    ) -> str:
        """Say how *runner* without the GIL compares with *baseline* with it, which is itself if none is named."""
        chosen = metric_named(scenario_named(self._site, scenario, case, runner, *filter(None, [baseline])), metric)
        cell = self._without_gil(scenario, case)
        if cell is None:
            return NOT_MEASURED
        return self._against_twin(cell, (scenario, case, runner), chosen, baseline, brief=brief)

    def help_without_gil(self, scenario: str, case: str, runner: str, baseline: str) -> str:
        """Return the verb for a plural subject: whether it beats *baseline* with the GIL: "do", "do not", "may"."""
        metric = metric_named(scenario_named(self._site, scenario, case, runner, baseline))
        cell = self._without_gil(scenario, case)
        found = (
            cell.against_counterpart(SeriesKey(scenario, case, runner, "subject"), metric, baseline) if cell else None
        )
        if found is None:
            return "were not measured"
        better = "less" if metric.better == "lower" else "more"
        return {better: "do", "undecided": "may"}.get(outcome(found), "do not")

    def against_older(  # noqa: PLR0913 - as above
        self, version: str, scenario: str, case: str, runner: str, metric: str | None = None, *, brief: bool = False
    ) -> str:
        """Say how *runner* compares with itself on an older Python, as "3.13": "takes 1.9 times as long (1.7 to 2.1)".

        The older one was measured beside the build that pages are about, its reference.
        """
        chosen = metric_named(scenario_named(self._site, scenario, case, runner), metric)
        beside = self._site.with_one_reference(scenario, case)
        older = next((cell for cell in beside if _is_plain(cell.record.build, version)), None)
        first, key = self._site.first(scenario, case), SeriesKey(scenario, case, runner, "subject")
        if older is None or first is None or not first.newest.is_reference:
            return NOT_MEASURED
        found = older.against_reference(key, chosen)
        return _write(found.inverse if found and found.value else None, chosen, brief=brief)

    def reference_version(self) -> str:
        """Return the version of the reference build of published results: to compare with them takes it."""
        found = next((cell for cell in self._site.cells() if not cell.key.local), None)
        return found.record.reference_build.version if found else hosted_matrix().reference

    def variants(self, differ_by: Difference, scenario: str, case: str, *runners: str) -> Markup:
        """Return a list of the variants that *differ_by* this from the plain build of their version in the same runs.

        Each with how the runners compare with the same on the plain build. Without any, the command that measures one.
        """
        metric = metric_named(scenario_named(self._site, scenario, case, *runners))
        rows = [
            Markup("{}, {}, on {}:{}").format(
                describe_build(cell.build),
                describe_optimisation(cell.record.build),
                add_article(strip_markup(cell.machine_name)),
                _listed(
                    f"{self._site.scenarios[scenario].runners[name].words}: "
                    f"{self._against_twin(cell, (scenario, case, name), metric)}"
                    for name in runners
                ),
            )
            for cell in self._differing(differ_by, scenario)
        ]
        if rows:
            return _listed(rows)
        python = hosted_matrix().reference
        pythons = f"--python {python} --python {MEASURED_BY[differ_by].format(python)}"
        command = f"python -m runners run --profile full --scenario {scenario} {pythons}"
        return Markup('<p class="note">Not measured yet: <code>{}</code></p>').format(command)

    def _without_gil(self, scenario: str, case: str) -> Result | None:
        first = self._site.first(scenario, case)
        return self._site.without_gil(first, scenario) if first else None

    def _against_twin(
        self, cell: Result, place: tuple[str, str, str], metric: Metric, baseline: str = "", *, brief: bool = False
    ) -> str:
        """Say how a series compares with *baseline* on the counterpart of its build; or why it has no value."""
        why = why_no_value(self._site.row(cell, *place, metric.name))
        return why or _write(
            cell.against_counterpart(SeriesKey(*place, "subject"), metric, baseline), metric, brief=brief
        )

    def _differing(self, differ_by: Difference, scenario: str) -> Iterator[Result]:
        """Yield the variants that differ so from their plain builds, whatever the machine, in order of build."""
        for cell in sorted(self._site.current[scenario], key=lambda cell: cell.order):
            counterpart = cell.newest.counterpart if cell.record.build.variant else None
            if counterpart is not None and _differ(differ_by, cell.record.build, counterpart.file.record.build):
                yield cell


def scenario_named(site: Results, scenario: str, case: str | None = None, *runners: str) -> Scenario:
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


def _write(found: Estimate | None, metric: Metric, *, brief: bool) -> str:
    return (describe_briefly if brief else describe)(found, kind_of_metric(metric))


def _is_plain(build: Build, version: str) -> bool:
    return release(build.version) == version and not build.free_threaded and not build.variant


def _listed(items: Iterable[str]) -> Markup:
    return Markup("<ul>{}</ul>").format(Markup().join(Markup("<li>{}</li>").format(item) for item in items))


def _differ(by: Difference, build: Build, plain_build: Build) -> bool:
    """True if builds differ by this only."""
    has_jit = build.jit is True and not plain_build.jit
    is_compiled_otherwise = (build.pgo, build.lto) != (plain_build.pgo, plain_build.lto)
    return has_jit and not is_compiled_otherwise if by == "jit" else is_compiled_otherwise and not has_jit
