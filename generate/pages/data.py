"""The data page, with every result file, and the page of files that could not be used."""

from __future__ import annotations

from typing import TYPE_CHECKING

from generate.fragments import fragment
from generate.fragments import page as markdown
from generate.tidy import build_name

if TYPE_CHECKING:
    from generate.fragments import Book

PROBLEMS = "data-problems.md"


def pages(book: Book) -> dict[str, str]:
    """Return the data page; and the page of problems where there are any."""
    site = book.site
    newest_first = sorted(site.files, key=lambda file: (file.record.run.started, file.path), reverse=True)
    files = [{"file": file, "record": file.record, "build": build_name(file.record.build)} for file in newest_first]
    measured = [scenario for name, scenario in site.scenarios.items() if site.leads[name]]
    table = fragment("files.html", files=files, root="")
    facts = {"measured": measured, "problems": len(site.problems)}
    made = {"data.md": markdown("data.md", table=table, **facts)}
    if site.problems:
        problems = fragment("problems.html", problems=site.problems)
        made[PROBLEMS] = markdown("problems.md", table=problems, count=len(site.problems))
    return made
