"""Checks result files: are they readable, publishable and possible?"""

from __future__ import annotations

import datetime as dt
import re
import sys
from dataclasses import dataclass
from pathlib import PurePath
from typing import TYPE_CHECKING, Literal

import click

from generate.data import gate
from generate.data.read import load
from generate.options import FOLDER
from generate.words.log_lines import log_line
from generate.words.machines import hosted_matrix
from runners.harness.builds.host import LONGEST_LABEL
from runners.harness.catalogue import scenarios as catalogue

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from generate.data.files import ResultFile
    from runners.harness.catalogue.scenarios import Scenario

MOST_BYTES = 650_000
"""Larger files make the repository and the site slow. The map's are the largest."""
NAME = re.compile(r"[\w.+=-]+\.json", re.ASCII)
LABEL = re.compile(rf"[A-Za-z0-9][A-Za-z0-9 ._-]{{0,{LONGEST_LABEL - 1}}}")
HOSTED = re.compile(r"(ubuntu|macos|windows)[\d ._-]*\d")
"""Labels of GitHub's machines, past and present."""
LOOK_ALIKES = str.maketrans("01i", "oll", " ._-")

Kind = Literal["unreadable", "unpublishable", "impossible"]


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is wrong with a file."""

    path: str
    kind: Kind
    """Unreadable: not a record. Unpublishable: only for local/. Impossible: the sanity gate rejects a series, which the
    site shows as rejected; the file's others count, so a file that is published already may stay."""
    where: str
    """The field, or the series."""
    message: str
    """What is wrong, and what to do about it."""

    def __str__(self) -> str:
        """Return one plain line: names and fields come from the file."""
        return log_line(": ".join(part for part in (self.path, self.kind, self.where, self.message) if part))


@dataclass(frozen=True, slots=True)
class Report:
    """What a check found."""

    checked: int
    """Readable files."""
    findings: list[Finding]
    """In order of path."""
    strict: bool = False
    """True if an impossible series is a failure too, as in new files, which can be measured again."""

    @property
    def exit_status(self) -> int:
        """1 for unreadable or unpublishable files, if strict for impossible ones too; else 0."""
        return 1 if any(self.strict or finding.kind != "impossible" for finding in self.findings) else 0

    def lines(self) -> list[str]:
        """Return one line a finding, and a summary."""
        count = len(self.findings)
        files = f"{self.checked} file{'' if self.checked == 1 else 's'} read"
        shown = "; the site shows them as rejected" if count and not self.exit_status else ""
        return [*map(str, self.findings), f"{files}, {count or 'no'} finding{'' if count == 1 else 's'}{shown}"]


def check(paths: Sequence[Path], scenarios: Mapping[str, Scenario] | None = None, *, strict: bool = False) -> Report:
    """Check the files at *paths*, and below folders, by *scenarios* or the catalogue's.

    A *strict* check is for files that somebody adds to results/, measured by hand. No file raises anything; broken
    scenarios raise CatalogueError.
    """
    loaded = load(*paths)
    scenarios = catalogue.find() if scenarios is None else scenarios
    findings = [
        Finding(problem.path, "unreadable", problem.field, f"{problem.message}; {problem.remedy}")
        for problem in loaded.problems
    ]
    for file in loaded.files:
        findings += _unpublishable(file)
        findings += _impossible(file, scenarios)
        if strict:
            findings += _claims_of_others(file)
            findings += _in_the_future(file)
    return Report(len(loaded.files), sorted(findings, key=lambda finding: finding.path), strict)


def _unpublishable(file: ResultFile) -> Iterator[Finding]:
    """Yield what keeps a file outside local/ from being published.

    A hosted run that ran out of time can't be resumed, so what it reached may stay.
    """
    if file.local:
        return
    run, is_cut = file.record.run, not file.record.complete
    rules = (
        (file.size_bytes > MOST_BYTES, "", f"{file.size_bytes:,} bytes; at most {MOST_BYTES:,} are published"),
        (run.commit is None, "$.run.commit", "measured outside a git checkout: nobody could repeat it"),
        (run.dirty is not False, "$.run.dirty", "measured from code that no commit holds; commit, then measure again"),
        (is_cut and run.trigger == "local", "$.complete", "the run was cut off; resume it, or keep it under local/"),
    )
    for broken, field, message in rules:
        if broken:
            yield Finding(file.path, "unpublishable", field, message)


def _impossible(file: ResultFile, scenarios: Mapping[str, Scenario]) -> Iterator[Finding]:
    for fault in gate.faults(file.record, scenarios):
        yield Finding(file.path, "impossible", "", str(fault))


def _in_the_future(file: ResultFile) -> Iterator[Finding]:
    """Yield a start in the future: newest first, such a result would lead for long."""
    run, tomorrow = file.record.run, str(dt.datetime.now(dt.UTC).date() + dt.timedelta(days=1))
    if max(run.started, run.finished or "")[:10] > tomorrow:
        message = "measured in the future; set the machine's clock, then measure again"
        yield Finding(file.path, "unpublishable", "$.run.started", message)


def _claims_of_others(file: ResultFile) -> Iterator[Finding]:
    """Yield what a contributed file can't claim: a hosted run or machine, or somebody else's run."""
    run, label = file.record.run, file.record.machine.label
    if run.trigger != "local" or run.url is not None:
        message = "a hosted run's trigger or url; measure on a machine of your own, without a workflow"
        yield Finding(file.path, "unpublishable", "$.run", message)
    path = PurePath(file.path)
    folder = ("results", run.started[:10], f"{re.sub('[-:]', '', run.started)}-{run.seed:08x}")
    given = zip(reversed(path.parent.parts), reversed(folder), strict=False)  # a folder may hide some
    if run.id != folder[-1] or any(own != right for own, right in given) or not NAME.fullmatch(path.name):
        message = f"a run begun then with this seed lies in {'/'.join(folder)}; keep its own id, folder and names"
        yield Finding(file.path, "unpublishable", "$.run.id", message)
    hosted = {machine.label.casefold().translate(LOOK_ALIKES) for machine in hosted_matrix().machine}
    lower = label.casefold()
    if not LABEL.fullmatch(label) or HOSTED.match(lower) or lower.translate(LOOK_ALIKES) in hosted:
        message = (
            f"{label} is no name, or looks like a hosted machine's; "
            f"measure again with --machine and another name, of up to {LONGEST_LABEL} plain letters and digits"
        )
        yield Finding(file.path, "unpublishable", "$.machine.label", message)


@click.command("check")
@click.argument("paths", nargs=-1, type=FOLDER)
@click.option("--strict", is_flag=True, help="Apply the rules for new files, the sanity gate included.")
def command(paths: tuple[Path, ...], *, strict: bool) -> None:
    """Check result files (default: results/) against the schema and the sanity gate."""
    report = check(paths or (catalogue.ROOT / "results",), strict=strict)
    for line in report.lines():
        click.echo(line)
    sys.exit(report.exit_status)
