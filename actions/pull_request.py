"""Checks the results that a pull request brings: new files in a new folder, that say what nobody may doubt. Our side.

Whoever opens a pull request writes the names and the files: nothing in them is trusted, and what is printed of them is
one plain line each. Whether the numbers are likely is for the person who merges them to judge.
"""

from __future__ import annotations

import re
import subprocess
import sys
from typing import TYPE_CHECKING

import click

from generate.checks import check
from generate.results.load import SCHEMA_FILE, load
from generate.text.log_lines import log_line
from runners.harness import matrix
from runners.harness.builds.host import LONGEST_LABEL
from runners.harness.catalogue import scenarios as catalogue
from runners.harness.errors import UserError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

    from generate.results.model import ResultFile
    from runners.harness.catalogue.scenarios import Scenario

RESULT = re.compile(r"(results/\d{4}-\d{2}-\d{2}/[\w.-]+)/(?!cells\.json$)[\w.-]+\.json", re.ASCII)
OF_A_DAY = re.compile(r"results/\d{4}-\d{2}-\d{2}/")
LABEL = re.compile(rf"[A-Za-z0-9][A-Za-z0-9 ._-]{{0,{LONGEST_LABEL - 1}}}")
HOSTED = re.compile(r"(ubuntu|macos|windows)[\d ._-]*\d")
"""How the labels of GitHub's machines begin, those that are no longer measured included."""
LOOK_ALIKES = str.maketrans("01i", "oll", " ._-")


@click.command()
@click.option("--base", required=True, help="the commit that a pull request is to be merged into")
def command(base: str) -> None:
    """Check the results that a pull request brings; nothing to check is well."""
    sys.exit(show(base, catalogue.ROOT, catalogue.find()))


def show(base: str, root: Path, scenarios: Mapping[str, Scenario]) -> int:
    """Print what is wrong with the results that came since *base*; return the exit status. Raises UserError."""
    parts = _git(root, base, "diff", "--name-status", "--no-renames", "-z", f"{base}...HEAD", "--")
    changes = dict(zip(parts[1::2], parts[::2], strict=True))
    there = _git(root, base, "ls-tree", "-r", "-z", "--name-only", base, "results/")
    loaded = load(*(root / path for path, kind in changes.items() if kind == "A" and RESULT.fullmatch(path)))
    faults = [*faults_of_paths(changes, there), *(fault for file in loaded.files for fault in faults_of(file))]
    report = check.check_loaded(loaded, scenarios, strict=True)
    for line in [*faults, *report.lines()]:
        click.echo(log_line(line.replace(f"{root.as_posix()}/", "")))
    return 1 if faults else report.exit_status


def _git(root: Path, base: str, *arguments: str) -> list[str]:
    """Return the parts, ended by NUL, of what git prints."""
    done = subprocess.run(  # noqa: S603 - our own commands
        ["git", *arguments],  # noqa: S607 - git of the machine
        cwd=root,
        capture_output=True,
        encoding="utf-8",
        errors="backslashreplace",
        check=False,
    )
    if done.returncode:
        msg = f"git can't compare with {base[:60]!r}: {done.stderr.strip()[:200]}"
        raise UserError(msg)
    return done.stdout.split("\0")[:-1]


def faults_of_paths(changes: Mapping[str, str], there: Iterable[str]) -> Iterator[str]:
    """Say what a pull request may not do. *changes*: git's letter by path; *there*: the base's paths in results/."""
    runs = {path.rpartition("/")[0].casefold() for path in there}  # some file systems know no capital letters
    brings = any(RESULT.fullmatch(path) for path in changes)
    for path, kind in changes.items():
        is_json = path.startswith("results/") and path.endswith(".json") and path != f"results/{SCHEMA_FILE}"
        if not is_json and not OF_A_DAY.match(path):
            if brings:
                yield f"{path}: results come in a pull request of their own; leave this out"
        elif kind != "A":
            yield f"{path}: changed or removed; what was measured stays as it is: take the main branch's file"
        elif (match := RESULT.fullmatch(path)) is None:
            yield f"{path}: a result lies at results/<day>/<run>/<name>.json; leave out all else, and any cells.json"
        elif match[1].casefold() in runs:
            yield f"{path}: the base has a run of this name; measure again, as a run of its own"


def faults_of(file: ResultFile) -> Iterator[str]:
    """Say what a contributed file may not say: that it is of another run, or of a hosted machine."""
    run, label = file.record.run, file.record.machine.label
    folder = f"results/{run.started[:10]}/{run.id}"
    if run.trigger != "local" or run.url is not None:
        yield f"{file.path}: $.run: a hosted run's trigger or url; measure on a machine of your own, without a workflow"
    if not f"/{file.path}".rpartition("/")[0].endswith(f"/{folder}"):
        yield f"{file.path}: $.run.id: it is of {folder}; keep the run's own folder"
    hosted = {machine.label.casefold().translate(LOOK_ALIKES) for machine in matrix.read().machine}
    lower = label.casefold()
    if not LABEL.fullmatch(label) or HOSTED.match(lower) or lower.translate(LOOK_ALIKES) in hosted:
        remedy = f"measure again with --machine and another name, of up to {LONGEST_LABEL} plain letters and digits"
        yield f"{file.path}: $.machine.label: {label} is no name, or looks like a hosted machine's; {remedy}"
