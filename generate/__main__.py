"""`python -m generate`: results in, pages out. The site engine does the rest: `mkdocs build -f build/mkdocs.yml`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from generate.book import everything, make_book
from generate.collector import held_off
from generate.load import load
from generate.plotly_bundle import find_bundle
from generate.tidy import look, summaries
from generate.write import write
from runners.harness.catalogue import ROOT, find
from runners.harness.errors import UserError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from generate.load import Problem


@click.command(context_settings={"show_default": True})
@click.option("--results", type=click.Path(path_type=Path), default=ROOT / "results", help="Folder of result files.")
@click.option("--out", type=click.Path(path_type=Path), default=ROOT / "build", help="Folder to write to.")
@click.option("--docs", type=click.Path(path_type=Path), default=ROOT / "docs", help="Folder of hand-written pages.")
def main(results: Path, out: Path, docs: Path) -> None:
    """Make the site's pages of the result files.

    Files that cannot be used are told, and the site is made without them; the exit status is then 1.
    """
    try:
        with held_off():
            scenarios = find()
            loaded = load(results)
            seen = look(loaded.files, scenarios)
            frame = summaries(seen, references=False)
            bundle = find_bundle(ROOT / ".cache")
            book = make_book(scenarios, loaded, seen, frame, bundle)
            written = write(out, everything(book, bundle, frame, results, docs), docs)
    except UserError as error:
        click.echo(error, err=True)
        sys.exit(2)
    click.echo(f"charts: {bundle.origin}")
    click.echo(f"{len(loaded.files)} result files; in {out}: {written}")
    sys.exit(tell(loaded.problems))


def tell(problems: Sequence[Problem]) -> int:
    """Print what could not be used; return the exit status."""
    for problem in problems:
        click.echo(f"{problem.path} {problem.field}: {problem.message}; {problem.remedy}", err=True)
    if problems:
        click.echo(f"the site was made without {len(problems)} result file(s) that could not be used", err=True)
    return 1 if problems else 0


if __name__ == "__main__":
    main()
