"""The builds that a run names: which may be asked for, what they are called, and whether a record is of one.

A build is named as on one's own machine (runners.harness.builds.build_request), with three limits: its interpreter is
one that matrix.toml has, nothing names a file, and it is written in characters that can stand in a table or a log.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import replace
from typing import TYPE_CHECKING

from packaging.requirements import Requirement

from runners.harness.builds import environments
from runners.harness.builds.build_request import NOT_AS_CLONED, parse
from runners.harness.catalogue.scenarios import select
from runners.harness.errors import UserError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from runners.harness.builds.build_request import BuildRequest, OtherPackage
    from runners.harness.matrix import Machine
    from runners.harness.record.model import Build, Package

PLAIN = re.compile(r"[A-Za-z0-9.+_=/@*!-]{1,150}", re.ASCII)
LONGEST_ADDRESS = 60
VERSION = re.compile(r"[0-9]\.[0-9]{1,2}\.[0-9]{1,2}((a|b|rc)[0-9]{1,2})?\+?")
IMPLEMENTATIONS = {"CPython": "", "PyPy": "pypy"}
ALWAYS_GIL = re.compile(r"(pypy)?[0-9]\.[0-9]{1,2}")
"""What matrix.toml calls builds that are not free-threaded; nothing is known of a label."""
COMMIT = re.compile(r"[0-9a-f]{40}")


def check(text: str, interpreters: Iterable[str]) -> None:
    """Raise UserError for a build that no run on hosted machines may have."""
    request = parse(text, environments.packages(), may_name_files=False)
    if request.is_of_this_machine:
        msg = (
            f"{text[:60]!r} names a file: a run takes versions, packages of the index or of GitHub, and the labels that"
            " matrix.toml gives a machine's own interpreters"
        )
        raise UserError(msg)
    select(interpreters, [request.interpreter], "Python")
    if unbuilt := [NOT_AS_CLONED[package.name] for package in request.packages if _is_unbuilt(package)]:
        msg = f"{text[:60]!r}: {unbuilt[0]}"
        raise UserError(msg)
    without_gil = {"PYTHON_GIL=0", "gil=0"} & {*request.variables, *request.options}
    if without_gil and ALWAYS_GIL.fullmatch(request.interpreter):
        msg = f"{text[:60]!r}: {request.interpreter} has the GIL in any case: name a free-threaded build, as 3.14t"
        raise UserError(msg)
    switches = [switch.partition("=")[0] for switch in (*request.variables, *request.options)]
    named = [*(package.name for package in request.packages), *switches]
    if twice := [name for name in named if named.count(name) > 1]:
        msg = f"{text[:60]!r} names {twice[0]} twice: a build has one of it"
        raise UserError(msg)
    if not PLAIN.fullmatch(text):
        msg = f"{text[:60]!r}: a build is named with at most 150 letters, digits and . + _ = / @ * ! -"
        raise UserError(msg)


def request_of(python: str, machine: Machine) -> BuildRequest:
    """Return what *python* asks for on *machine*, where an interpreter may have a label of its own."""
    request = parse(python, environments.packages())
    is_labelled = request.interpreter in machine.paths and not request.label
    return replace(request, label=request.interpreter) if is_labelled else request


def varied(python: str) -> list[str]:
    """Return the packages of which a build that is named has another version."""
    return [package.name for package in parse(python, environments.packages()).packages]


def interpreter(python: str) -> str:
    """Return the version, or the label, of a build that is named."""
    return python.partition("+")[0].rpartition("=")[2]


def is_plain(python: str, versions: Iterable[str]) -> bool:
    """Say whether a build is named by a version alone: a variant is in no summary of plain builds."""
    return python == interpreter(python) and python in versions


def count_noun(**numbers: int) -> str:
    """Count in words: 3 cells, 1 variant. What there is none of is left out."""
    words = [f"{number} {what}{'s' * (number != 1)}" for what, number in numbers.items() if number]
    return ", ".join(words) or "nothing"


def is_variant(build: Build) -> bool:
    """Say whether a build that was measured is more than a version."""
    return bool(build.variant or build.variables or build.options)


def address(python: str) -> str:
    """Return its name as it can stand in a file's name; with a digest where that is not the name itself."""
    name = re.sub(r"[^A-Za-z0-9._+-]", "-", python)[:LONGEST_ADDRESS]
    return name if name == python else f"{name}-{hashlib.sha256(python.encode()).hexdigest()[:8]}"


def faults(
    build: Build, packages: Mapping[str, Package], python: str, machine: Machine
) -> Iterator[tuple[str, str, str]]:
    """Say what of *build*, which has *packages*, is not what was named: field, what the file says, what it must say."""
    request = request_of(python, machine)
    said = version_name(build)
    if request.interpreter in machine.paths:
        if not VERSION.fullmatch(build.version):
            yield "version", said, "a version"
    elif said != request.interpreter:
        yield "version", said, request.interpreter
    if not _are_words(build.variant, request, packages):
        yield "variant", ", ".join(build.variant), ", ".join(request.words)
    if build.variables != request.variables:
        yield "variables", ", ".join(build.variables), ", ".join(request.variables)
    if build.options != request.options:
        yield "options", ", ".join(build.options), ", ".join(request.options)


def package_faults(packages: Mapping[str, Package], variant: tuple[str, ...], named: BuildRequest) -> Iterator[str]:
    """Say which packages are not those that were named, or are from nowhere that was.

    One that did not install, for a reason that is given, may be any: nothing was measured with it.
    """
    of_variant = {package.name: package for package in named.packages}
    for name, package in packages.items():
        other = of_variant.get(name)
        if package.source is not None and (other is None or not other.is_repository):
            yield f"packages.{name}.source: nothing of the plan is from elsewhere than the index"
        elif other is not None and other.is_repository and package.source not in variant and not _is_absent(package):
            yield f"packages.{name}.source: it is not the commit that the variant names"
    for name, other in of_variant.items():
        if name in packages and _is_absent(packages[name]):
            continue
        version = packages[name].version if name in packages else None
        specifier = None if other.is_repository else Requirement(other.requirement).specifier
        if version is None or (specifier is not None and not specifier.contains(version, prereleases=True)):
            yield f"packages.{name}.version: it is {str(version)[:60]!r}, not {other.words!r}"


def absences(packages: Mapping[str, Package], named: BuildRequest) -> list[str]:
    """Say which packages that a variant names did not install, and why."""
    asked = {package.name for package in named.packages}
    absent = {name: package for name, package in packages.items() if name in asked and _is_absent(package)}
    return [f"{name} did not install: {package.reason}" for name, package in absent.items()]


def version_name(build: Build) -> str:
    """Name a build's interpreter as matrix.toml does: 3.14t, pypy3.11. A version that is none is given as it stands."""
    prefix = IMPLEMENTATIONS.get(build.implementation)
    if prefix is None or not VERSION.fullmatch(build.version):
        return f"{build.implementation} {build.version}"
    return f"{prefix}{'.'.join(build.version.split('.')[:2])}{'t' * build.free_threaded}"


def _are_words(said: tuple[str, ...], request: BuildRequest, packages: Mapping[str, Package]) -> bool:
    """Compare a variant's words with those that were asked for; of a repository that installed it says the commit."""
    absent = {name for name, package in packages.items() if _is_absent(package)}
    git = {package.words for package in request.packages if package.is_repository and package.name not in absent}
    return len(said) == len(request.words) and all(
        _is_commit_of(one, word) if word in git else one == word for one, word in zip(said, request.words, strict=True)
    )


def _is_commit_of(said: str, word: str) -> bool:
    repository, _, reference = word.partition("@")
    ours, _, commit = said.partition("@")
    return (
        ours == repository
        and bool(COMMIT.fullmatch(commit))
        and (commit == reference or not COMMIT.fullmatch(reference))
    )


def _is_absent(package: Package) -> bool:
    """Say whether a package did not install, for a reason that is given: nothing was measured with it."""
    return package.version is None and bool(package.reason)


def _is_unbuilt(package: OtherPackage) -> bool:
    return package.is_repository and package.name in NOT_AS_CLONED
