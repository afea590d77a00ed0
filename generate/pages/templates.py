"""The fragments of HTML that pages are put together from: each one block without a blank line, as Markdown wants it."""

from __future__ import annotations

import functools
import re
from pathlib import Path
from typing import TYPE_CHECKING

from jinja2 import Environment, FileSystemBytecodeCache, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from generate.charts.bars import family_place
from generate.charts.findings import capital
from generate.charts.work_map import duration
from generate.claims.cards import PartCard
from generate.claims.marks import LETTERS
from generate.claims.sentences import describe_answer
from generate.pages.tables import Head, tables
from generate.words import repeat
from generate.words.builds import (
    describe_build,
    describe_build_options,
    describe_jit,
    describe_optimisation,
    format_build,
)
from generate.words.machines import add_article, format_own_note, format_ownership
from generate.words.names import describe_status, label_runner, list_names, list_names_briefly, slug, strip_markup
from generate.words.numbers import (
    NOT_MEASURED,
    abbreviate_rate,
    count_noun,
    format_estimate,
    format_per_cent,
    format_range,
    format_ratio,
    format_share,
    format_value,
    format_with_range,
)
from runners.harness.catalogue.scenarios import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from generate.charts.chart import Chart
    from generate.data.results import Results
    from generate.data.selection import Result
    from generate.pages.context import SiteContext
    from runners.harness.catalogue.scenarios import Runner

TEMPLATES = Path(__file__).parents[1] / "templates"


def root_of(page: str) -> str:
    """Return the way from *page* (a path below docs/) up to the site's root."""
    return "../" * page.count("/")


def compiled() -> FileSystemBytecodeCache:
    """Return where compiled templates are kept, by the hash of their text: compiling them takes a third of a second."""
    folder = ROOT / ".cache" / "templates"
    folder.mkdir(parents=True, exist_ok=True)
    return FileSystemBytecodeCache(str(folder))


@functools.cache
def environment() -> Environment:
    """Return the environment in which all templates are rendered: what is not a fragment is escaped."""
    templates = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        bytecode_cache=compiled(),
        auto_reload=False,
    )
    templates.filters |= {
        "words": describe_status,
        "plain": strip_markup,
        "label": label_runner,
        "family_place": family_place,
        "how_built": describe_build_options,
        "how_optimised": describe_optimisation,
        "jit_words": describe_jit,
        "slug": slug,
        "amount": format_value,
        "duration": duration,
        "estimate": format_estimate,
        "range": format_range,
        "with_range": format_with_range,
        "share": format_share,
        "efficiency": format_per_cent,
        "short": abbreviate_rate,
        "times": format_ratio,
        "dated": dated,
        "why_not_drawn": why_not_drawn,
        "counted": count_noun,
        "heads": heads,
        "rows": rows,
        "paragraphs": paragraphs,
        "with_code": with_code,
        "own_note": format_own_note,
        "ownership_note": format_ownership,
        "indefinite": add_article,
        "build_words": describe_build,
        "breakable": breakable,
        "build_label": format_build,
        "listed": list_names,
        "listed_briefly": list_names_briefly,
        "answer": describe_answer,
        "capital": capital,
        "sentence": lambda words: f"{words[0].upper()}{words[1:]}.",
        "part_card": PartCard.of,
        "local": repeat.format_local_command,
        "hosted": repeat.format_hosted_command,
    }
    templates.globals |= {"Head": Head, "fragment": fragment, "LETTERS": LETTERS}
    return templates


def fragment(template: str, **values: object) -> Markup:
    """Render a template as one block of HTML."""
    text = environment().get_template(template).render(**values)
    return Markup(re.sub(r"\n\s*", "\n", text).strip())  # noqa: S704 - rendered with escaping


def not_drawn(command: str) -> Markup:
    """Return what stands in the place of a picture of which nothing was measured: the command that measures it."""
    return Markup('<p class="note">{}</p>').format(why_not_drawn(command))


def why_not_drawn(command: str) -> Markup:
    """Say that nothing was measured of which there could be a picture, and which command measures it."""
    return Markup("Nothing to draw: {}. To measure it: <code>{}</code>").format(NOT_MEASURED, command)


def dated(started: str) -> Markup:
    """Return the day of a run, and the place of its age: theme/main.html fills that as the page is read, for good."""
    return Markup('<time datetime="{}">{}</time><run-age></run-age>').format(started, started[:10])


def page(template: str, **values: object) -> str:
    """Render a template as a page of Markdown."""
    return environment().get_template(template).render(**values)


def heads(names: Iterable[str], kind: str = "") -> list[Head]:
    """Return the heads of columns that bear names which a file may hold: of any letters."""
    return [Head(name, kind, Markup("<bdi>{}</bdi>").format(breakable(name))) for name in names]


def breakable(name: str) -> Markup:
    """Let a long name break after the signs that join its parts, and nowhere else: no word is broken by the letter."""
    return Markup("<wbr>").join(re.split(r"(?<=[+_/-])(?=\w)", name))


def rows(written: str, heads: Sequence[Head], folds: bool) -> Markup:  # noqa: FBT001 - a filter of the templates
    """Return the rows of a table, written with bare tags as templates/_table.html says, with all their attributes.

    In Python: as a macro it took about seven times as long for each cell.
    """
    kinds = [f' class="{head.kind}"' if head.kind else "" for head in heads]
    labels = [Markup(' data-label="{}"').format(head.label) if folds and head.label else "" for head in heads]
    row_role, head_role, cell_role = (f' role="{role}"' if folds else "" for role in ("row", "rowheader", "cell"))
    html = []
    for row in str(written).split("<tr")[1:]:
        attributes, *cells = row.split("<td")
        html.append(f"<tr{row_role}{attributes.partition('>')[0]}>")
        for number, cell in enumerate(cells):
            attributes, _, content = cell.partition(">")
            if number == 0:
                html.append(f'<th scope="row"{head_role}{attributes}>{content.strip()}</th>')
                continue
            is_of_column = bool(heads) and "colspan=" not in attributes
            kind = kinds[number] if is_of_column and "class=" not in attributes else ""
            label = labels[number] if is_of_column else ""
            html.append(f"<td{cell_role}{kind}{label}{attributes}>{content.strip()}</td>")
        html.append("</tr>\n")
    return Markup("".join(html).rstrip())  # noqa: S704 - parts of what was rendered with escaping


def paragraphs(text: str) -> Markup:
    """Make paragraphs of HTML of plain text, so that nothing in it is taken for Markdown; `code` stays code."""
    blocks = (with_code(" ".join(block.split())) for block in re.split(r"\n\s*\n", text.strip()))
    return Markup("\n").join(Markup("<p>{}</p>").format(block) for block in blocks)


def with_code(text: str) -> Markup:
    """Escape plain text for HTML; `code` stays code."""
    return Markup(re.sub(r"`([^`]+)`", r"<code>\1</code>", str(Markup.escape(text))))  # noqa: S704 - escaped here


def result_of(site: Results, scenario: str, case: str, build: str | None) -> Result | None:
    """Return the result of *build* that has a case, or the one that pages begin with; None if there is none."""
    if build is None:
        return site.first(scenario, case)
    return next((cell for cell in site.on_one_machine(scenario, case) if cell.build == build), None)


def case_html(  # noqa: PLR0913 - two of them by name
    context: SiteContext,
    scenario: str,
    case: str,
    page_path: str,
    *,
    build: str | None = None,
    charts: Sequence[Chart] = (),
) -> Markup:
    """Return the tables of one case, and its own of *charts*: of *build*, or of the result that pages begin with.

    The scenario's own page offers the other builds too.
    """
    first, cells = result_of(context.site, scenario, case, build), context.site.on_one_machine(scenario, case)
    if page_path != f"scenarios/{scenario}.md":
        cells = [first] if first else []
    own = [chart for chart in charts if chart.cells == (first,)]
    view = first and {
        "cell": first,
        "found": tables(context.site, first, scenario, case),
        "charts": [
            chart_html(context, chart, scenario, page_path, is_folded=chart.kind != "bars", is_in_case=True)
            for chart in own
        ],
        "has_chart": any(chart.kind == "bars" for chart in own),
    }
    known = context.site.scenarios[scenario]
    group = f"{scenario}_{list(known.cases).index(case) + 1}"
    of_case = {
        "view": view,
        "cells": cells,
        "group": group,
        "words": known.case_words(case),
        "runners": known.runners,
        "clone_address": context.clone_address,
    }
    return fragment("case.html", **of_case, **_places(scenario, page_path))


def chart_html(  # noqa: PLR0913 - two of them by name
    context: SiteContext,
    chart: Chart,
    scenario: str,
    page_path: str,
    *,
    is_folded: bool = False,
    is_in_case: bool = False,
) -> Markup:
    """Return a chart's picture, in the place where it is drawn, with its words, its data, and what it was measured on.

    Where it *is folded* its title is the first line of the fold. Where it *is in a case* that says what it is of.
    """
    looks = {
        "is_folded": is_folded,
        "is_in_case": is_in_case,
        "has_case": page_path != f"scenarios/{scenario}.md",
        "anchor": Path(chart.path).stem,
        "plotly": context.plotly,
    }
    return fragment("chart.html", chart=chart, **looks, **_places(scenario, page_path))


def _places(scenario: str, page_path: str) -> dict[str, str]:
    """Return where a scenario's fragments on a page find the site's root, and the code of its runners."""
    root = root_of(page_path)
    code = "" if page_path == f"scenarios/{scenario}.md" else f"{root}scenarios/{scenario}.html"
    return {"scenario": scenario, "root": root, "code": code}


def short_hash(sha256: str) -> str:
    """Return as much of a hash as pages show."""
    return sha256[:12]


def measured_hashes(current: Sequence[Result], runner: Runner) -> str:
    """Return the short hashes of the files of *runner* that the first of *current* measured; empty where none did."""
    return ", ".join(map(short_hash, _measured(current, runner)))


def hashes_of_other_code(current: Sequence[Result], runner: Runner) -> str:
    """Return those of `measured_hashes` that do not count as of *runner*'s file; empty where all do."""
    return ", ".join(short_hash(sha256) for sha256 in _measured(current, runner) if sha256 != runner.source_sha256)


def _measured(current: Sequence[Result], runner: Runner) -> list[str]:
    wanted = (runner.scenario, runner.name, "subject")
    series = [series for cell in current[:1] for series in cell.record.series]
    return sorted({each.source_sha256 for each in series if (each.scenario, each.runner, each.role) == wanted})


def code_block(runner: Runner, highlight: str | None = None) -> Markup:
    """Return a runner's file as a fenced block of Markdown, with its path as the title."""
    longest = max((len(run) for run in re.findall(r"`+", runner.code)), default=0)
    fence = "`" * max(3, longest + 1)
    lines = f' hl_lines="{highlight}"' if highlight else ""
    title = f"runners/{runner.scenario}/{runner.path.name}"
    block = f'{fence}python title="{title}"{lines}\n{runner.code.rstrip()}\n{fence}'
    unsearched = f"<section markdown data-search-exclude>\n\n{block}\n\n</section>"  # the search would find `import`
    return Markup(unsearched)  # noqa: S704 - a fence holds text
