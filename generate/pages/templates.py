"""The Jinja environment of all pages. A fragment is one block of HTML without a blank line, as Markdown requires."""

import functools
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from jinja2 import Environment, FileSystemBytecodeCache, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from generate.charts.grids import duration, format_cost
from generate.charts.traces import family_place
from generate.claims.cards import list_runs
from generate.claims.marks import BADGES, find_badge
from generate.claims.sentences import describe_in_short, describe_verdict
from generate.data.files import slug
from generate.words import builds, machines, names, numbers, patterns
from generate.words.machines import format_ownership
from generate.words.names import capital, describe_status
from runners.harness.catalogue.scenarios import ROOT

TEMPLATES = Path(__file__).parents[1] / "templates"


class Head(NamedTuple):
    label: str
    """Label of the column's cells in a folded table; may be empty."""
    kind: str = ""
    """The class of its cells: n for numbers, plot for bars."""
    html: Markup | str = ""
    """Shown instead of the label."""
    attributes: Mapping[str, str] = {}
    """Attributes of the head, such as data-high if higher values are sorted first."""


def path_to_root(page: str) -> str:
    """Return the relative path from *page*, a path below docs/, to the site's root."""
    return "../" * page.count("/")


def page_path(scenario: str) -> str:
    """Return the path of a scenario's page below docs/."""
    return f"scenarios/{scenario}.md"


def bytecode_cache() -> FileSystemBytecodeCache:
    """Return the cache of compiled templates, keyed by their hash: compiling takes a third of a second."""
    folder = ROOT / ".cache" / "templates"
    folder.mkdir(parents=True, exist_ok=True)
    return FileSystemBytecodeCache(str(folder))


@functools.cache
def environment() -> Environment:
    """Return the environment of all templates: it escapes everything but fragments."""
    templates = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        bytecode_cache=bytecode_cache(),
        auto_reload=False,
    )
    templates.filters |= {
        "status_name": describe_status,
        "plain": names.strip_markup,
        "label": names.label_runner,
        "slug": slug,
        "listed": names.list_names,
        "listed_briefly": names.list_names_briefly,
        "how_built": builds.describe_build_options,
        "how_optimised": builds.describe_optimisation,
        "jit": builds.describe_jit,
        "build_name": builds.describe_build,
        "build_label": builds.format_build,
        "indefinite": machines.add_article,
        "ownership_note": format_ownership,
        "amount": numbers.format_value,
        "estimate": numbers.format_estimate,
        "range": numbers.format_range,
        "with_range": numbers.format_with_range,
        "share": numbers.format_share,
        "efficiency": numbers.format_per_cent,
        "short": numbers.abbreviate_rate,
        "times": numbers.format_ratio,
        "counted": numbers.count_noun,
        "duration": duration,
        "cost": format_cost,
        "family_place": family_place,
        "capital": capital,
        "sentence": lambda words: f"{capital(words)}.",
        "dated": dated,
        "why_not_drawn": why_not_drawn,
        "heads": heads,
        "rows": rows,
        "paragraphs": paragraphs,
        "with_code": with_code,
        "breakable": breakable,
        "html": html_address,
        "badge": lambda verdict: find_badge([verdict]),
        "described": describe_verdict,
        "in_short": describe_in_short,
        "listed_runs": list_runs,
    }
    templates.globals |= {"Head": Head, "fragment": fragment, "BADGES": BADGES, "patterns": patterns}
    return templates


def fragment(template: str, **values: object) -> Markup:
    """Render a template as one block of HTML."""
    text = environment().get_template(template).render(**values)
    return Markup(re.sub(r"\n\s*", "\n", text).strip())  # noqa: S704 - rendered with escaping


def page(template: str, **values: object) -> str:
    """Render a template as a page of Markdown."""
    return environment().get_template(template).render(**values)


def not_drawn(command: str) -> Markup:
    """Return a note instead of a picture without data: the command that measures it."""
    return Markup('<p class="note">{}</p>').format(why_not_drawn(command))


def why_not_drawn(command: str) -> Markup:
    """Format the text of such a note."""
    return Markup(patterns.NOT_DRAWN).format(patterns.NOT_MEASURED, command)  # noqa: S704 - a constant


def dated(started: str) -> Markup:
    """Return the day of a run, and an element for its age, which the theme fills when the page is read."""
    return Markup('<time datetime="{}">{}</time><run-age></run-age>').format(started, started[:10])


def html_address(page: str) -> str:
    """Return the address of a page: machines/index.html for machines/index.md."""
    return f"{page.removesuffix('.md')}.html"


def heads(names: Iterable[str], kind: str = "") -> list[Head]:
    """Return the heads of columns whose names come from a file and may hold any characters."""
    return [Head(name, kind, Markup("<bdi>{}</bdi>").format(breakable(name))) for name in names]


def breakable(name: str) -> Markup:
    """Let a long name break only after the signs that join its parts."""
    return Markup("<wbr>").join(re.split(r"(?<=[+_/-])(?=\w)", name))


def rows(written: str, heads: Sequence[Head], folds: bool) -> Markup:  # noqa: FBT001 - a filter of the templates
    """Return a table's rows with all their attributes, from bare tags as templates/_table.html describes.

    As a macro it took about seven times as long.
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
            has_head = bool(heads) and "colspan=" not in attributes
            kind = kinds[number] if has_head and "class=" not in attributes else ""
            label = labels[number] if has_head else ""
            html.append(f"<td{cell_role}{kind}{label}{attributes}>{content.strip()}</td>")
        html.append("</tr>\n")
    return Markup("".join(html).rstrip())  # noqa: S704 - parts of a template that escapes


def paragraphs(text: str) -> Markup:
    """Make paragraphs of HTML from plain text, so that none of it is read as Markdown; `code` stays code."""
    blocks = (with_code(" ".join(block.split())) for block in re.split(r"\n\s*\n", text.strip()))
    return Markup("\n").join(Markup("<p>{}</p>").format(block) for block in blocks)


def with_code(text: str) -> Markup:
    """Escape plain text for HTML; `code` stays code."""
    return Markup(re.sub(r"`([^`]+)`", r"<code>\1</code>", str(Markup.escape(text))))  # noqa: S704 - escaped here
