"""Renders the hand-written pages of docs/. Mistakes are reported with file and line."""

import traceback
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Literal

from jinja2 import Environment, FileSystemLoader, StrictUndefined, TemplateError
from markupsafe import Markup

from generate.charts.kinds import KINDS
from generate.pages import machines_and_builds
from generate.pages.choose import ChooseFunctions
from generate.pages.claims import ClaimFunctions, source_page
from generate.pages.data import apache_bench, one_number, validation_html
from generate.pages.home import HomeFunctions
from generate.pages.maps import MapFunctions
from generate.pages.pictures import PictureFunctions
from generate.pages.pieces import (
    Functions,
    SiteContext,
    case_id,
    chart_html,
    code_block,
    list_other_hashes,
    measured_on,
)
from generate.pages.templates import bytecode_cache, not_drawn, path_to_root
from generate.pages.values import Values, find_jit, scenario_named
from generate.words import patterns
from generate.words.builds import describe_build
from generate.words.numbers import count_noun
from generate.words.repeat import format_first_run
from runners.harness.catalogue.scenarios import select
from runners.harness.errors import UserError
from runners.harness.record.build_names import is_older, numbers, prerelease, release

COPIED = {".svg", ".png", ".jpg", ".webp", ".css", ".js"}
"""Suffixes of files that are copied as they are."""


class PageError(UserError):
    """A hand-written page names something that does not exist."""


def render(context: SiteContext, docs: Path) -> dict[str, str | Path]:
    """Return every page and picture below *docs* by path, and a generated page for each source without one.

    Raises PageError with the file and line.
    """
    environment = Environment(
        loader=FileSystemLoader(docs),
        autoescape=True,
        undefined=StrictUndefined,
        keep_trailing_newline=True,
        bytecode_cache=bytecode_cache(),
        auto_reload=False,
    )
    pages: dict[str, str | Path] = {
        f"claims/{source}.md": source_page(context, source)
        for source in context.board.claims.sources
        if not (docs / f"claims/{source}.md").exists()
    }
    for path in sorted(docs.rglob("*")):
        name = path.relative_to(docs).as_posix()
        if path.suffix == ".md":
            pages[name] = _render(environment, functions(context, name), name, docs)
        elif path.suffix in COPIED:
            pages[name] = path
    return pages


def _render(environment: Environment, functions: Mapping[str, Callable[..., object]], name: str, docs: Path) -> str:
    try:
        return environment.get_template(name).render(functions)
    except (TemplateError, UserError, TypeError) as error:
        frames = traceback.extract_tb(error.__traceback__)  # Jinja puts the page's line into it
        lines = [0, *(frame.lineno or 0 for frame in frames if frame.filename == str(docs / name))]
        msg = f"{docs.name}/{name}:{lines[-1]}: {error.message if isinstance(error, TemplateError) else error}"
        raise PageError(msg) from error


def functions(context: SiteContext, page: str) -> dict[str, Callable[..., object]]:
    """Return the functions that *page*, a path below docs/, may call: the public methods of these, by name."""
    kinds = (
        Values,
        ClaimFunctions,
        MapFunctions,
        ChooseFunctions,
        HomeFunctions,
        PageFunctions,
        PictureFunctions,
    )
    parts = [kind(context, page) for kind in kinds]
    return {name: getattr(part, name) for part in parts for name in dir(part) if not name.startswith("_")}


class PageFunctions(Functions):
    """The functions that return parts of other pages, for one page."""

    def chart(self, scenario: str, case: str, kind: str = "bars") -> Markup:
        """Return a chart of a case, or the command that measures it. `chart("primes", "published", kind="builds")`."""
        named = scenario_named(self._site, scenario, case)
        select(KINDS, [kind], "kind of chart")
        for chart in self._context.charts.get((scenario, case), []):
            if chart.kind == kind:
                return chart_html(self._context, chart, scenario, self._page)
        return not_drawn(format_first_run(named, [case]))

    def apache_bench(self, scenario: str, case: str) -> Markup:
        """Return a case's figures as Apache Bench prints them. `apache_bench("blocking_server", "tenth")`."""
        scenario_named(self._site, scenario, case)
        return apache_bench(self._site, scenario, case)

    def code(self, scenario: str, runner: str, highlight: str | None = None) -> Markup:
        """Return a runner's file, with a note if it changed since measured. `code("primes", "sync_loop", "3 5-7")`."""
        file = scenario_named(self._site, scenario, None, runner).runners[runner]
        changed = list_other_hashes(self._site.current[scenario], file)
        note = Markup('\n\n<p class="note caution">Changed since: the figures are from {}.</p>').format(changed)
        return code_block(file, highlight) + (note if changed else "")

    def link(self, scenario: str, case: str | None = None) -> Markup:
        """Return a link to a scenario's page, or to the tables of a case there. `link("primes", "published")`."""
        known = scenario_named(self._site, scenario, case)
        page = f"{path_to_root(self._page)}scenarios/{scenario}"
        if case is None or self._site.first(scenario, case) is None:
            return Markup("[{}]({}.md)").format(known.title, page)
        words = f"{known.title}: {known.case_label(case)}"
        return Markup('<a href="{}.html#table-{}">{}</a>').format(page, case_id(known, case), words)

    def measured_on(self, *scenarios: str, free: bool = False, jit: bool = False) -> Markup:
        """Return an answer's foot: build, machine, runs. `measured_on("primes")`.

        With *free* also those without the GIL; with *jit* only those with the just-in-time compiler on.
        """
        names = [scenario_named(self._site, scenario).name for scenario in scenarios]
        if jit:
            return measured_on(filter(None, [find_jit(self._site, name) for name in names]), path_to_root(self._page))
        results = [(name, result) for name in names if (result := self._site.first(name))]
        without = [self._site.without_gil(result, name) for name, result in results] if free else []
        return measured_on([*(result for _, result in results), *filter(None, without)], path_to_root(self._page))

    def without_gil_on(self, scenario: str) -> str:
        """Name the build without the GIL, and newer Pythons that lack one here. `without_gil_on("sharing")`."""
        result = self._site.first(scenario_named(self._site, scenario).name)
        free = self._site.without_gil(result, scenario) if result else None
        if free is None:
            return patterns.NO_FREE_BUILD
        own, builds = free.record.build, [each.record.build for each in self._site.results]
        final = {release(each.version) for each in builds if not prerelease(each.version)}
        measured = {
            release(each.record.build.version)
            for each in self._site.current[scenario]
            if each.record.build.free_threaded
        }
        newer = [each for each in sorted(final - measured, key=numbers) if is_older(own.version, numbers(each))]
        pattern = patterns.FREE_BUILD_IS_OLD if newer else patterns.FREE_BUILD
        return pattern.format(build=describe_build(free.build), newer=", ".join(f"{each}t" for each in newer))

    def cores(self, scenario: str) -> str:
        """Return the number of cores that a scenario was measured on. `cores("primes")`: "2 cores"."""
        result = self._site.first(scenario_named(self._site, scenario).name)
        return count_noun(result.record.machine.usable_cores, "core") if result else "cores"

    def result_list(self, kind: Literal["machine", "build", "variant"]) -> Markup:
        """Return the list of all machines, builds or variants, each with its runs. `result_list("build")`."""
        return machines_and_builds.result_list(self._context, kind, self._page)

    def repository(self) -> str:
        """Return the address from which the project is cloned; empty if unknown. `repository()`."""
        return self._context.repository

    def comparisons(self) -> Markup:
        return machines_and_builds.comparison_table(self._context, self._page)

    def validation(self) -> Markup:
        return validation_html(self._context.validated)

    def one_number(self, scenario: str, case: str, runner: str) -> Markup:
        """Return the samples behind an estimate and a program. `one_number("primes", "published", "process_pool")`."""
        scenario_named(self._site, scenario, case, runner)
        return one_number(self._context, self._page, scenario, case, runner)
