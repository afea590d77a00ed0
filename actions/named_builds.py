"""The builds that a hosted run may name, and whether a record is from the named one.

They are named as on your own machine (runners.harness.builds.build_request), with three limits: the interpreter is in
matrix.toml, nothing names a file, and all characters are safe in tables and logs.
"""

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from packaging.requirements import Requirement

from runners.harness.builds import environments
from runners.harness.builds.build_request import BuildRequest, parse
from runners.harness.catalogue.scenarios import select
from runners.harness.errors import UserError
from runners.harness.matrix import Machine
from runners.harness.record.model import Build, Package

PLAIN = re.compile(r"[A-Za-z0-9.+_=/@*!-]{1,150}", re.ASCII)
LONGEST_FILE_NAME = 60
VERSION = re.compile(r"[0-9]\.[0-9]{1,2}\.[0-9]{1,2}((a|b|rc)[0-9]{1,2})?\+?")
IMPLEMENTATIONS = {"CPython": "", "PyPy": "pypy"}
COMMIT = re.compile(r"[0-9a-f]{40}")


def check(text: str, interpreters: Iterable[str]) -> None:
    """Raise UserError for a build that hosted runs may not name."""
    request = parse(text, environments.packages())
    if request.names_files:
        msg = f"{text[:60]!r} names a file; runs take versions, packages from the index or GitHub, and labels"
        raise UserError(msg)
    if not PLAIN.fullmatch(text):
        msg = f"{text[:60]!r}: a name has at most 150 letters, digits and . + _ = / @ * ! -"
        raise UserError(msg)
    select(interpreters, [request.interpreter], "Python")


def parse_build(python: str, machine: Machine) -> BuildRequest:
    """Return what *python* means on *machine*, whose interpreters may have labels."""
    request = parse(python, environments.packages())
    is_labelled = request.interpreter in machine.paths and not request.label
    return replace(request, label=request.interpreter) if is_labelled else request


def list_packages(python: str) -> list[str]:
    """Return the packages whose versions differ in a build."""
    return [package.name for package in parse(python, environments.packages()).packages]


def get_interpreter(python: str) -> str:
    """Return the version, or the label, of a build."""
    return python.partition("+")[0].rpartition("=")[2]


def make_file_name(python: str) -> str:
    """Return a build's name for files, with a digest if it had to be changed."""
    name = re.sub(r"[^A-Za-z0-9._+-]", "-", python)[:LONGEST_FILE_NAME]
    return name if name == python else f"{name}-{hashlib.sha256(python.encode()).hexdigest()[:8]}"


def find_build_faults(
    build: Build, packages: Mapping[str, Package], python: str, machine: Machine
) -> Iterator[tuple[str, str, str]]:
    """Yield how *build*, which has *packages*, differs from the named one: field, value, right value."""
    request = parse_build(python, machine)
    version = _name_version(build)
    if request.interpreter in machine.paths:
        if not VERSION.fullmatch(build.version):
            yield "version", version, "a version"
    elif version != request.interpreter:
        yield "version", version, request.interpreter
    if not _is_requested(build.variant, request, packages):
        yield "variant", ", ".join(build.variant), ", ".join(request.variant)
    for field in ("variables", "options"):
        value, right = getattr(build, field), getattr(request, field)
        if value != right:
            yield field, ", ".join(value), ", ".join(right)


def find_package_faults(packages: Mapping[str, Package], words: tuple[str, ...], named: BuildRequest) -> Iterator[str]:
    """Yield packages that differ from the named ones, or whose origin is not in a variant's *words*.

    Packages that did not install are ignored: nothing was measured with them.
    """
    repositories = {wanted.name for wanted in named.packages if wanted.is_repository}
    for name, package in packages.items():
        if name not in repositories:
            if package.source is not None:
                yield f"packages.{name}.source: the plan has no package from outside the index"
        elif package.source not in words and not is_absent(package):
            yield f"packages.{name}.source: it is not the commit that the variant names"
    for wanted in named.packages:
        installed = packages.get(wanted.name)
        if is_absent(installed):
            continue
        version = installed.version if installed else None
        specifier = None if wanted.is_repository else Requirement(wanted.requirement).specifier
        if version is None or (specifier is not None and not specifier.contains(version, prereleases=True)):
            yield f"packages.{wanted.name}.version: it is {str(version)[:60]!r}, not {wanted.label!r}"


def _name_version(build: Build) -> str:
    """Name a build's interpreter like matrix.toml, as in 3.14t and pypy3.11. Return an unknown one unchanged."""
    prefix = IMPLEMENTATIONS.get(build.implementation)
    if prefix is None or not VERSION.fullmatch(build.version):
        return f"{build.implementation} {build.version}"
    return f"{prefix}{'.'.join(build.version.split('.')[:2])}{'t' * build.free_threaded}"


def _is_requested(words: tuple[str, ...], request: BuildRequest, packages: Mapping[str, Package]) -> bool:
    """True if a variant has the requested words, with the commit of each installed repository."""
    repositories = {
        package.label
        for package in request.packages
        if package.is_repository and not is_absent(packages.get(package.name))
    }
    return len(words) == len(request.variant) and all(
        _is_commit_from(word, wanted) if wanted in repositories else word == wanted
        for word, wanted in zip(words, request.variant, strict=True)
    )


def _is_commit_from(word: str, wanted: str) -> bool:
    repository, _, reference = wanted.partition("@")
    name, _, commit = word.partition("@")
    is_right = commit == reference or not COMMIT.fullmatch(reference)
    return name == repository and COMMIT.fullmatch(commit) is not None and is_right


def is_absent(package: Package | None) -> bool:
    """True if a package did not install."""
    return package is not None and package.version is None and bool(package.reason)
