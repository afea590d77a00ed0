"""Checks result files: are they readable, publishable and possible?"""

import datetime as dt
import itertools
import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path, PurePath
from typing import Literal, NamedTuple

import click

from generate.data import gate
from generate.data.files import ResultFile, hosted_matrix
from generate.data.read import load, load_facts
from generate.words import patterns
from generate.words.log_lines import describe_mistake, log_line
from generate.words.numbers import count_noun
from runners.harness.builds.host import LONGEST_LABEL, format_cores
from runners.harness.catalogue import scenarios as catalogue
from runners.harness.catalogue.scenarios import Scenario

MOST_BYTES = 650_000
"""Larger files slow down the repository and the site. The map's files are the largest."""
NAME = re.compile(r"[\w.+=-]+\.json", re.ASCII)
LABEL = re.compile(rf"[A-Za-z0-9][A-Za-z0-9 ._-]{{0,{LONGEST_LABEL - 1}}}")
HOSTED = re.compile(r"(ubuntu|macos|windows)[\d ._-]*\d")
"""Labels of GitHub's machines, past and present."""
LOOK_ALIKES = str.maketrans("01i", "oll", " ._-")


class Finding(NamedTuple):
    """A fault in a file, with its field or series and the remedy."""

    path: str
    kind: Literal["unreadable", "unpublishable", "impossible"]
    """Unreadable: not a record. Unpublishable: only for local/. Impossible: the sanity gate rejects a series. The
    site shows it as rejected and uses the file's others, so a published file may stay."""
    place: str
    message: str

    def __str__(self) -> str:
        """Return one plain line: names and fields come from the file."""
        return log_line(": ".join(filter(None, self)))


class Report(NamedTuple):
    """The findings of a check, in order of path."""

    checked: int
    """Readable files."""
    findings: list[Finding]
    exit_status: int

    def lines(self) -> list[str]:
        """Return one line a finding, and a summary."""
        numbers = (count_noun(self.checked, "file"), count_noun(len(self.findings), "finding"))
        pattern = patterns.FILES_CHECKED if self.exit_status or not self.findings else patterns.FILES_CHECKED_REJECTED
        return [*map(str, self.findings), pattern.format(*numbers)]


def check(
    paths: Sequence[Path],
    scenarios: Mapping[str, Scenario] | None = None,
    *,
    strict: bool = False,
    published: Path | None = None,
) -> Report:
    """Check the files at *paths*, and below folders, by *scenarios* or the catalogue's.

    A *strict* check is for contributed files, next to those *published* so far. Broken scenarios raise
    UserError; broken files are findings.
    """
    loaded = load(*paths)
    scenarios = catalogue.find() if scenarios is None else scenarios
    others = load_facts(published) if strict and published and published.is_dir() else []
    machines = _machines([*loaded.files, *(file for file in others if not file.local)])
    findings = [
        Finding(problem.path, "unreadable", problem.field, f"{problem.message}; {problem.remedy}")
        for problem in loaded.problems
    ]
    for file in loaded.files:
        findings += [Finding(file.path, "impossible", "", fault) for fault in _gate_faults(file, scenarios)]
        broken = [*_unpublishable(file), *(_unpublishable_by_others(file, machines) if strict else ())]
        findings += [Finding(file.path, "unpublishable", field, message) for field, message in broken]
    is_bad = any(strict or finding.kind != "impossible" for finding in findings)
    return Report(len(loaded.files), sorted(findings, key=lambda finding: finding.path), int(is_bad))


def _gate_faults(file: ResultFile, scenarios: Mapping[str, Scenario]) -> list[str]:
    """Return what the sanity gate finds, or that the file breaks it."""
    try:
        return [*map(str, gate.faults(file.record, scenarios))]
    except Exception as error:  # noqa: BLE001 - it is named, and one file must not hide the findings of others
        return [patterns.FILE_BREAKS.format(describe_mistake(error))]


def _machines(files: Iterable[ResultFile]) -> dict[str, tuple[str, int]]:
    """Return the processor and cores of each label's first run, by the label in lower case."""
    machines: dict[str, tuple[str, int]] = {}
    for machine in (file.record.machine for file in sorted(files, key=lambda file: file.order)):
        machines.setdefault(machine.label.casefold(), (machine.cpu, machine.usable_cores))
    return machines


def _unpublishable(file: ResultFile) -> Iterator[tuple[str, str]]:
    """Yield what keeps a file outside local/ from being published, by field.

    A hosted run that ran out of time can't be resumed, so what it reached may stay.
    """
    if file.local:
        return
    run, is_cut = file.record.run, not file.record.complete
    if file.size_bytes > MOST_BYTES:
        yield "", f"{file.size_bytes:,} bytes; at most {MOST_BYTES:,} are published"
    if run.commit is None:
        yield "$.run.commit", "measured outside a git checkout, so nobody can repeat it"
    if run.dirty is not False:
        yield "$.run.dirty", "measured from uncommitted code; commit, then measure again"
    if is_cut and run.trigger == "local":
        yield "$.complete", "the run was cut off; resume it, or keep it under local/"


def _unpublishable_by_others(file: ResultFile, machines: Mapping[str, tuple[str, int]]) -> Iterator[tuple[str, str]]:
    """Yield what a contributed file must not claim: a hosted run or machine, somebody else's, the future."""
    run, machine = file.record.run, file.record.machine
    label = machine.label
    if run.trigger != "local" or run.url is not None:
        yield "$.run", "has the trigger or url of a hosted run; measure on your own machine, without a workflow"
    path = PurePath(file.path)
    folder = ("results", run.started[:10], f"{re.sub('[-:]', '', run.started)}-{run.seed:08x}")
    given = zip(reversed(path.parent.parts), reversed(folder), strict=False)  # a folder may hide some
    if run.id != folder[-1] or any(own != right for own, right in given) or not NAME.fullmatch(path.name):
        yield "$.run.id", f"keep the run's id, folder and file names: it belongs in {'/'.join(folder)}"
    hosted = {machine.label.casefold().translate(LOOK_ALIKES) for machine in hosted_matrix().machine}
    lower = label.casefold()
    if not LABEL.fullmatch(label) or HOSTED.match(lower) or lower.translate(LOOK_ALIKES) in hosted:
        remedy = f"measure with another --machine, of up to {LONGEST_LABEL} ASCII letters and digits"
        yield "$.machine.label", f"{label} is not a valid name, or looks like a hosted machine's; {remedy}"
    cpu, cores = machines[lower]
    if (cpu, cores) != (machine.cpu, machine.usable_cores):
        free = next(name for number in itertools.count(2) if (name := f"{label}-{number}").casefold() not in machines)
        owner = f"{cpu} with {format_cores(cores)}"
        yield "$.machine.label", f"{label} is the name of another machine, {owner}; measure with --machine {free}"
    if run.finished is not None and run.finished < run.started:
        yield "$.run.finished", "before $.run.started; set the machine's clock, then measure again"
    tomorrow = str(dt.datetime.now(dt.UTC).date() + dt.timedelta(days=1))
    if max(run.started, run.finished or "")[:10] > tomorrow:  # pages would show it first until then
        yield "$.run.started", "measured in the future; set the machine's clock, then measure again"


@click.command("check")
@click.argument("paths", nargs=-1, type=click.Path(exists=True, path_type=Path))
@click.option("--strict", is_flag=True, help="Apply the rules for new files, the sanity gate included.")
def command(paths: tuple[Path, ...], *, strict: bool) -> None:
    """Check result files (default: results/) against the schema and the sanity gate."""
    published = catalogue.ROOT / "results"
    report = check(paths or (published,), strict=strict, published=published)
    for line in report.lines():
        click.echo(line)
    sys.exit(report.exit_status)
