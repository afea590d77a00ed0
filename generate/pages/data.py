"""The page of downloads, with every pooled result file, and the page of files that could not be used."""

from __future__ import annotations

from typing import TYPE_CHECKING

from generate.data.validation import Validation
from generate.downloads.data_dictionary import computed_metrics, explained, raw_columns, type_words
from generate.pages.templates import page as markdown
from runners.harness.record.schema import json_schema

if TYPE_CHECKING:
    from generate.pages.context import SiteContext

PROBLEMS = "data-problems.md"


def pages(context: SiteContext) -> dict[str, str]:
    """Return the data page and the page of its fields; and the page of problems, if there are any."""
    site = context.site
    newest = {(cell.machine, cell.python): (run, cell) for run in site.runs for cell in run.cells}
    pooled = [file for file in site.files if file.path in site.current_paths]
    data = markdown(
        "data.md",
        files=sorted(pooled, key=lambda file: (file.run.started, file.path), reverse=True),
        history=len(site.files) - len(pooled),
        measured=[scenario for name, scenario in site.scenarios.items() if site.current[name]],
        problems=len(site.problems),
        has_validation=context.validated != Validation(),
        missing=[(run, cell) for run, cell in newest.values() if cell.status != "measured"],
    )
    fields = markdown(
        "fields.md",
        kinds=json_schema()["$defs"],
        columns=raw_columns(site.scenarios),
        formulas=computed_metrics(site.scenarios),
        explained=explained(),
        type_words=type_words,
    )
    pages = {"data.md": data, "data-fields.md": fields}
    if site.problems:
        pages[PROBLEMS] = markdown("problems.md", problems=site.problems)
    return pages
