"""The functions of hand-written pages that write values and ratios: `{{ value("primes", "published", "sync_loop") }}`.

They take no numbers: all read the results. They use the result that pages begin with or, with `gil=False`, the same
Python without the GIL. Unknown names stop the generation with file and line. Known names without data read "not
measured".
"""

from collections.abc import Callable
from typing import Any, NamedTuple

from markupsafe import Markup

from generate.data.estimates import Estimate
from generate.data.files import hosted_matrix
from generate.data.results import Results
from generate.data.selection import JIT, JIT_SWITCH, OPTIMISATION, Result
from generate.data.table import Summary
from generate.pages.pieces import Functions
from generate.pages.scenario import why_no_value
from generate.pages.templates import fragment
from generate.words import patterns
from generate.words.builds import describe_build
from generate.words.machines import add_article, format_ownership
from generate.words.names import is_free_threaded, strip_markup
from generate.words.numbers import describe, describe_briefly, format_estimate, format_with_range, outcome
from generate.words.patterns import NOT_MEASURED
from generate.words.units import Kind, find_kind
from runners.harness.catalogue.scenarios import Scenario, select
from runners.harness.contract import Metric
from runners.harness.errors import UserError
from runners.harness.record.build_names import release
from runners.harness.record.model import Build, SeriesKey

MEASURED_BY = {JIT: f"{{python}}+{JIT_SWITCH}", OPTIMISATION: "unoptimised=/path/to/python3"}
"""How a command names such a variant of a Python."""
MEASURE = "python -m runners run --profile full --scenario"


class NotComparableError(UserError):
    """A page compares series of different blocks."""


def scenario_named(site: Results, scenario: str, case: str | None = None, *runners: str) -> Scenario:
    """Check the names and return the scenario. Raises UnknownNameError, which lists the known ones."""
    select(site.scenarios, [scenario], "scenario")
    chosen = site.scenarios[scenario]
    select(chosen.cases, [case] if case is not None else [], f"case of {scenario}")
    select(chosen.runners, runners, f"runner of {scenario}")
    return chosen


def metric_named(scenario: Scenario, metric: str | None = None) -> Metric:
    """Return a metric of *scenario*, by default its first. Raises UnknownNameError, which lists the known ones."""
    metrics = {each.name: each for each in scenario.metrics}
    return metrics[select(metrics, [metric] if metric else [], f"metric of {scenario.name}")[0]]


class Lookup(NamedTuple):
    """A series and metric that a page names, on one result."""

    site: Results
    result: Result | None
    key: SeriesKey
    metric: Metric
    origin: str = ""
    """Names the build and machine if they are not those that pages begin with: ", on CPython 3.13.15"."""

    @property
    def kind(self) -> Kind:
        return find_kind(self.metric)

    @property
    def row(self) -> Summary | None:
        key, metric = self.key, self.metric.name
        return self.site.row(self.result, key.scenario, key.case, key.runner, metric) if self.result else None

    def write(self, format_: Callable[[Estimate | None, str], str]) -> str:
        """Format its value, or why it has none."""
        value = self.result.estimate(self.key, self.metric) if self.result else None
        return why_no_value(self.row) or format_(value, self.metric.unit) + self.origin * (value is not None)

    def word(self, ratio: Estimate | None, *, brief: bool = False) -> str:
        """Format a ratio of it, or why there is none."""
        words = (describe_briefly if brief else describe)(ratio, self.kind)
        return why_no_value(self.row) or words + self.origin * (ratio is not None)

    def over(self, baseline: str | None) -> Estimate | None:
        """Return its ratio to a runner, or "case/runner", of the same block; by default to the block's baseline."""
        scenario = self.site.scenarios[self.key.scenario]
        block = scenario.find_block(self.key.case)
        case, runner = scenario.find_baseline(block)
        if baseline is not None:
            other_case, _, runner = baseline.rpartition("/")
            case = other_case or self.key.case
            scenario_named(self.site, scenario.name, case, runner)
        if scenario.find_block(case) != block:
            msg = f"{case!r} and {self.key.case!r} are not measured in one block, so they can't be paired by round"
            raise NotComparableError(msg)
        other = self.key._replace(case=case, runner=runner)
        return self.result.ratio(self.key, other, self.metric) if self.result else None

    def over_counterpart(self, baseline: str = "") -> Estimate | None:
        """Return its ratio to itself, or to the runner *baseline*, on the counterpart of its build."""
        scenario_named(self.site, self.key.scenario, self.key.case, *filter(None, [baseline]))
        return self.result.against_counterpart(self.key, self.metric, baseline) if self.result else None


class Values(Functions):
    def value(self, scenario: str, case: str, runner: str, metric: str | None = None, *, gil: bool = True) -> str:
        """Format a value with its range. `value("primes", "published", "sync_loop")`: "1.3 s (1.2 to 1.5 s)"."""
        return self._look_up(scenario, case, runner, metric, gil=gil).write(format_with_range)

    def number(self, scenario: str, case: str, runner: str, metric: str | None = None, *, gil: bool = True) -> str:
        """Format a value without its range. `number("primes", "published", "sync_loop")`: "1.3 s"."""
        return self._look_up(scenario, case, runner, metric, gil=gil).write(format_estimate)

    def times(  # noqa: PLR0913 - what a page may name
        self,
        scenario: str,
        case: str,
        runner: str,
        baseline: str | None = None,
        metric: str | None = None,
        *,
        gil: bool = True,
        brief: bool = False,
    ) -> str:
        """Compare a runner with a baseline. `times("primes", "published", "threads", "loop")`: "2.6 times as fast (…)".

        The baseline is a runner of the same case, "case/runner" of the same block, or, by default, the block's own.
        """
        lookup = self._look_up(scenario, case, runner, metric, gil=gil)
        return lookup.word(lookup.over(baseline), brief=brief)

    def ratio(self, *names: str, **options: Any) -> str:  # noqa: ANN401 - passed to `times`
        """Compare without the range. `ratio("primes", "published", "threads", "loop")`: "2.6 times as fast"."""
        return self.times(*names, **options, brief=True)

    def help(self, scenario: str, case: str, runner: str, baseline: str | None = None, *, gil: bool = True) -> str:
        """Format whether a runner beats its baseline: "help", "do not help". `help("primes", "published", "threads")`.

        With `gil=False` the runner is without the GIL, and its baseline, by name, with it.
        """
        lookup = self._look_up(scenario, case, runner, gil=gil)
        ratio = lookup.over(baseline) if gil else lookup.over_counterpart(baseline or "")
        if ratio is None:
            return patterns.MODELS_HELP["not measured"]
        better = "less" if lookup.metric.better == "lower" else "more"
        return patterns.MODELS_HELP[{better: "better", "undecided": "undecided"}.get(outcome(ratio), "not better")]

    def against_gil(  # noqa: PLR0913 - what a page may name
        self,
        scenario: str,
        case: str,
        runner: str,
        baseline: str = "",
        metric: str | None = None,
        *,
        brief: bool = False,
    ) -> str:
        """Compare a runner without the GIL with itself, or *baseline*, with it. `against_gil("primes", …, "loop")`."""
        lookup = self._look_up(scenario, case, runner, metric, gil=False)._replace(origin="")
        return lookup.word(lookup.over_counterpart(baseline), brief=brief)

    def against_older(self, version: str, scenario: str, case: str, runner: str, metric: str | None = None) -> str:
        """Compare a runner on the reference build with itself on an older one. `against_older("3.13", "primes", …)`."""
        lookup = self._look_up(scenario, case, runner, metric)
        siblings = self._site.with_one_reference(scenario, case)
        older = next((each for each in siblings if _is_plain(each.record.build, version)), None)
        is_older = older and any(each.newest.is_reference and each.order[:2] > older.order[:2] for each in siblings)
        ratio = older.against_reference(lookup.key, lookup.metric) if older and is_older else None
        return describe(ratio.inverse if ratio and ratio.value else None, lookup.kind)

    def values_by_build(self, *series: tuple[str, str, str, str], free_threaded: bool = False) -> Markup:
        """List the builds with a value. `values_by_build(("", "power", "published", "greenlets"))`.

        Each series has a label (or ""), scenario, case and runner; with *free_threaded* only builds without the GIL.
        """
        lookups = [(words, self._look_up(*names)) for words, *names in series]
        places = dict.fromkeys((lookup.key.scenario, lookup.key.case) for _, lookup in lookups)
        by_place = {place: {each.build: each for each in self._site.machine_results(*place)} for place in places}
        builds = {name: each.order for results in by_place.values() for name, each in results.items()}
        rows: list[tuple[str, str]] = []
        for build in sorted(builds, key=lambda name: builds[name]):
            if free_threaded and not is_free_threaded(build):
                continue
            at = [(w, each._replace(result=by_place[each.key[:2]].get(build), origin="")) for w, each in lookups]
            values = [(words, each.write(format_with_range)) for words, each in at]
            if any(value != NOT_MEASURED for _, value in values):
                rows.append((build, "; ".join(f"{words}: {value}" if words else value for words, value in values)))
        return fragment("values_by_build.html", rows=rows)

    def reference_version(self) -> str:
        """Return the version of the published results' reference build. `reference_version()`."""
        published = next((each for each in self._site.results if not each.key.local), None)
        return published.record.reference_build.version if published else hosted_matrix().reference

    def variants(self, differ_by: str, scenario: str, case: str, *runners: str) -> Markup:
        """Compare variants with the plain build of their version. `variants("jit", "primes", "published", …)`.

        They differ by "jit", "optimisation" or a release of a package. Without any, show the command that measures one.
        """
        metric = metric_named(scenario_named(self._site, scenario, case, *runners))
        names = self._site.scenarios[scenario].runners
        differing = [result for result in self._site.current[scenario] if result.differs_only_by(differ_by)]
        rows = []
        for result in sorted(differing, key=lambda each: each.order):
            lookups = [
                Lookup(self._site, result, SeriesKey(scenario, case, name, "subject"), metric) for name in runners
            ]
            words = [(names[each.key.runner].label, each.word(each.over_counterpart())) for each in lookups]
            rows.append((result, words))
        python = hosted_matrix().reference
        variant = MEASURED_BY.get(differ_by, f"{{python}}+{differ_by}==VERSION").format(python=python)
        command = f"{MEASURE} {scenario} --python {python} --python {variant}"
        return fragment("variants.html", rows=rows, command=command)

    def with_jit(self, scenario: str, case: str, runner: str, metric: str | None = None, *, brief: bool = False) -> str:
        """Compare the just-in-time compiler on with off. `with_jit("primes", "published", "sync_loop")`."""
        lookup = self._look_up(scenario, case, runner, metric)
        lookup = lookup._replace(result=find_jit(self._site, scenario, lookup.key), origin="")
        return lookup.word(lookup.over_counterpart(), brief=brief)

    def _look_up(self, scenario: str, case: str, runner: str, metric: str | None = None, *, gil: bool = True) -> Lookup:
        chosen = metric_named(scenario_named(self._site, scenario, case, runner), metric)
        first, result = self._site.first(scenario), self._site.first(scenario, case)
        origin = _origin(result, first) if result and first else ""
        if result and not gil:
            result = self._site.without_gil(result, scenario)
        return Lookup(self._site, result, SeriesKey(scenario, case, runner, "subject"), chosen, origin)


def find_jit(site: Results, scenario: str, key: SeriesKey | None = None) -> Result | None:
    """Return the newest release's result with the just-in-time compiler on, of the first machine that has *key*."""
    having = (
        each for each in site.current[scenario] if each.differs_only_by(JIT) and (key is None or each.series(key))
    )
    return max(having, key=lambda each: each.order[1], default=None)


def _origin(result: Result, first: Result) -> str:
    if result.key == first.key:
        return ""
    machine = "" if result.machine_key == first.machine_key else f" on {add_article(strip_markup(result.machine_name))}"
    note = format_ownership(result.machine, result.key.local) if machine else ""
    return f", on {describe_build(result.build)}{machine}{note}"


def _is_plain(build: Build, version: str) -> bool:
    return release(build.version) == version and not build.free_threaded and not build.variant
