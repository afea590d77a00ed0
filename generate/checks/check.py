"""Checks result files: can they be read, may they be published, and can what they say be true?"""

from __future__ import annotations

import datetime as dt
import re
import sys
from dataclasses import dataclass
from pathlib import PurePath
from typing import TYPE_CHECKING, Literal

import click

from generate.analysis import sanity_gate
from generate.results.load import load
from generate.results.options import FOLDER
from generate.text.hosted_machines import known
from generate.text.log_lines import log_line
from runners.harness.builds.host import LONGEST_LABEL
from runners.harness.catalogue import scenarios as catalogue

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from generate.results.model import ResultFile
    from runners.harness.catalogue.scenarios import Scenario

MOST_BYTES = 650_000
"""A published file that is larger makes the repository and the site slow. The map's has the most. A full run of
all else has two thirds of it, more with 20 rounds or on a noisy machine, whose latencies have more digits."""
NAME = re.compile(r"[\w.+=-]+\.json", re.ASCII)
LABEL = re.compile(rf"[A-Za-z0-9][A-Za-z0-9 ._-]{{0,{LONGEST_LABEL - 1}}}")
HOSTED = re.compile(r"(ubuntu|macos|windows)[\d ._-]*\d")
"""How the labels of GitHub's machines begin, those that are no longer measured included."""
LOOK_ALIKES = str.maketrans("01i", "oll", " ._-")

Kind = Literal["unreadable", "unpublishable", "impossible"]


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is wrong with a file."""

    path: str
    """The file, as it was found."""
    kind: Kind
    """Unreadable: it is not a record. Unpublishable: it may lie under local/ alone. Impossible: the sanity gate refuses
    a series; the site shows that one as refused and the others as they are, so a file that was published once may have
    such series."""
    where: str
    """The field, or the series."""
    message: str
    """What is wrong, and what to do about it."""

    def __str__(self) -> str:
        """Return it as one plain line: names and fields are those of the file."""
        return log_line(": ".join(part for part in (self.path, self.kind, self.where, self.message) if part))


@dataclass(frozen=True, slots=True)
class Report:
    """What a check found."""

    checked: int
    """How many files could be read."""
    findings: list[Finding]
    """In order of file."""
    strict: bool = False
    """Whether what the gate refuses is a failure, as in files that are new and can still be measured again."""

    @property
    def exit_status(self) -> int:
        """1 when a file is unreadable or unpublishable, or, where it is strict, impossible; 0 otherwise."""
        return 1 if any(self.strict or finding.kind != "impossible" for finding in self.findings) else 0

    def lines(self) -> list[str]:
        """Return one line a finding, and one that sums up."""
        count = len(self.findings)
        files = f"{self.checked} file{'' if self.checked == 1 else 's'} read"
        shown = "; the site shows them as refused" if count and not self.exit_status else ""
        return [*map(str, self.findings), f"{files}, {count or 'no'} finding{'' if count == 1 else 's'}{shown}"]


def check(paths: Sequence[Path], scenarios: Mapping[str, Scenario] | None = None, *, strict: bool = False) -> Report:
    """Check the files at *paths*, and those below folders. Without *scenarios* those of the catalogue are taken.

    A *strict* check is of files that somebody wants to add to results/: they say that he or she measured them by hand.
    Raises nothing for a file, whatever is in it; a CatalogueError when the scenarios themselves are broken.
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
            findings += _of_another_run_or_machine(file)
            findings += _of_a_day_to_come(file)
    return Report(len(loaded.files), sorted(findings, key=lambda finding: finding.path), strict)


def _unpublishable(file: ResultFile) -> Iterator[Finding]:
    """Hold a file outside local/ to what publishing asks for. Anyone's own file may be as it is.

    A hosted run whose time ran out can't be resumed: what it reached stays, and comes after a whole run.
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
    for fault in sanity_gate.faults(file.record, scenarios):
        yield Finding(file.path, "impossible", "", str(fault))


def _of_a_day_to_come(file: ResultFile) -> Iterator[Finding]:
    """Find what a clock that is ahead says: the newest result is current, so this one would be for long."""
    run, tomorrow = file.record.run, str(dt.datetime.now(dt.UTC).date() + dt.timedelta(days=1))
    if max(run.started, run.finished or "")[:10] > tomorrow:
        message = "measured in the future; set the machine's clock, then measure again"
        yield Finding(file.path, "unpublishable", "$.run.started", message)


def _of_another_run_or_machine(file: ResultFile) -> Iterator[Finding]:
    """Find what a file that somebody adds can't say: that it is of a hosted run or machine, or of another's run."""
    run, label = file.record.run, file.record.machine.label
    if run.trigger != "local" or run.url is not None:
        message = "a hosted run's trigger or url; measure on a machine of your own, without a workflow"
        yield Finding(file.path, "unpublishable", "$.run", message)
    path = PurePath(file.path)
    folder = ("results", run.started[:10], f"{re.sub('[-:]', '', run.started)}-{run.seed:08x}")
    given = zip(reversed(path.parent.parts), reversed(folder), strict=False)  # less than the whole below a folder
    if run.id != folder[-1] or any(own != right for own, right in given) or not NAME.fullmatch(path.name):
        message = f"a run begun then with this seed lies in {'/'.join(folder)}; keep its own id, folder and names"
        yield Finding(file.path, "unpublishable", "$.run.id", message)
    hosted = {machine.label.casefold().translate(LOOK_ALIKES) for machine in known().machine}
    lower = label.casefold()
    if not LABEL.fullmatch(label) or HOSTED.match(lower) or lower.translate(LOOK_ALIKES) in hosted:
        message = (
            f"{label} is no name, or looks like a hosted machine's; "
            f"measure again with --machine and another name, of up to {LONGEST_LABEL} plain letters and digits"
        )
        yield Finding(file.path, "unpublishable", "$.machine.label", message)


@click.command("check")
@click.argument("paths", nargs=-1, type=FOLDER)
@click.option("--strict", is_flag=True, help="Hold files to what is asked of new ones, the sanity gate included.")
def command(paths: tuple[Path, ...], *, strict: bool) -> None:
    """Check result files (default: results/) against the schema and the sanity gate."""
    report = check(paths or (catalogue.ROOT / "results",), strict=strict)
    for line in report.lines():
        click.echo(line)
    sys.exit(report.exit_status)
