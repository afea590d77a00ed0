"""The data page, with every result file, and the page of files that could not be used."""

from __future__ import annotations

from typing import TYPE_CHECKING

from generate.downloads.columns import SAMPLES, SUMMARIES
from generate.downloads.data_dictionary import dictionary
from generate.pages.templates import fragment
from generate.pages.templates import page as markdown
from runners.harness.record.build_names import build_name
from runners.harness.record.schema import json_schema

if TYPE_CHECKING:
    from generate.pages.context import SiteContext

PROBLEMS = "data-problems.md"


def pages(context: SiteContext) -> dict[str, str]:
    """Return the data page; and the page of problems where there are any."""
    site = context.site
    newest_first = sorted(site.files, key=lambda file: (file.run.started, file.path), reverse=True)
    files = [{"file": one, "build": build_name(one.build), "leads": one.path in site.leading} for one in newest_first]
    measured = [scenario for name, scenario in site.scenarios.items() if site.leads[name]]
    table = fragment("files.html", files=files, root="")
    newest = {(cell.machine, cell.python): (run, cell) for run in site.runs for cell in run.cells}
    missing = [(run, cell) for run, cell in newest.values() if cell.status != "measured"]
    outcomes = fragment("outcomes.html", cells=missing) if missing else ""
    facts = {"measured": measured, "problems": len(site.problems), "outcomes": outcomes}
    made = {"data.md": markdown("data.md", table=table, **facts)}
    kinds = [{**kind._asdict(), "table": fragment("fields.html", kind=kind)} for kind in dictionary(json_schema())]
    tables = [
        {"name": name, "table": fragment("columns.html", name=name, columns=columns)}
        for name, columns in {"Tables of summaries": SUMMARIES, "Tables of samples": SAMPLES}.items()
    ]
    made["data-fields.md"] = markdown("fields.md", kinds=kinds, tables=tables)
    if site.problems:
        problems = fragment("problems.html", problems=site.problems)
        made[PROBLEMS] = markdown("problems.md", table=problems, count=len(site.problems))
    return made
