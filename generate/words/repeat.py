"""The commands that measure something again: on one's own machine, and on hosted ones."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from generate.words.hosted_machines import hosted_matrix
from runners.harness.builds.build_request import asked_again
from runners.harness.record.build_names import release
from runners.harness.run.plan import ROUNDS, Selection

if TYPE_CHECKING:
    from collections.abc import Iterable

    from runners.harness.catalogue.scenarios import Scenario
    from runners.harness.record.model import Build, Profile, Record

_NAME = re.compile(r"[a-z]*\d+(\.\d+)+[a-z0-9]*")
_ASKED = re.compile(r"[A-Za-z0-9._=+@/-]+")


MAP_COMMAND = "make report PROFILE=map"
"""Measures a part of the map."""


def choose_profile(scenario: Scenario) -> Profile:
    """Return the profile that a scenario is measured with where no result says it: full, or another that has cases."""
    profiles: tuple[Profile, ...] = ("full", "map", "quick")
    return next(name for name in profiles if Selection(name).has(scenario))


def format_first_run(scenario: Scenario, cases: Iterable[str]) -> str:
    """Return the command that measures some cases of a scenario of which there is nothing yet."""
    profile = "" if any(scenario.cases[case].quick for case in cases) else f" --profile {choose_profile(scenario)}"
    return f"python -m runners run{profile} --scenario {scenario.name}"


def format_local_command(
    scenario: str,
    record: Record | Profile = "full",
    runners: Iterable[str] = (),
    beside: Iterable[Build] = (),
) -> str:
    """Return the command for one's own machine that repeats what *record* has of a scenario: of all, or of *runners*.

    With a profile in its place it is a run of one's own Python. Builds *beside* its own are measured in turn with it.
    """
    builds_of = [*beside] if isinstance(record, str) else [record.reference_build, *beside, record.build]
    pythons = dict.fromkeys(map(format_python, builds_of))
    builds = "".join(f" --python {python}" for python in pythons if python)
    chosen = "".join(f" --runner {runner}" for runner in runners)
    return f"python -m runners run --scenario {scenario}{chosen}{builds} {_how(record, '--profile ', '--rounds ')}"


def format_hosted_command(scenario: str, record: Record | Profile = "full") -> str:
    """Return the command that repeats it on GitHub Actions, in a fork: everywhere with a profile in a record's place.

    What hosted machines don't have is repeated on the first of them, or with the reference build.
    """
    machine, python = ("all", "all") if isinstance(record, str) else _hosted_cell(record)
    cell = f"-f scenarios={scenario} -f machines={machine} -f pythons={python}"
    return f"gh workflow run measure.yml {cell} {_how(record, '-f profile=', '-f rounds=')}"


def _hosted_cell(record: Record) -> tuple[str, str]:
    labels = [machine.label for machine in hosted_matrix().machine]
    label, python = record.machine.label, format_python(record.build, exact=False)
    is_known = python.partition("+")[0] in hosted_matrix().pythons
    return label if label in labels else labels[0], python if is_known else hosted_matrix().reference


def format_python(build: Build, *, exact: bool = True) -> str:
    """Return how *build* is asked for: "3.14.0t"; where not *exact* "3.14t", as the workflow names it.

    Of a variant, with what is different; a label or a wheel of one's own machine only where *exact*. Empty where its
    names are none that Pythons have: a file may hold anything, and these words go into a shell.
    """
    version = build.version if exact else release(build.version)
    implementation = build.implementation.lower()
    name = version if implementation == "cpython" else f"{implementation}{version}"
    if not _NAME.fullmatch(name):
        return ""
    label, packages = asked_again(build.variant)
    if not exact and (label or any(package.endswith(".whl") for package in packages)):
        label, packages = "", []  # hosted machines have neither one's own interpreters nor one's wheels
    switches = [*build.variables, *(f"-X{option}" for option in build.options)]
    different = "".join(f"+{piece}" for piece in (*packages, *switches))
    asked = f"{label}{'=' * bool(label)}{name}{'t' * build.free_threaded}{different}"
    return asked if _ASKED.fullmatch(asked) else ""


def _how(record: Record | Profile, profile: str, rounds: str) -> str:
    """Write the profile, and the rounds where they are not the profile's own."""
    if isinstance(record, str):
        return f"{profile}{record}"
    run = record.run
    own = ROUNDS.get(run.profile)
    return f"{profile}{run.profile}" + ("" if own == run.rounds else f" {rounds}{run.rounds}")
