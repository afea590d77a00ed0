"""The pieces of HTML that pages are put together from. Each is one block without a blank line, as Markdown wants it."""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from generate.pages.tables import tables
from generate.text import repeat
from generate.text.hosted_machines import ownership_note
from generate.text.names import plain, slug
from generate.text.numbers import counted, format_value

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from generate.analysis.collection import CurrentResults
    from generate.articles.validation import Validation
    from generate.charts.chart import Chart
    from generate.claims.board import Board
    from runners.harness.catalogue.scenarios import Runner

TEMPLATES = Path(__file__).parents[1] / "templates"
STATUS_WORDS = {
    "ok": "measured",
    "partial": "measured in part",
    "unsupported": "not supported",
    "failed": "failed",
    "timed_out": "ran out of time",
    "not_reached": "not reached",
}
SHORT_SHA = 12


@dataclass(frozen=True)
class SiteContext:
    """What every page of one generation shares."""

    site: CurrentResults
    board: Board
    charts: Mapping[tuple[str, str], list[Chart]]
    """By scenario and case."""
    plotly: str
    """Where the chart library lies below docs/."""
    validated: Validation
    """What the statistics were tried on."""


def root_of(page: str) -> str:
    """Return the way from *page* (a path below docs/) up to the site's root."""
    return "../" * page.count("/")


@functools.cache
def environment() -> Environment:
    """Return the environment in which all templates are rendered: what is not a fragment is escaped."""
    made = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    made.filters |= {
        "words": lambda status: STATUS_WORDS.get(status, status),
        "plain": plain,
        "slug": slug,
        "amount": format_value,
        "counted": counted,
        "paragraphs": paragraphs,
        "ownership_note": ownership_note,
        "local": repeat.local,
        "hosted": repeat.hosted,
    }
    return made


def fragment(template: str, **values: object) -> Markup:
    """Render a template as one block of HTML."""
    text = environment().get_template(template).render(**values)
    return Markup(re.sub(r"\n\s*", "\n", text).strip())  # noqa: S704 - rendered with escaping


def page(template: str, **values: object) -> str:
    """Render a template as a page of Markdown."""
    return environment().get_template(template).render(**values)


def paragraphs(text: str) -> Markup:
    """Make paragraphs of HTML of plain text, so that nothing in it is taken for Markdown; `code` stays code."""
    made = []
    for block in re.split(r"\n\s*\n", text.strip()):
        escaped = str(Markup.escape(" ".join(block.split())))
        made.append("<p>" + re.sub(r"`([^`]+)`", r"<code>\1</code>", escaped) + "</p>")
    return Markup("\n".join(made))  # noqa: S704 - escaped above


def case_html(context: SiteContext, scenario: str, case: str, page_path: str, charts: Sequence[Chart] = ()) -> Markup:
    """Return the tables of one case, of each build of the machine that leads the scenario, and its own of *charts*."""
    lead, cells = context.site.lead(scenario, case), context.site.beside_each_other(scenario, case)
    views = [
        {
            "cell": each,
            "tables": tables(context.site, each, scenario, case),
            "charts": [chart_html(context, chart, scenario, page_path) for chart in charts if chart.cells == (each,)],
            "leads": each == lead,
        }
        for each in cells
    ]
    group = f"{scenario}_{list(context.site.scenarios[scenario].cases).index(case) + 1}"
    return fragment("case.html", cells=views, group=group, **_places(scenario, page_path))


def chart_html(context: SiteContext, chart: Chart, scenario: str, page_path: str) -> Markup:
    """Return the place where a chart is drawn, with its words, its data, and what it was measured on."""
    anchor = Path(chart.path).stem
    return fragment("chart.html", chart=chart, plotly=context.plotly, anchor=anchor, **_places(scenario, page_path))


def _places(scenario: str, page_path: str) -> dict[str, str]:
    """Return where a scenario's pieces on a page find the site's root, and the code of its runners."""
    root = root_of(page_path)
    code = "" if page_path == f"scenarios/{scenario}.md" else f"{root}scenarios/{scenario}.html"
    return {"scenario": scenario, "root": root, "code": code}


def code_block(runner: Runner, highlight: str | None = None) -> Markup:
    """Return a runner's file as a fenced block of Markdown, with its path as the title."""
    longest = max((len(run) for run in re.findall(r"`+", runner.code)), default=0)
    fence = "`" * max(3, longest + 1)
    lines = f' hl_lines="{highlight}"' if highlight else ""
    title = f"runners/{runner.scenario}/{runner.path.name}"
    block = f'{fence}python title="{title}"{lines}\n{runner.code.rstrip()}\n{fence}'
    unsearched = f"<section markdown data-search-exclude>\n\n{block}\n\n</section>"  # the search would find `import`
    return Markup(unsearched)  # noqa: S704 - a fence holds text
