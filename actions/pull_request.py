"""Checks the results that a pull request brings: new files of runs that were begun by hand, and nothing else. Our side.

Whoever opens a pull request writes the names and the files: nothing in them is trusted, and what is printed of them is
one plain line each.
"""

from __future__ import annotations

import datetime as dt
import re
import subprocess
from typing import TYPE_CHECKING, NamedTuple

import click

from generate.checks import check
from generate.results.load import SCHEMA_FILE, load_paths
from runners.harness import matrix
from runners.harness.builds.host import LONGEST_LABEL
from runners.harness.catalogue import scenarios as catalogue
from runners.harness.errors import UserError
from runners.harness.record import cells_file

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from generate.results.load import ResultFile
    from runners.harness.catalogue.scenarios import Scenario
    from runners.harness.record.model import Machine

FOLDER = "results/"
RESULT = re.compile(r"results/\d{4}-\d{2}-\d{2}/[\w.-]+/[\w.-]+\.json", re.ASCII)
OF_A_DAY = re.compile(r"results/\d{4}-\d{2}-\d{2}/")
KINDS = {"M": "changed", "D": "removed", "T": "turned into another kind of file"}
CLOCKS_DIFFER = dt.timedelta(minutes=10)
"""Two clocks that are both set differ by less."""


class GitError(UserError):
    """The changes could not be read."""


class Change(NamedTuple):
    """A path that differs."""

    kind: str
    """Git's letter: A, M, D, T."""
    path: str


class Base(NamedTuple):
    """What a pull request's base has already."""

    runs: frozenset[str]
    """Names of its runs, by folder and by record, in small letters: some file systems know no others."""
    hosted: frozenset[str]
    """Slugs of the labels of hosted machines, those that are no longer measured included."""
    machines: Mapping[str, Machine]
    """By slug: the host that has the label."""


def show(base: str, root: Path = catalogue.ROOT, scenarios: Mapping[str, Scenario] | None = None) -> int:
    """Print what is wrong with the results that came since *base*; return the exit status. Raises GitError."""
    found = changes(root, base)
    new = added(found)
    loaded = load_paths([root / path for path in new])
    report = check.check_loaded(loaded, scenarios, strict=True)
    now = dt.datetime.now(dt.UTC)
    wrong = [*faults(found), *(faults_of(loaded.files, base_of(root, base), now) if new else ())]
    for line in [*wrong, *report.lines()]:
        click.echo(check.plain(line.replace(f"{root.as_posix()}/", "")))
    return 1 if wrong else report.exit_status


def changes(root: Path, base: str) -> list[Change]:
    """Return what differs from where this branch left *base*. Raises GitError."""
    if not base:
        msg = "the commit to compare with is not told"
        raise GitError(msg)
    parts = _git(root, base, "diff", "--name-status", "--no-renames", "-z", f"{base}...HEAD", "--")
    return [Change(kind[:1], path) for kind, path in zip(parts[::2], parts[1::2], strict=True)]


def base_of(root: Path, base: str) -> Base:
    """Read the results that *base* has. Raises GitError."""
    paths = [path for path in _git(root, base, "ls-tree", "-r", "-z", "--name-only", base, FOLDER) if is_ruled(path)]
    files = load_paths([root / path for path in paths if _is_result(path)]).files
    names = [*(path.rsplit("/", 2)[-2] for path in paths), *(file.record.run.id for file in files)]
    labels = [machine.label for machine in matrix.read().machine]
    labels += [file.record.machine.label for file in files if file.record.run.trigger != "local"]
    machines = {slug(file.record.machine.label): file.record.machine for file in files}
    return Base(frozenset(name.casefold() for name in names), frozenset(map(slug, labels)), machines)


def _git(root: Path, base: str, *arguments: str) -> list[str]:
    """Return the parts, ended by NUL, of what git prints."""
    command = ["git", *arguments]
    done = subprocess.run(  # noqa: S603 - our own modules
        command, cwd=root, capture_output=True, encoding="utf-8", errors="backslashreplace", check=False
    )
    if done.returncode:
        msg = f"git can't compare with {base[:60]!r}: {done.stderr.strip()[:200]}"
        raise GitError(msg)
    return done.stdout.split("\0")[:-1]


def is_ruled(path: str) -> bool:
    """Tell whether the rules hold: for a day's files, and for any other that would be read as a result."""
    is_schema = path == f"{FOLDER}{SCHEMA_FILE}"
    return bool(OF_A_DAY.match(path)) or (path.startswith(FOLDER) and path.endswith(".json") and not is_schema)


def _is_result(path: str) -> bool:
    return bool(RESULT.fullmatch(path)) and not path.endswith(f"/{cells_file.FILE}")


def added(found: Iterable[Change]) -> list[str]:
    """Return the paths of the result files that are new."""
    return [change.path for change in found if change.kind == "A" and _is_result(change.path)]


def faults(found: Sequence[Change]) -> Iterator[str]:
    """Say what a pull request that brings results may not do; nothing where it brings none."""
    brings = bool(added(found))
    for change in found:
        if is_ruled(change.path):
            if change.kind != "A":
                kind = KINDS.get(change.kind, "altered")
                yield f"{change.path}: {kind}; what was measured stays as it is: take the main branch's file"
            elif change.path.endswith(f"/{cells_file.FILE}"):
                yield f"{change.path}: hosted runs alone have one; leave it out"
            elif not _is_result(change.path):
                yield f"{change.path}: a result lies at results/<day>/<run>/<name>.json; move the file, or leave it out"
        elif brings:
            yield f"{change.path}: results come in a pull request of their own; leave this out"


def faults_of(files: Sequence[ResultFile], base: Base, now: dt.datetime) -> Iterator[str]:
    """Say what is wrong with new files beside a base: file, field and remedy."""
    hosts = dict(base.machines)
    for file in files:
        for field, message in (*_of_run(file, base, now), *_of_machine(file.record.machine, base.hosted, hosts)):
            yield f"{file.path}: {field}: {message}"
        hosts.setdefault(slug(file.record.machine.label), file.record.machine)


def _of_run(file: ResultFile, base: Base, now: dt.datetime) -> Iterator[tuple[str, str]]:
    run = file.record.run
    _, day, folder, _ = file.path.rsplit("/", 3)
    if run.trigger != "local":
        yield "$.run.trigger", f"{run.trigger}; it must be local: measure on a machine of your own, without a workflow"
    if run.url is not None:
        yield "$.run.url", "it must be null: hosted runs alone have a page; measure on a machine of your own"
    if day != run.started[:10]:
        yield "$.run.started", f"{run.started}, which is not the day of the folder {day}; keep the run's own folder"
    if folder != run.id:
        yield "$.run.id", f"{run.id}, which is not the folder's name {folder}; keep the run's own folder"
    if {run.id.casefold(), folder.casefold()} & base.runs:
        yield "$.run.id", f"{run.id}; the base has a run of this name: measure again, as a run of its own"
    try:
        started = dt.datetime.fromisoformat(run.started)
    except ValueError:
        yield "$.run.started", f"{run.started} is no time; measure again"
        return
    if started > now + CLOCKS_DIFFER:
        yield "$.run.started", f"{run.started} lies in the future; set the machine's clock, then measure again"


def _of_machine(machine: Machine, hosted: frozenset[str], hosts: Mapping[str, Machine]) -> Iterator[tuple[str, str]]:
    field, remedy = "$.machine.label", "measure again with --machine and another name"
    label = slug(machine.label)
    if len(machine.label) > LONGEST_LABEL or not machine.label.isprintable():
        yield field, f"more than {LONGEST_LABEL} characters, or one that can't be printed; {remedy}"
    if label in hosted:
        yield field, f"{machine.label} is the name of a hosted machine; {remedy}"
    elif (known := hosts.get(label)) and _host(known) != _host(machine):
        told = ", ".join(map(str, _host(known)))
        yield field, f"{machine.label} is the name of another machine ({told} cores); {remedy}"


def _host(machine: Machine) -> tuple[str, str, int, int]:
    return machine.cpu, machine.architecture, machine.logical_cores, machine.usable_cores


def slug(label: str) -> str:
    """Return a label as it is compared: names that differ in case or punctuation alone look the same to readers."""
    return re.sub(r"[\W_]+", "-", label.casefold()).strip("-")
