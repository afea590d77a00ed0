"""Commands that measure something again, on your own machine and on hosted ones."""

import re
from collections.abc import Iterable

from generate.data.files import hosted_matrix
from runners.harness.catalogue.scenarios import Scenario
from runners.harness.record.build_names import release
from runners.harness.record.model import Build, Profile, Record
from runners.harness.run.plan import ROUNDS, Selection

_NAME = re.compile(r"[a-z]*\d+(\.\d+)+[a-z0-9]*")
_ARGUMENT = re.compile(r"[A-Za-z0-9._=+@/-]+")
_WHEEL = re.compile(r"(\S+\.whl)( [0-9a-f]+)?")
MAP_COMMAND = "make report PROFILE=map"
"""Measures a part of the map."""


def choose_profile(scenario: Scenario) -> Profile:
    """Return the profile for a scenario without results: full, or another with cases."""
    profiles: tuple[Profile, ...] = ("full", "map", "quick")
    return next(name for name in profiles if Selection(name).includes(scenario))


def format_first_run(scenario: Scenario, cases: Iterable[str]) -> str:
    """Return the command that measures some cases of a scenario without results."""
    profile = "" if any(scenario.cases[case].quick for case in cases) else f" --profile {choose_profile(scenario)}"
    return f"python -m runners run{profile} --scenario {scenario.name}"


def format_local_command(
    scenario: str,
    record: Record | Profile = "full",
    runners: Iterable[str] = (),
    others: Iterable[Build] = (),
) -> str:
    """Return the command that repeats a scenario of *record*, or only *runners*, on your own machine.

    With a profile instead of a record, it measures your own Python. *others* are builds measured in turn with it.
    """
    builds = [*others] if isinstance(record, str) else [record.reference_build, *others, record.build]
    options = [
        *(f"--runner {runner}" for runner in runners),
        *(f"--python {python}" for python in dict.fromkeys(map(format_python, builds)) if python),
        _format_profile(record, "--profile ", "--rounds "),
    ]
    return f"python -m runners run --scenario {scenario} {' '.join(options)}"


def format_hosted_command(scenario: str, record: Record | Profile = "full") -> str:
    """Return the command that repeats it on GitHub Actions, in a fork; with a profile, on all machines and Pythons."""
    machine, python = ("all", "all") if isinstance(record, str) else _hosted_cell(record)
    cell = f"-f scenarios={scenario} -f machines={machine} -f pythons={python}"
    return f"gh workflow run measure.yml {cell} {_format_profile(record, '-f profile=', '-f rounds=')}"


def _hosted_cell(record: Record) -> tuple[str, str]:
    matrix, python = hosted_matrix(), format_python(record.build, is_hosted=True)
    labels = [machine.label for machine in matrix.machine]
    label = record.machine.label if record.machine.label in labels else labels[0]
    return label, python if python.partition("+")[0] in matrix.pythons else matrix.reference


def format_python(build: Build, *, is_hosted: bool = False) -> str:
    """Return the request for a build: "3.14.0t", or "3.14t" for the workflow, which has no labels and wheels of others.

    Empty for invalid names: a file may hold anything, and this goes into a shell.
    """
    version = release(build.version) if is_hosted else build.version
    implementation = build.implementation.lower()
    name = version if implementation == "cpython" else f"{implementation}{version}"
    label, packages = split_variant(build.variant) if _NAME.fullmatch(name) else ("", [])
    if is_hosted and (label or any(package.endswith(".whl") for package in packages)):
        label, packages = "", []
    switches = [*build.variables, *(f"-X{option}" for option in build.options)]
    pieces = "".join(f"+{piece}" for piece in (*packages, *switches))
    request = f"{label}{'=' * bool(label)}{name}{'t' * build.free_threaded}{pieces}"
    return request if _NAME.fullmatch(name) and _ARGUMENT.fullmatch(request) else ""


def split_variant(words: Iterable[str]) -> tuple[str, list[str]]:
    """Return a variant's label and its packages as a user would type them, from the *words* in its record."""
    label, packages = "", []
    for word in words:
        wheel, pinned = _WHEEL.fullmatch(word), re.fullmatch(r"(\S+) (\S+)", word)
        if word.startswith("-X ") or ("=" in word and "@" not in word):
            continue  # a switch, which the record has in another field
        if wheel:
            packages.append(wheel[1])
        elif "@" in word:
            packages.append(word)
        elif pinned:
            packages.append(f"{pinned[1]}=={pinned[2]}")
        else:
            label = word
    return label, packages


def _format_profile(record: Record | Profile, profile: str, rounds: str) -> str:
    if isinstance(record, str):
        return f"{profile}{record}"
    run = record.run
    return f"{profile}{run.profile}" + ("" if ROUNDS.get(run.profile) == run.rounds else f" {rounds}{run.rounds}")
