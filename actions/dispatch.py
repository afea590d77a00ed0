"""Turns what a dispatch asks for into jobs, each of a few cells: machine x build.

The inputs come from a form or a schedule, as text that anybody with write access may have typed: names are matched
against matrix.toml, the catalogue and the runners' packages, and anything else is refused with what there is.
"""

from __future__ import annotations

import hashlib
import os
import re
from itertools import groupby
from statistics import mean
from typing import TYPE_CHECKING, cast

import click
import msgspec

from actions import cost, job, named_builds
from actions.run_plan import PLAN_FILE, REPEAT, Plan, PlannedCell, PlannedJob, cell_id, entries_of, repeated
from runners.harness.catalogue.scenarios import find, select
from runners.harness.errors import UserError
from runners.harness.matrix import MOST_REPEATS, Exclusion, read
from runners.harness.run.plan import ROUNDS, Selection

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from runners.harness.catalogue.scenarios import Scenario
    from runners.harness.matrix import Machine, Matrix, Minutes
    from runners.harness.record.model import Profile

INPUTS = ("profile", "scenarios", "machines", "pythons", "rounds", "repeats", "publish", "note")
PROFILES: tuple[Profile, ...] = ("quick", "full", "map")

BUILDS_A_JOB = 3
"""Beside the reference. More would share its time among more, and lose more where a job fails."""
MOST_JOBS = 256
"""GitHub takes no more in a matrix."""
MOST_ROUNDS = 24
MAIN = "refs/heads/main"
MOST_KILOBYTES = 650
"""Of a file that may be published."""
LONGEST_NOTE = 200
ALL = "all"


@click.command()
@click.option("--out", type=job.FOLDER, required=True, help="where plan.json is written")
def command(out: Path) -> None:
    """Plan a run from the inputs (INPUT_PROFILE and so on), hand the matrix on, and say what it takes."""
    scenarios = find()
    plan = planned({name: os.environ.get(f"INPUT_{name.upper()}", "") for name in INPUTS}, scenarios)
    known = read()
    _check_profile(plan, scenarios)
    _check_size(plan, scenarios, known)
    _check_measured(plan, scenarios)
    data = msgspec.json.encode(plan)
    out.mkdir(parents=True, exist_ok=True)
    (out / PLAN_FILE).write_bytes(data)
    job.hand_on("matrix", msgspec.json.encode({"include": matrix_of(plan, known.minutes)}).decode())
    job.hand_on("publish", "true" if plan.publish else "false")
    run, attempt = job.variable("GITHUB_RUN_ID"), job.variable("GITHUB_RUN_ATTEMPT")
    job.hand_on("run_id", f"{job.today()}-gh{run}.{attempt}")
    job.hand_on("plan_sha256", hashlib.sha256(data).hexdigest())
    lines = [f"{plan.rounds} rounds of the {plan.profile} profile", cost.summary(plan, known)]
    lines += [f"excluded: {one.machine} with {one.python}: {one.reason}" for one in plan.excluded]
    if plan.publish and os.environ.get("GITHUB_REF", MAIN) != MAIN:
        artifact = f"collected.{attempt}"
        lines.append(f"only runs on main are published: this one's results stay in its artifact `{artifact}`")
    click.echo("\n".join(lines))
    job.summarise("\n\n".join([lines[1], *lines[2:], ""]))


def matrix_of(plan: Plan, minutes: Minutes) -> list[dict[str, str | int]]:
    """Return what the workflow needs of each job."""
    return [
        {
            "id": one.id,
            "machine": one.machine,
            "builds": ", ".join(cell.python for cell in one.cells) + (f", run {one.repeat}" if one.repeat > 1 else ""),
            "step_minutes": cost.limits(plan, one, minutes).step,
            "job_minutes": cost.limits(plan, one, minutes).job,
        }
        for one in plan.jobs
    ]


def planned(inputs: Mapping[str, str], scenarios: Iterable[str], known: Matrix | None = None) -> Plan:
    """Return the plan of a dispatch. *inputs*: profile, scenarios, machines, pythons, rounds, repeats, publish, note.

    An input that is absent or empty has its default: the quick profile, matrix.toml's repeats, all of the rest, and to
    publish. Raises UserError.
    """
    known = known or read()
    profile = cast("Profile", select(PROFILES, [inputs.get("profile") or "quick"], "profile")[0])
    publish = select(("yes", "no"), [inputs.get("publish") or "yes"], "publish")[0]
    chosen = _names("scenario", inputs.get("scenarios", ""), scenarios)
    labels = _names("machine", inputs.get("machines", ""), [machine.label for machine in known.machine])
    machines = [machine for machine in known.machine if machine.label in labels]
    pythons = _pythons(inputs.get("pythons", ""), known, machines)
    excluded = _excluded(labels, pythons, known)
    once = [one for machine in machines for one in _jobs(machine, _possible(machine, pythons, known), known)]
    repeats = range(1, _repeats(inputs.get("repeats", ""), known) + 1)
    jobs = [repeated(one, number) for number in repeats for one in once]  # the runs of a build hours apart
    _check_number(jobs, excluded)
    return Plan(
        profile=profile,
        rounds=_rounds(inputs.get("rounds", "")) or ROUNDS[profile],
        scenarios=[] if chosen == [*scenarios] else chosen,
        publish=publish == "yes",
        note=_note(inputs.get("note", "")),
        jobs=jobs,
        excluded=excluded,
    )


def _check_size(plan: Plan, scenarios: Mapping[str, Scenario], known: Matrix) -> None:
    """Raise UserError for more rounds than fit into a file that may be published. A quick run is small in any case."""
    asked = Selection(plan.profile, tuple(plan.scenarios))
    usual = mean(size for name, size in known.kilobytes.items() if name in known.minutes.percent)
    sizes = [known.kilobytes.get(name, usual) for name, scenario in scenarios.items() if asked.includes(scenario)]
    most = int(MOST_KILOBYTES / sum(sizes))
    if plan.profile != "quick" and plan.rounds > most:
        of_these = f"of these scenarios in the {plan.profile} profile at most {most} fit into a file that is published"
        remedy = "choose fewer rounds, or fewer scenarios" if len(sizes) > 1 else "choose fewer rounds"
        msg = f"rounds is {plan.rounds}; {of_these}: {remedy}"
        raise UserError(msg)


def _check_profile(plan: Plan, scenarios: Mapping[str, Scenario]) -> None:
    """Raise UserError for scenarios of which the profile has no case."""
    left_out = [name for name in plan.scenarios if not Selection(plan.profile).includes(scenarios[name])]
    if left_out:
        others = [each for each in PROFILES if all(Selection(each).includes(scenarios[name]) for name in left_out)]
        remedy = f"choose profile {' or '.join(others)}, or leave them out" if others else "leave them out"
        msg = f"profile {plan.profile} measures nothing of {', '.join(left_out)}: {remedy}"
        raise UserError(msg)


def _check_measured(plan: Plan, scenarios: Mapping[str, Scenario]) -> None:
    """Raise UserError for a variant whose package no runner of the plan's scenarios imports."""
    for one in plan.jobs:
        measured = {one.pythons[entry.build] for entry in entries_of(plan, one, scenarios)}
        if nothing := [cell.python for cell in one.cells if cell.python not in measured]:
            msg = f"{nothing[0]} would measure nothing: no runner of these scenarios imports what is other about it"
            raise UserError(msg)


def _pythons(text: str, known: Matrix, machines: Iterable[Machine]) -> list[str]:
    """Return the builds that *text* lists, in matrix.toml's order, variants behind their interpreter's plain build.

    Raises UserError.
    """
    labels = [label for machine in machines for label in machine.paths]
    offered = [*dict.fromkeys([*known.pythons, *labels])]
    interpreters = [*dict.fromkeys([*known.versions, *labels])]
    given = [*dict.fromkeys(one for named in _listed(text) for one in (offered if named == ALL else [named]))]
    for one in given:
        named_builds.check(one, interpreters)

    def place(one: str) -> tuple[int, int]:
        return interpreters.index(named_builds.interpreter(one)), offered.index(one) if one in offered else len(offered)

    return sorted(given, key=place)


def _excluded(labels: Iterable[str], pythons: Iterable[str], known: Matrix) -> list[Exclusion]:
    """Return the cells that were asked for and can't be: a variant can't be where its interpreter can't."""
    return [
        msgspec.structs.replace(one, python=python)
        for one in known.exclude
        for python in pythons
        if one.machine in labels and named_builds.interpreter(python) == one.python
    ]


def _check_number(jobs: Sequence[PlannedJob], excluded: Iterable[Exclusion]) -> None:
    """Raise UserError where there is no job, or are too many."""
    if not jobs:
        reasons = "; ".join(f"{one.machine} with {one.python}: {one.reason}" for one in excluded)
        msg = f"no cell is left to measure: {reasons or 'none of these machines has these interpreters'}"
        raise UserError(msg)
    if len(jobs) > MOST_JOBS:
        fewer = "fewer machines, pythons or repeats" if jobs[-1].repeat > 1 else "fewer machines or pythons"
        msg = f"these are {len(jobs)} jobs, and a run has at most {MOST_JOBS}: name {fewer}"
        raise UserError(msg)
    if len({one.id for job in jobs for one in job.cells}) < sum(len(job.cells) for job in jobs):
        msg = f"two cells would have one name: give no interpreter a label that ends in {REPEAT} and a number"
        raise UserError(msg)


def _possible(machine: Machine, pythons: Iterable[str], known: Matrix) -> list[str]:
    """Return the builds that a machine can measure: a label of another machine's interpreter is none of its own."""
    there = {*known.versions, *machine.paths} - {one.python for one in known.exclude if one.machine == machine.label}
    return [python for python in pythons if named_builds.interpreter(python) in there]


def _jobs(machine: Machine, pythons: Sequence[str], known: Matrix) -> list[PlannedJob]:
    """Group a machine's builds: the reference alone, the others by a few, and those of an interpreter together.

    Raises UserError for a reference that no machine has, or that this one can't measure.
    """
    (reference,) = select([*known.versions, *machine.paths], [machine.reference or known.reference], "Python")
    if pythons and not _possible(machine, [reference], known):
        remedy = "name another as `reference` of the machine in matrix.toml, or exclude its builds too"
        msg = f"{machine.label} can't measure {reference}, the reference of its builds: {remedy}"
        raise UserError(msg)
    groups = [[reference]] if reference in pythons else []
    first = len(groups)
    others = [python for python in pythons if python != reference]
    for _, of_one in groupby(others, named_builds.interpreter):
        builds = [*of_one]
        if len(groups) > first and len(groups[-1]) + len(builds) <= BUILDS_A_JOB:
            groups[-1] += builds
        else:
            groups += [builds[start : start + BUILDS_A_JOB] for start in range(0, len(builds), BUILDS_A_JOB)]
    return [
        PlannedJob(
            id=f"{machine.label}--job{number}",
            machine=machine.label,
            reference="" if builds == [reference] else reference,
            cells=[
                PlannedCell(cell_id(machine.label, named_builds.address(build)), machine.label, build)
                for build in builds
            ],
        )
        for number, builds in enumerate(groups, start=1)
    ]


def _listed(text: str) -> list[str]:
    """Return the names that *text* has with commas or spaces between; without any, the word for all."""
    return [name for name in re.split(r"[,\s]+", text) if name] or [ALL]


def _names(what: str, text: str, names: Iterable[str]) -> list[str]:
    """Return the names that *text* lists; all where it lists none."""
    given = _listed(text)
    if ALL in given:
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


def _repeats(text: str, known: Matrix) -> int:
    if not text.strip():
        return known.repeats
    if not re.fullmatch(r"[1-9]\d?", text.strip(), re.ASCII) or int(text) > MOST_REPEATS:
        msg = f"repeats is {text[:40]!r}; it must be a number from 1 to {MOST_REPEATS}, or empty"
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
