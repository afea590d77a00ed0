"""The commands that make the whole site, its pages, or its verdicts."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, NoReturn

import click

from generate.claims.terminal import show
from generate.options import DOCS, OUT, RESULTS, SITE_URL
from generate.site.navigation import repository
from generate.site.navigation import site_url as address_of
from generate.site.pipeline import Options, build, judge
from generate.site.plotly_js import find_bundle
from generate.site.write import write, writing_to
from generate.words.log_lines import ending_on_errors, log_line
from runners.harness import programs
from runners.harness.catalogue.scenarios import ROOT
from runners.harness.files import write_atomically
from runners.harness.run.session import revision

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from generate.claims.model import Fault
    from generate.data.files import Problem

LEFT_OUT = 3
"""Exit status where result files were left out: all else was made. (Python itself ends with 1 when it breaks off.)"""
PROBLEMS = "the site was made without {} result file(s) that could not be used"
FAULTS = "{} mistake(s) in the claims, or in what refers to them: these are shown as not measured, or left out"


@click.command(hidden=True)
@RESULTS
@OUT
@DOCS
@SITE_URL
def site(results: Path, out: Path, docs: Path, site_url: str) -> None:
    """Make the pages and what can be downloaded: what the program does where no command is named."""
    make(results, out, docs, site_url, downloads=True)


@click.command()
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
        bundle, address = find_bundle(ROOT / ".cache"), address_of(site_url, os.environ)
        origin = repository(os.environ, _origin())
        options = Options(bundle, address, downloads, revision=revision(), repository=origin)
        made = build(results, docs, options)
        with writing_to(out):
            write(out, made.files, docs)
    click.echo(f"charts: {options.bundle.origin}")
    click.echo(f"{len(made.results.files)} result files; in {out}: {len(made.files)} files written")
    report(made.results.problems, PROBLEMS)
    report(made.board.faults, FAULTS)
    if made.board.faults:
        sys.exit(2)
    sys.exit(LEFT_OUT if made.results.problems else 0)


def _origin() -> str:
    """Return where this clone is from, as git writes it; empty where it is from nowhere, or no clone."""
    try:
        return programs.run("git", "-C", ROOT, "config", "--get", "remote.origin.url").stdout.strip()
    except OSError:
        return ""


@click.command()
@click.argument("claims", nargs=-1)
@RESULTS
@OUT
@DOCS
def verdicts(claims: tuple[str, ...], results: Path, out: Path, docs: Path) -> None:
    """Print the verdicts on all claims, and write them to verdicts.json.

    Of CLAIMS alone, each of which is a claim (S4.2), a part of one (S4.2c) or a source (S4), where some are named: then
    with what was measured for each of their parts. The file has them all.
    """
    with ending_on_errors():
        judged = judge(results, docs)
        board, problems = judged.board, judged.results.problems
        chosen = board.claims_named(claims)
        with writing_to(out):
            out.mkdir(parents=True, exist_ok=True)
            write_atomically(out / "verdicts.json", board.as_json())
    show(board, chosen, in_full=bool(claims))
    report(problems, PROBLEMS)
    report(board.faults, FAULTS)
    sys.exit(2 if board.faults else 0)


def report(problems: Sequence[Problem | Fault], summary: str) -> None:
    """Print what is wrong, each in a line, and how many there are."""
    for problem in problems:
        click.echo(log_line(problem), err=True)
    if problems:
        click.echo(summary.format(len(problems)), err=True)
