"""`python -m generate`: results in, pages out. The site engine does the rest: `mkdocs build -f build/mkdocs.yml`."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from generate.book import everything, make_book
from generate.collector import held_off
from generate.load import load
from generate.plotly_bundle import find_bundle
from generate.tidy import look, summaries
from generate.write import write
from runners.harness.catalogue import ROOT, find
from runners.harness.errors import UserError


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
            frame = summaries(seen)
            bundle = find_bundle(ROOT / ".cache")
            book = make_book(scenarios, loaded, seen, frame, bundle)
            written = write(out, everything(book, bundle, frame, results, docs), docs)
    except UserError as error:
        click.echo(error, err=True)
        sys.exit(2)
    click.echo(f"charts: {bundle.origin}")
    click.echo(
        f"{len(loaded.files)} result files; {written.written} files written, {written.unchanged} unchanged, {written.removed} removed in {out}"
    )
    for problem in loaded.problems:
        click.echo(f"{problem.path} {problem.field}: {problem.message}; {problem.remedy}", err=True)
    if loaded.problems:
        click.echo(f"the site was made without {len(loaded.problems)} result files that could not be used", err=True)
        sys.exit(1)


if __name__ == "__main__":
    main()
