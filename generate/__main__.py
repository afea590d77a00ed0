"""`python -m generate`: results in, pages out; `python -m generate data`: what can be downloaded.

The site engine does the rest: `mkdocs build -f build/mkdocs.yml`.
"""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from generate.analysis.collection import CurrentResults
from generate.analysis.selection import select_current
from generate.analysis.summaries import look, summaries
from generate.checks import check as checking
from generate.checks import compare as comparing
from generate.claims.board import Board
from generate.claims.read import read
from generate.claims.terminal import show
from generate.downloads.index import downloads
from generate.pages.context import SiteContext
from generate.pages.machine_sections import of_other_machines
from generate.results.collector import held_off
from generate.results.load import load
from generate.site import address
from generate.site.pipeline import everything, make_context
from generate.site.plotly_js import find_bundle
from generate.site.write import DATA_MANIFEST, write
from generate.statistics import validation
from runners.harness.catalogue.scenarios import ROOT, find
from runners.harness.errors import UserError
from runners.harness.files import write_atomically

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import pandas as pd

    from generate.analysis.summaries import GatedRecord
    from generate.claims.model import Fault
    from generate.results.load import Problem
    from generate.site.write import Content

LEFT_OUT = 3
"""Exit status where result files were left out: all else was made. (Python itself ends with 1 when it breaks off.)"""
FOLDER = click.Path(path_type=Path)
RESULTS = click.option("--results", type=FOLDER, default=ROOT / "results", help="Folder of result files.")
OUT = click.option("--out", type=FOLDER, default=ROOT / "build", help="Folder to write to.")
DOCS = click.option("--docs", type=FOLDER, default=ROOT / "docs", help="Folder of hand-written pages and claims.")


class JudgedResults(NamedTuple):
    """The results, looked at and judged: what pages and downloads are made from."""

    seen: list[GatedRecord]
    frame: pd.DataFrame
    site: CurrentResults
    board: Board


def judge(results: Path, docs: Path) -> JudgedResults:
    """Read the results, put them through the gate, sum them up, and judge the claims in *docs* by them."""
    scenarios = find()
    loaded = load(results)
    seen = look(select_current(loaded.files), scenarios)
    frame = summaries(seen, references=False)
    site = CurrentResults.of(scenarios, loaded, seen, frame)
    return JudgedResults(seen, frame, site, Board.of(read(docs), scenarios, seen))


@contextmanager
def ending_on_errors() -> Iterator[None]:
    """End with status 2, and what to put right, where a user can; the garbage collector is held off meanwhile."""
    try:
        with held_off():
            yield
    except UserError as error:
        click.echo(error, err=True)
        sys.exit(2)


@click.group(invoke_without_command=True, context_settings={"show_default": True})
@RESULTS
@OUT
@DOCS
@click.option(
    "--site-url", envvar="SITE_URL", default="", help="Where the site will stand; on GitHub Actions, its Pages address."
)
@click.pass_context
def main(context: click.Context, results: Path, out: Path, docs: Path, site_url: str) -> None:
    """Make the site's pages of the result files.

    Result files that cannot be used are told, and the site is made without them; the exit status is then 3. So it is
    with mistakes in the claims; the exit status is then 2.
    """
    if context.invoked_subcommand is not None:
        return
    with ending_on_errors():
        judged = judge(results, docs)
        bundle = find_bundle(ROOT / ".cache")
        site_context = make_context(judged.site, judged.board, bundle, validation.read(docs))
        written = write(out, everything(site_context, bundle, docs, address.site_url(site_url, os.environ)), docs)
    click.echo(f"charts: {bundle.origin}")
    click.echo(f"{len(judged.site.files)} result files; in {out}: {written}")
    left_out = tell(judged.site.problems)
    sys.exit(tell_faults(judged.board.faults) or left_out)


@main.command()
@RESULTS
@OUT
@DOCS
def verdicts(results: Path, out: Path, docs: Path) -> None:
    """Print the verdicts on all claims, and write them to verdicts.json."""
    with ending_on_errors():
        scenarios = find()
        loaded = load(results)
        board = Board.of(read(docs), scenarios, look(select_current(loaded.files), scenarios))
        out.mkdir(parents=True, exist_ok=True)
        write_atomically(out / "verdicts.json", board.as_json())
    show(board)
    tell(loaded.problems)
    tell_faults(board.faults)


@main.command()
@RESULTS
@OUT
@DOCS
def data(results: Path, out: Path, docs: Path) -> None:
    """Make the files to download, and what pages fetch of other machines than the leading one."""
    with ending_on_errors():
        judged = judge(results, docs)
        made: dict[str, Content] = {**downloads(judged.site, judged.board, judged.seen, judged.frame, results)}
        site_context = SiteContext(
            judged.site, judged.board, {}, find_bundle(ROOT / ".cache").path, validation.read(docs)
        )
        made |= {f"docs/{path}": content for path, content in of_other_machines(site_context)}
        written = write(out, made, docs, manifest=DATA_MANIFEST)
    click.echo(f"{len(judged.site.files)} result files to download; in {out}: {written}")
    left_out = tell(judged.site.problems)
    sys.exit(tell_faults(judged.board.faults) or left_out)


@main.command()
@click.argument("paths", nargs=-1, type=FOLDER)
@click.option("--strict", is_flag=True, help="Fail on what the sanity gate refuses, too.")
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


def tell(problems: Sequence[Problem]) -> int:
    """Print what could not be used; return the exit status."""
    for problem in problems:
        line = f"{problem.path} {problem.field}: {problem.message}; {problem.remedy}"
        click.echo(checking.plain(line), err=True)
    if problems:
        click.echo(f"the site was made without {len(problems)} result file(s) that could not be used", err=True)
    return LEFT_OUT if problems else 0


def tell_faults(faults: Sequence[Fault]) -> int:
    """Print what is wrong with the claims; return the exit status."""
    for fault in faults:
        click.echo(checking.plain(str(fault)), err=True)
    if faults:
        click.echo(f"{len(faults)} mistake(s) in the claims: those are shown as not measured", err=True)
    return 2 if faults else 0


if __name__ == "__main__":
    main()
