"""The commands that make the site, and that judge the claims."""

import os
import sys
from collections.abc import Sequence
from pathlib import Path

import click

from generate.claims.model import Fault
from generate.claims.terminal import show
from generate.data.files import Problem
from generate.downloads.index import Origin
from generate.options import DOCS, OUT, RESULTS, SITE_URL
from generate.site import navigation
from generate.site.pipeline import Options, build, judge
from generate.site.plotly_js import find_bundle
from generate.site.write import write, writing_to
from generate.words.log_lines import ending_on_errors, log_line
from runners.harness.catalogue.scenarios import ROOT
from runners.harness.run.revision import revision

BAD_CLAIMS, LEFT_OUT = 2, 3
"""Exit statuses for mistakes in the claims and for result files left out. Everything else is made."""
PROBLEMS = "the site was made without {} result file(s) that could not be used"
FAULTS = "{} mistake(s) in the claims, or in what refers to them: these are shown as not measured, or left out"


@click.command()
@RESULTS
@OUT
@DOCS
@SITE_URL
def site(results: Path, out: Path, docs: Path, site_url: str) -> None:
    """Make the sources of the site: its pages, and what can be downloaded. This is the default.

    Unusable result files are reported and left out; the exit status is then 3. Mistakes in the claims are treated
    likewise; the exit status is then 2.
    """
    with ending_on_errors():
        bundle, address = find_bundle(ROOT / ".cache"), navigation.site_url(site_url, os.environ)
        origin = Origin(address, revision(), navigation.repository(os.environ))
        made = build(results, docs, Options(bundle, origin))
        with writing_to(out):
            write(out, made.files, docs)
    click.echo(f"charts: {bundle.origin}")
    click.echo(f"{len(made.results.files)} result files; in {out}: {len(made.files)} files written")
    _report(made.results.problems, PROBLEMS)
    _report(made.board.faults, FAULTS)
    sys.exit(BAD_CLAIMS if made.board.faults else LEFT_OUT if made.results.problems else 0)


@click.command()
@click.argument("claims", nargs=-1)
@RESULTS
@DOCS
def verdicts(claims: tuple[str, ...], results: Path, docs: Path) -> None:
    """Print the verdicts on all claims.

    With CLAIMS, print only these claims (S4.2), parts (S4.2c) or sources (S4), and what was measured for each part.
    """
    with ending_on_errors():
        judged = judge(results, docs)
        _report(judged.board.faults, FAULTS)  # first: a claim with a mistake is not known by its name
        chosen = judged.board.claims_named(claims)
    show(judged.board, chosen, in_full=bool(claims))
    _report(judged.results.problems, PROBLEMS)
    sys.exit(BAD_CLAIMS if judged.board.faults else 0)


def _report(problems: Sequence[Problem | Fault], summary: str) -> None:
    for problem in problems:
        click.echo(log_line(problem), err=True)
    if problems:
        click.echo(summary.format(len(problems)), err=True)
