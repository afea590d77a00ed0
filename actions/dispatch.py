"""Turns what a dispatch asks for into cells: machine x build, each a job of its own.

The inputs come from a form or a schedule, as text that anybody with write access may have typed: names are matched
against matrix.toml and the catalogue, and anything else is refused with the list of what there is.
"""

from __future__ import annotations

import hashlib
import os
import re
from typing import TYPE_CHECKING, cast

import click
import msgspec

from actions import job
from runners.harness.catalogue.scenarios import find, select
from runners.harness.errors import UserError
from runners.harness.matrix import Exclusion, read
from runners.harness.record.model import Profile  # noqa: TC001 - msgspec reads the annotations
from runners.harness.run.plan import ROUNDS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

INPUTS = ("profile", "scenarios", "machines", "pythons", "rounds", "publish", "note")
PLAN_FILE = "plan.json"

MOST_ROUNDS = 24
"""More do not fit into a file that may be published."""
LONGEST_NOTE = 200
ALL = "all"


class CellJob(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One job."""

    id: str
    """Names its artifact and its files."""
    machine: str
    python: str
    reference: str
    """The reference build; empty where it is this one."""

    @property
    def own_file(self) -> str:
        """The name of its result file."""
        return f"{self.id}.json"

    @property
    def reference_file(self) -> str:
        """The name of the reference build's file, where that is another build."""
        return f"{self.id}.reference.json"

    @property
    def failure_file(self) -> str:
        """The name of the file that says why its job failed."""
        return f"{self.id}.failed.txt"

    @property
    def result_files(self) -> list[str]:
        """The names of the files that it may bring."""
        return [self.own_file, self.reference_file] if self.reference else [self.own_file]


class Plan(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A run: what was requested, and the cells that come of it."""

    profile: Profile
    rounds: int
    scenarios: list[str]
    """Empty: all."""
    publish: bool
    note: str
    cells: list[CellJob]
    excluded: list[Exclusion]


@click.command()
@click.option("--out", type=job.FOLDER, required=True, help="where plan.json is written")
def command(out: Path) -> None:
    """Plan a run from the inputs (INPUT_PROFILE and so on), and hand the matrix on."""
    plan = planned({name: os.environ.get(f"INPUT_{name.upper()}", "") for name in INPUTS}, find())
    data = msgspec.json.encode(plan)
    out.mkdir(parents=True, exist_ok=True)
    (out / PLAN_FILE).write_bytes(data)
    job.hand_on("matrix", msgspec.json.encode({"include": plan.cells}).decode())
    job.hand_on("publish", "true" if plan.publish else "false")
    run, attempt = job.variable("GITHUB_RUN_ID"), job.variable("GITHUB_RUN_ATTEMPT")
    job.hand_on("run_id", f"{job.today()}-gh{run}.{attempt}")
    job.hand_on("plan_sha256", hashlib.sha256(data).hexdigest())
    of = f"{plan.rounds} rounds of the {plan.profile} profile"
    click.echo(f"{len(plan.cells)} cells, {len(plan.excluded)} excluded; {of}")
    for one in plan.excluded:
        click.echo(f"excluded: {one.machine} with {one.python}: {one.reason}")


def read_plan(path: Path) -> Plan:
    """Read the plan (PLAN_SHA256: its digest). It came as an artifact, which any job of the run could have replaced.

    Raises UserError.
    """
    data = path.read_bytes()
    if hashlib.sha256(data).hexdigest() != job.variable("PLAN_SHA256"):
        msg = f"{path.name} is not the plan that this run made"
        raise UserError(msg)
    return msgspec.json.decode(data, type=Plan)


def planned(inputs: Mapping[str, str], scenarios: Iterable[str]) -> Plan:
    """Return the plan of a dispatch. *inputs*: profile, scenarios, machines, pythons, rounds, publish, note.

    An input that is absent or empty has its default: the quick profile, all of the rest, and to publish. Raises
    UserError.
    """
    known = read()
    profile = cast("Profile", select(ROUNDS, [inputs.get("profile") or "quick"], "profile")[0])
    publish = select(("yes", "no"), [inputs.get("publish") or "yes"], "publish")[0]
    chosen = _names("scenario", inputs.get("scenarios", ""), scenarios)
    machines = _names("machine", inputs.get("machines", ""), [machine.label for machine in known.machine])
    pythons = _names("Python", inputs.get("pythons", ""), known.pythons)
    excluded = [one for one in known.exclude if one.machine in machines and one.python in pythons]
    impossible = {(one.machine, one.python) for one in excluded}
    cells = [
        CellJob(cell_id(machine, python), machine, python, "" if python == known.reference else known.reference)
        for machine in machines
        for python in pythons
        if (machine, python) not in impossible
    ]
    if not cells:
        reasons = "; ".join(f"{one.machine} with {one.python}: {one.reason}" for one in excluded)
        msg = f"no cell is left to measure: {reasons}"
        raise UserError(msg)
    return Plan(
        profile=profile,
        rounds=_rounds(inputs.get("rounds", "")) or ROUNDS[profile],
        scenarios=[] if chosen == [*scenarios] else chosen,
        publish=publish == "yes",
        note=_note(inputs.get("note", "")),
        cells=cells,
        excluded=excluded,
    )


def cell_id(machine: str, python: str) -> str:
    """Name a cell."""
    return f"{machine}--{python}"


def _names(what: str, text: str, names: Iterable[str]) -> list[str]:
    """Return the names that *text* lists, with commas or spaces between; all where it lists none."""
    given = [name for name in re.split(r"[,\s]+", text) if name]
    if given in ([], [ALL]):
        return [*names]
    chosen = select(names, given, what)
    return [name for name in names if name in chosen]


def _rounds(text: str) -> int | None:
    if not text.strip():
        return None
    if not re.fullmatch(r"[1-9]\d{0,2}", text.strip()) or int(text) > MOST_ROUNDS:
        msg = f"rounds is {text[:40]!r}; it must be a number from 1 to {MOST_ROUNDS}, or empty"
        raise UserError(msg)
    return int(text)


def _note(text: str) -> str:
    """Return a note without anything but words: it is shown on pages and in the run's summary."""
    if len(text) > LONGEST_NOTE:
        msg = f"the note has {len(text)} characters; at most {LONGEST_NOTE} are kept"
        raise UserError(msg)
    if not text.isprintable() or re.search(r"[<>`$\\|\[\]{}]", text):
        msg = "the note may hold letters, digits and plain punctuation only"
        raise UserError(msg)
    return text.strip()
