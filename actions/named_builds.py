"""The builds that a run may name, and whether a record is of one.

They are named as on one's own machine (runners.harness.builds.build_request), with three limits: the interpreter is in
matrix.toml, nothing names a file, and all characters are safe in tables and logs.
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

    from runners.harness.builds.build_request import BuildRequest
    from runners.harness.matrix import Machine
    from runners.harness.record.model import Build, Package

PLAIN = re.compile(r"[A-Za-z0-9.+_=/@*!-]{1,150}", re.ASCII)
LONGEST_ADDRESS = 60
VERSION = re.compile(r"[0-9]\.[0-9]{1,2}\.[0-9]{1,2}((a|b|rc)[0-9]{1,2})?\+?")
IMPLEMENTATIONS = {"CPython": "", "PyPy": "pypy"}
ALWAYS_GIL = re.compile(r"(pypy)?[0-9]\.[0-9]{1,2}")
"""Versions in matrix.toml that are not free-threaded. Nothing is known of a label."""
COMMIT = re.compile(r"[0-9a-f]{40}")


def check(text: str, interpreters: Iterable[str]) -> None:
    """Raise UserError for a build that no hosted run may have."""
    request = parse(text, environments.packages())
    if request.is_of_this_machine:
        allowed = "versions, packages of the index or of GitHub, and labels of interpreters in matrix.toml"
        msg = f"{text[:60]!r} names a file: a run takes {allowed}"
        raise UserError(msg)
    select(interpreters, [request.interpreter], "Python")
    if fault := _fault(request, text):
        msg = f"{text[:60]!r}: {fault}"
        raise UserError(msg)


def _fault(request: BuildRequest, text: str) -> str | None:
    unbuilt = [package for package in request.packages if package.is_repository and package.name in NOT_AS_CLONED]
    if unbuilt:
        return NOT_AS_CLONED[unbuilt[0].name]
    without_gil = {"PYTHON_GIL=0", "gil=0"} & {*request.variables, *request.options}
    if without_gil and ALWAYS_GIL.fullmatch(request.interpreter):
        return f"{request.interpreter} always has the GIL: name a free-threaded build, such as 3.14t"
    switches = [switch.partition("=")[0] for switch in (*request.variables, *request.options)]
    names = [*(package.name for package in request.packages), *switches]
    if twice := [name for name in names if names.count(name) > 1]:
        return f"it names {twice[0]} twice"
    return None if PLAIN.fullmatch(text) else "a name has at most 150 letters, digits and . + _ = / @ * ! -"


def request_of(python: str, machine: Machine) -> BuildRequest:
    """Return what *python* means on *machine*, whose interpreters may have labels."""
    request = parse(python, environments.packages())
    is_labelled = request.interpreter in machine.paths and not request.label
    return replace(request, label=request.interpreter) if is_labelled else request


def varied(python: str) -> list[str]:
    """Return the packages that a build has in another version."""
    return [package.name for package in parse(python, environments.packages()).packages]


def interpreter(python: str) -> str:
    """Return the version, or the label, of a build."""
    return python.partition("+")[0].rpartition("=")[2]


def is_variant(build: Build) -> bool:
    """Return True if a measured build is more than a version."""
    return bool(build.variant or build.variables or build.options)


def address(python: str) -> str:
    """Return a build's name for files, with a digest if it had to be changed."""
    name = re.sub(r"[^A-Za-z0-9._+-]", "-", python)[:LONGEST_ADDRESS]
    return name if name == python else f"{name}-{hashlib.sha256(python.encode()).hexdigest()[:8]}"


def faults(
    build: Build, packages: Mapping[str, Package], python: str, machine: Machine
) -> Iterator[tuple[str, str, str]]:
    """Yield how *build*, which has *packages*, differs from the named one: field, value, right value."""
    request = request_of(python, machine)
    version = version_name(build)
    if request.interpreter in machine.paths:
        if not VERSION.fullmatch(build.version):
            yield "version", version, "a version"
    elif version != request.interpreter:
        yield "version", version, request.interpreter
    if not _is_requested(build.variant, request, packages):
        yield "variant", ", ".join(build.variant), ", ".join(request.words)
    if build.variables != request.variables:
        yield "variables", ", ".join(build.variables), ", ".join(request.variables)
    if build.options != request.options:
        yield "options", ", ".join(build.options), ", ".join(request.options)


def package_faults(packages: Mapping[str, Package], variant: tuple[str, ...], named: BuildRequest) -> Iterator[str]:
    """Yield which packages are not the named ones, or from another origin.

    A package that did not install may be any: nothing was measured with it.
    """
    requested = {package.name: package for package in named.packages}
    for name, package in packages.items():
        other = requested.get(name)
        if package.source is not None and (other is None or not other.is_repository):
            yield f"packages.{name}.source: the plan has no package from outside the index"
        elif other is not None and other.is_repository and package.source not in variant and not _is_absent(package):
            yield f"packages.{name}.source: it is not the commit that the variant names"
    for name, other in requested.items():
        if name in packages and _is_absent(packages[name]):
            continue
        version = packages[name].version if name in packages else None
        specifier = None if other.is_repository else Requirement(other.requirement).specifier
        if version is None or (specifier is not None and not specifier.contains(version, prereleases=True)):
            yield f"packages.{name}.version: it is {str(version)[:60]!r}, not {other.words!r}"


def absences(packages: Mapping[str, Package], named: BuildRequest) -> list[str]:
    """Return the requested packages that did not install, with the reasons."""
    requested = {package.name for package in named.packages}
    return [
        f"{name} did not install: {package.reason}"
        for name, package in packages.items()
        if name in requested and _is_absent(package)
    ]


def version_name(build: Build) -> str:
    """Name a build's interpreter as matrix.toml does: 3.14t, pypy3.11. What is no version is returned as it is."""
    prefix = IMPLEMENTATIONS.get(build.implementation)
    if prefix is None or not VERSION.fullmatch(build.version):
        return f"{build.implementation} {build.version}"
    return f"{prefix}{'.'.join(build.version.split('.')[:2])}{'t' * build.free_threaded}"


def _is_requested(words: tuple[str, ...], request: BuildRequest, packages: Mapping[str, Package]) -> bool:
    """Return True if a variant's words are those requested, with the commit of an installed repository."""
    absent = {name for name, package in packages.items() if _is_absent(package)}
    git = {package.words for package in request.packages if package.is_repository and package.name not in absent}
    return len(words) == len(request.words) and all(
        _is_commit_of(word, wanted) if wanted in git else word == wanted
        for word, wanted in zip(words, request.words, strict=True)
    )


def _is_commit_of(word: str, wanted: str) -> bool:
    repository, _, reference = wanted.partition("@")
    name, _, commit = word.partition("@")
    is_right = commit == reference or not COMMIT.fullmatch(reference)
    return name == repository and COMMIT.fullmatch(commit) is not None and is_right


def _is_absent(package: Package) -> bool:
    return package.version is None and bool(package.reason)
