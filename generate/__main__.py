"""`python -m generate`: results in, the site's sources out.

The site engine does the rest: `mkdocs build -f build/mkdocs.yml`.
"""

from __future__ import annotations

import gc
import os
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import click

from generate.checks import check as checking
from generate.checks import compare as comparing
from generate.claims.terminal import show
from generate.site.navigation import site_url as address_of
from generate.site.pipeline import Options, build, judge
from generate.site.plotly_js import find_bundle
from generate.site.write import write
from generate.text.log_lines import log_line
from runners.harness.catalogue.scenarios import ROOT
from runners.harness.errors import UserError, moved
from runners.harness.files import write_atomically

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from generate.claims.model import Fault
    from generate.results.model import Problem

LEFT_OUT = 3
"""Exit status where result files were left out: all else was made. (Python itself ends with 1 when it breaks off.)"""
PROBLEMS = "the site was made without {} result file(s) that could not be used"
FAULTS = "{} mistake(s) in the claims: those are shown as not measured"
FOLDER = click.Path(path_type=Path)
RESULTS = click.option("--results", type=FOLDER, default=ROOT / "results", help="Folder of result files.")
OUT = click.option("--out", type=FOLDER, default=ROOT / "build", help="Folder to write to.")
DOCS = click.option("--docs", type=FOLDER, default=ROOT / "docs", help="Folder of hand-written pages and claims.")
SITE_URL = click.option(
    "--site-url", envvar="SITE_URL", default="", help="Where the site will stand; on GitHub Actions, its Pages address."
)


@contextmanager
def ending_on_errors() -> Iterator[None]:
    """End with status 2, and what to put right, where a user can."""
    try:
        yield
    except UserError as error:
        click.echo(log_line(error), err=True)
        sys.exit(2)


@click.group(invoke_without_command=True, context_settings={"show_default": True})
@RESULTS
@OUT
@DOCS
@SITE_URL
@click.pass_context
def main(context: click.Context, results: Path, out: Path, docs: Path, site_url: str) -> None:
    """Make the sources of the site from the result files: its pages, and what can be downloaded.

    Result files that cannot be used are reported, and the site is made without them; the exit status is then 3. So it
    is with mistakes in the claims; the exit status is then 2.
    """
    if context.invoked_subcommand is None:
        make(results, out, docs, site_url, downloads=True)


@main.command()
@RESULTS
@OUT
@DOCS
@SITE_URL
def pages(results: Path, out: Path, docs: Path, site_url: str) -> None:
    """Make the pages alone, without what can be downloaded."""
    make(results, out, docs, site_url, downloads=False)


def make(results: Path, out: Path, docs: Path, site_url: str, *, downloads: bool) -> NoReturn:
    """Make the site, say what was wrong, and end with the exit status."""
    with ending_on_errors():
        options = Options(out, find_bundle(ROOT / ".cache"), address_of(site_url, os.environ), downloads)
        site = build(results, docs, options)
        write(out, site.files, docs)
    click.echo(f"charts: {options.bundle.origin}")
    if site.warning:
        click.echo(log_line(site.warning), err=True)
    click.echo(f"{len(site.results.files)} result files; in {out}: {len(site.files)} files written")
    report(site.results.problems, PROBLEMS)
    report(site.board.faults, FAULTS)
    if site.board.faults:
        sys.exit(2)
    sys.exit(LEFT_OUT if site.results.problems else 0)


@main.command()
@RESULTS
@OUT
@DOCS
def verdicts(results: Path, out: Path, docs: Path) -> None:
    """Print the verdicts on all claims, and write them to verdicts.json."""
    with ending_on_errors():
        board, problems = judge(results, docs, out)
        out.mkdir(parents=True, exist_ok=True)
        write_atomically(out / "verdicts.json", board.as_json())
    show(board)
    report(problems, PROBLEMS)
    report(board.faults, FAULTS)


main.add_command(moved("data", "python -m generate"))


@main.command()
@click.argument("paths", nargs=-1, type=FOLDER)
@click.option("--strict", is_flag=True, help="Hold files to what is asked of new ones, the sanity gate included.")
def check(paths: tuple[Path, ...], *, strict: bool) -> None:
    """Check result files (default: results/) against the schema and the sanity gate."""
    report = checking.check(paths or (ROOT / "results",), strict=strict)
    for line in report.lines():
        click.echo(line)
    sys.exit(report.exit_status)


@main.command()
@click.argument("ours", type=FOLDER)
@click.argument("yours", type=FOLDER)
def compare(ours: Path, yours: Path) -> None:
    """Print, for each series of two files, the ratio of the second to the first, or why there is none."""
    with ending_on_errors():
        comparing.show(comparing.read(ours), comparing.read(yours))


def report(problems: Sequence[Problem | Fault], summary: str) -> None:
    """Print what is wrong, each in a line, and how many there are."""
    for problem in problems:
        click.echo(log_line(problem), err=True)
    if problems:
        click.echo(summary.format(len(problems)), err=True)


if __name__ == "__main__":
    gc.disable()  # records are thousands of lists, all kept, without a cycle: the collector took over half of the time
    main()
