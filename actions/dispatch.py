"""Turns the inputs of a dispatch into jobs of a few cells (machine and build) each.

Anybody with write access may have typed the inputs. Names are matched against matrix.toml, the catalogue and the
runners' packages, and unknown ones are refused with a list of the known ones.
"""

import hashlib
import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import groupby
from math import ceil
from pathlib import Path
from statistics import mean
from typing import cast

import click
import msgspec

from actions import cost, job
from actions.named_builds import check, get_interpreter
from actions.run_plan import PLAN_FILE, Plan, PlannedCell, PlannedJob, list_entries, make_cell_id
from runners.harness.catalogue.scenarios import Scenario, find, select
from runners.harness.errors import UserError
from runners.harness.matrix import MOST_REPEATS, Machine, Matrix, Minutes, read
from runners.harness.record.model import Profile
from runners.harness.run.plan import ROUNDS, Selection

INPUTS = ("profile", "scenarios", "machines", "pythons", "rounds", "repeats", "publish", "note")
PROFILES: tuple[Profile, ...] = ("quick", "full", "map")
BUILDS_A_JOB = 3
"""Builds besides the reference. More would share its cost, but a failed job would lose more."""
MOST_JOBS = 256
"""GitHub's limit for a matrix."""
MOST_ROUNDS = 24
MOST_KILOBYTES = 650
"""For a file that may be published."""
LONGEST_NOTE = 200
ALL = "all"
LONGEST_MISTAKE = 1000
NOT_PLANNED = "The run was not planned:\n"
COST = "{} cells in {} jobs: at most about {:.0f} minutes"


@click.command()
@click.option("--out", type=job.FOLDER, required=True, help="Folder for plan.json.")
def command(out: Path) -> None:
    """Plan a run from the inputs (INPUT_PROFILE and so on), set the matrix, and report the cost."""
    scenarios, known = find(), read()
    try:
        plan = make_plan({name: os.environ.get(f"INPUT_{name.upper()}", "") for name in INPUTS}, scenarios, known)
        _raise_all([UserError(problem) for problem in _find_problems(plan, scenarios, known)])
    except UserError as error:
        mistakes = [job.make_inert(line, LONGEST_MISTAKE) for line in str(error).splitlines()]
        click.echo("\n".join(f"::error::{mistake}" for mistake in mistakes))
        job.summarise("\n".join([NOT_PLANNED, *(f"- {mistake}" for mistake in mistakes), ""]))
        raise
    data = msgspec.json.encode(plan)
    out.mkdir(parents=True, exist_ok=True)
    (out / PLAN_FILE).write_bytes(data)
    run, attempt = job.read_variable("GITHUB_RUN_ID"), job.read_variable("GITHUB_RUN_ATTEMPT")
    job.set_output("matrix", msgspec.json.encode({"include": list_jobs(plan, known.minutes)}).decode())
    job.set_output("publish", "true" if plan.publish else "false")
    job.set_output("run_id", f"{job.today()}-gh{run}.{attempt}")
    job.set_output("plan_sha256", hashlib.sha256(data).hexdigest())
    minutes = sum(cost.estimate_minutes(plan, each, known.minutes) for each in plan.jobs)
    lines = [COST.format(len(plan.cells), len(plan.jobs), minutes)]
    lines += [f"excluded: {each.machine} with {each.python}: {each.reason}" for each in plan.excluded]
    click.echo("\n".join([f"{plan.rounds} rounds of the {plan.profile} profile", *lines]))
    job.summarise("\n\n".join([*lines, ""]))


def list_jobs(plan: Plan, minutes: Minutes) -> list[dict[str, str | int]]:
    """Return the facts about each job that the workflow needs."""
    rows: list[dict[str, str | int]] = []
    for each in plan.jobs:
        builds = ", ".join(cell.id.removeprefix(f"{each.machine}--") for cell in each.cells)
        step_minutes = cost.limit_samples(plan, each, minutes) + cost.TO_END_MINUTES
        job_minutes = ceil(minutes.set_up) + step_minutes + cost.TO_UPLOAD_MINUTES
        times = {"step_minutes": step_minutes, "job_minutes": job_minutes}
        rows.append({"id": each.id, "machine": each.machine, "builds": builds, **times})
    return rows


def make_plan(inputs: Mapping[str, str], scenarios: Iterable[str], known: Matrix | None = None) -> Plan:
    """Return the plan for INPUTS. Empty ones have defaults: quick, all, publish. Raises UserError with all mistakes."""
    known = known or read()
    mistakes: list[UserError] = []
    with collecting(mistakes):
        profile = cast("Profile", select(PROFILES, [inputs.get("profile") or "quick"], "profile")[0])
    with collecting(mistakes):
        publish = select(("yes", "no"), [inputs.get("publish") or "yes"], "publish")[0]
    with collecting(mistakes):
        rounds = _parse_number("rounds", inputs, MOST_ROUNDS, 0)
    with collecting(mistakes):
        repeats = _parse_number("repeats", inputs, MOST_REPEATS, known.repeats)
    with collecting(mistakes):
        note = _check_note(inputs.get("note", ""))
    chosen = _parse_names("scenario", inputs.get("scenarios", ""), scenarios, mistakes)
    labels = _parse_names("machine", inputs.get("machines", ""), [machine.label for machine in known.machine], mistakes)
    machines = [machine for machine in known.machine if machine.label in labels]
    pythons = _parse_pythons(inputs.get("pythons", ""), known, machines, mistakes)
    _raise_all(mistakes)
    excluded = [  # if an interpreter is excluded, so are its variants
        msgspec.structs.replace(exclusion, python=python)
        for exclusion in known.exclude
        for python in pythons
        if exclusion.machine in labels and get_interpreter(python) == exclusion.python
    ]
    # repeats outermost, so that the runs of a build are hours apart
    runs = [(repeat, machine) for repeat in range(1, repeats + 1) for machine in machines]
    jobs = [each for repeat, machine in runs for each in _make_jobs(machine, pythons, known, repeat)]
    if not jobs:
        reasons = "; ".join(f"{each.machine} with {each.python}: {each.reason}" for each in excluded)
        msg = f"nothing is left to measure: {reasons or 'none of these machines has these interpreters'}"
        raise UserError(msg)
    return Plan(
        profile=profile,
        rounds=rounds or ROUNDS[profile],
        scenarios=[] if chosen == [*scenarios] else chosen,
        publish=publish == "yes",
        note=note,
        jobs=jobs,
        excluded=excluded,
    )


@contextmanager
def collecting(mistakes: list[UserError]) -> Iterator[None]:
    """Add a UserError to *mistakes*, to report all at once."""
    try:
        yield
    except UserError as error:
        mistakes.append(error)


def _raise_all(mistakes: Sequence[UserError]) -> None:
    if mistakes:
        raise mistakes[0] if len(mistakes) == 1 else UserError("\n".join(map(str, mistakes)))


def _find_problems(plan: Plan, scenarios: Mapping[str, Scenario], known: Matrix) -> Iterator[str]:
    """Yield why a run can't be measured, or its files can't be published."""
    if len(plan.jobs) > MOST_JOBS:
        yield f"these are {len(plan.jobs)} jobs; the limit is {MOST_JOBS}: name fewer machines, pythons or repeats"
    left_out = [name for name in plan.scenarios if not Selection(plan.profile).includes(scenarios[name])]
    if left_out:
        remedy = "leave them out, or choose another profile"
        yield f"profile {plan.profile} measures nothing of {', '.join(left_out)}: {remedy}"
        return
    usual = mean(known.kilobytes.values())
    included = [name for name, scenario in scenarios.items() if plan.selection.includes(scenario)]
    most = int(MOST_KILOBYTES / sum(known.kilobytes.get(name, usual) for name in included))
    if plan.profile != "quick" and plan.rounds > most:  # a quick run always fits
        yield (
            f"rounds is {plan.rounds}; at most {most} of these scenarios in the {plan.profile} profile fit into a file "
            "that is published: choose fewer rounds, or fewer scenarios"
        )
    for each in plan.jobs:
        measured = {each.pythons[entry.build] for entry in list_entries(plan, each, scenarios)}
        for python in {cell.python for cell in each.cells} - measured:
            yield f"{python} would measure nothing: no runner of these scenarios imports its package"


def _parse_pythons(text: str, known: Matrix, machines: Iterable[Machine], mistakes: list[UserError]) -> list[str]:
    """Return the builds listed in *text*, in matrix.toml's order, with variants after their interpreter's plain build.

    Adds wrong ones to *mistakes*.
    """
    labels = [label for machine in machines for label in machine.paths]
    offered = [*dict.fromkeys([*known.pythons, *labels])]
    interpreters = [*dict.fromkeys([*known.versions, *labels])]
    pythons = [*dict.fromkeys(each for name in _split(text) for each in (offered if name == ALL else [name]))]
    for each in pythons:
        with collecting(mistakes):
            check(each, interpreters)
    pythons = [each for each in pythons if get_interpreter(each) in interpreters]
    pythons.sort(key=lambda build: offered.index(build) if build in offered else len(offered))
    return sorted(pythons, key=lambda build: interpreters.index(get_interpreter(build)))


def _make_jobs(machine: Machine, pythons: Sequence[str], known: Matrix, repeat: int) -> list[PlannedJob]:
    """Group a machine's builds: the reference by itself, the others in small groups by interpreter.

    Raises UserError if the reference is unknown.
    """
    excluded = {each.python for each in known.exclude if each.machine == machine.label}
    possible = {*known.versions, *machine.paths} - excluded  # other machines have other labels
    pythons = [python for python in pythons if get_interpreter(python) in possible]
    (reference,) = select([*known.versions, *machine.paths], [machine.reference or known.reference], "Python")
    groups: list[list[str]] = []
    for _, group in groupby((python for python in pythons if python != reference), get_interpreter):
        builds = [*group]
        for start in range(0, len(builds), BUILDS_A_JOB):
            part = builds[start : start + BUILDS_A_JOB]
            if groups and len(groups[-1]) + len(part) <= BUILDS_A_JOB:
                groups[-1] += part
            else:
                groups.append(part)
    end = f"--run{repeat}" if repeat > 1 else ""
    jobs = []
    for number, builds in enumerate([[reference]] * (reference in pythons) + groups, start=1):
        cells = [PlannedCell(make_cell_id(machine.label, build) + end, build) for build in builds]
        other = "" if builds == [reference] else reference
        jobs.append(PlannedJob(f"{machine.label}--job{number}{end}", machine.label, other, cells))
    return jobs


def _split(text: str) -> list[str]:
    """Return the names in *text*, separated by commas or spaces; without any, "all"."""
    return [name for name in re.split(r"[,\s]+", text) if name] or [ALL]


def _parse_names(kind: str, text: str, names: Iterable[str], mistakes: list[UserError]) -> list[str]:
    chosen = _split(text)
    for name in chosen if ALL not in chosen else ():
        with collecting(mistakes):
            select(names, [name], kind)
    return [name for name in names if ALL in chosen or name in chosen]


def _parse_number(name: str, inputs: Mapping[str, str], most: int, default: int) -> int:
    text = inputs.get(name, "").strip()
    if not text:
        return default
    if not re.fullmatch(r"[1-9]\d?", text, re.ASCII) or int(text) > most:
        msg = f"{name} is {text[:40]!r}; it must be a number from 1 to {most}, or empty"
        raise UserError(msg)
    return int(text)


def _check_note(text: str) -> str:
    """Return a note if it is plain text: pages and the run's summary show it. Raises UserError."""
    if len(text) > LONGEST_NOTE or not text.isprintable() or re.search(r"[<>`$\\|\[\]{}]", text):
        msg = f"the note may only hold letters, digits and plain punctuation, at most {LONGEST_NOTE} in all"
        raise UserError(msg)
    return text.strip()
