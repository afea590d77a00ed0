"""Parses a build as a user names it: an interpreter, and what is different about it.

3.14                                a version
patched=/opt/cpython/bin/python3    an interpreter under a label
3.14+aiohttp==3.13.5                a different version of one of the runners' packages
3.14+tornadoweb/tornado@master      that package from a GitHub repository
3.14+dist/aiohttp-4.0-py3-none-any.whl
3.14t+PYTHON_GIL=1+-Xcpu_count=2    switches of the interpreter
"""

import os
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from packaging.requirements import InvalidRequirement, Requirement
from packaging.utils import InvalidWheelFilename, canonicalize_name, parse_wheel_filename

from runners.harness.errors import UserError

VARIABLES = (
    *("PYTHON_GIL", "PYTHON_JIT", "PYTHON_CPU_COUNT", "PYTHON_CONTEXT_AWARE_WARNINGS", "PYTHON_THREAD_INHERIT_CONTEXT"),
    *("PYTHON_TLBC", "PYTHONHASHSEED", "PYTHONMALLOC", "PYTHONOPTIMIZE"),
)
"""Environment variables that switch the interpreter and hold nothing private. It refuses wrong values itself."""
_SWITCH = re.compile(r"([A-Z_]+)=[A-Za-z0-9_]{1,20}")
_OPTION = re.compile(r"-X ?([a-z_]{1,40}(=[A-Za-z0-9_]{1,20})?)")
_REPOSITORY = re.compile(r"[A-Za-z0-9-]{1,39}/([A-Za-z0-9._-]{1,100})@[A-Za-z0-9._/-]{1,100}")
_COMPLETE = _SWITCH, _OPTION, _REPOSITORY
_LABEL = re.compile(r"([A-Za-z0-9][A-Za-z0-9._-]{0,39})=(.*)", re.DOTALL)
LABELS = "a label has letters and digits, after the first also . _ and -, at most 40 in all"
GITHUB = "git+https://github.com/"
SEPARATORS = ("/", "\\")
PACKAGES = "name==version, owner/repository@reference"
SWITCHES = f"-Xname=value, or one of {', '.join(VARIABLES)} with = and a value"


@dataclass(frozen=True)
class OtherPackage:
    """A package that replaces the pinned one in a build."""

    name: str
    """Normalised."""
    requirement: str
    label: str
    """For names and tables: never a path."""

    @property
    def is_wheel(self) -> bool:
        return self.requirement.endswith(".whl")

    @property
    def is_repository(self) -> bool:
        """True if it comes from GitHub."""
        return self.requirement.startswith("git+")


@dataclass(frozen=True)
class BuildRequest:
    """An interpreter, and what is different about it."""

    interpreter: str
    label: str = ""
    packages: tuple[OtherPackage, ...] = ()
    variables: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    text: str = field(default="", compare=False)
    """What the user typed."""

    @property
    def names_files(self) -> bool:
        """True if it names files: hosted machines accept none."""
        wheels = any(package.is_wheel for package in self.packages)
        return wheels or any(mark in self.interpreter for mark in SEPARATORS)

    @property
    def variant(self) -> tuple[str, ...]:
        """What differs from the interpreter's plain build."""
        return (
            *filter(None, [self.label]),
            *(package.label for package in self.packages),
            *self.variables,
            *(f"-X {option}" for option in self.options),
        )


def parse(text: str, packages: Iterable[str]) -> BuildRequest:
    """Parse the name of a build; *packages* are those that the runners need. Raises UserError with what is possible."""
    known, others, variables, options = sorted(packages), [], [], []
    label, interpreter, pieces = _split(text, known)
    for piece in pieces:
        if (option := _OPTION.fullmatch(piece)) is not None:
            options.append(option[1])
        elif (switch := _SWITCH.fullmatch(piece)) is not None and switch[1] in VARIABLES:
            variables.append(piece)
        else:
            others.append(_package(piece, text, known))
    return BuildRequest(interpreter, label, tuple(others), tuple(variables), tuple(options), text)


def _split(text: str, known: Iterable[str]) -> tuple[str, str, list[str]]:
    head, *pieces = _pieces(text)
    labelled = _LABEL.fullmatch(head)
    label, interpreter = labelled.groups() if labelled else ("", head)
    if not interpreter or (interpreter.startswith("=") and canonicalize_name(label) in known):
        msg = f"{text!r} names no interpreter: begin with a version, such as 3.14+, or with the path of one"
        raise UserError(msg)
    if not labelled and "=" in head:
        msg = f"{text!r}: {head.partition('=')[0]!r} is not a label: {LABELS}"
        raise UserError(msg)
    return label, interpreter, pieces


def _pieces(text: str) -> list[str]:
    """Split at each +, except within versions, as in `aiohttp-4.0+local-py3-none-any.whl`."""
    interpreter, parts = _interpreter(text.split("+"))
    pieces: list[str] = []
    for part in parts:
        before = pieces[-1] if pieces else ""
        is_pinned = "==" in before and re.fullmatch(r"[A-Za-z0-9._]+", part)
        is_complete = "==" in before or before.endswith(".whl") or any(each.fullmatch(before) for each in _COMPLETE)
        if before and (is_pinned or not is_complete):
            pieces[-1] = f"{before}+{part}"
        else:
            pieces.append(part)
    return [interpreter, *pieces]


def _interpreter(parts: Sequence[str]) -> tuple[str, Sequence[str]]:
    """Return the interpreter and the parts after it. The paths of uv's free-threaded interpreters have a +."""
    for count in range(len(parts), 1, -1):
        longer = "+".join(parts[:count])
        labelled = _LABEL.fullmatch(longer)
        path = labelled[2] if labelled else longer
        is_path = any(mark in path for mark in SEPARATORS)
        if is_path and os.path.isfile(path):  # noqa: PTH113 - Path.is_file raises for a name that is too long
            return longer, parts[count:]
    return parts[0], parts[1:]


def _package(piece: str, text: str, known: Iterable[str]) -> OtherPackage:
    if (repository := _REPOSITORY.fullmatch(piece)) is not None:
        name, requirement, words = repository[1], f"{GITHUB}{piece}", piece
    elif piece.endswith(".whl") and "://" not in piece:
        name, requirement, words = _wheel(Path(piece), text)
    else:
        name, requirement, words = _pinned(piece, text)
    name = canonicalize_name(name)
    if name not in known:
        msg = f"{text!r}: no runner needs {name!r}; a variant can have other versions of {', '.join(known)}"
        raise UserError(msg)
    return OtherPackage(name, requirement, words)


def _wheel(path: Path, text: str) -> tuple[str, str, str]:
    try:
        name, *_ = parse_wheel_filename(path.name)
    except InvalidWheelFilename:
        form = "leave a wheel the name that it was built with, such as aiohttp-4.0-py3-none-any.whl"
        msg = f"{text!r}: {path.name!r} is not a wheel's name: {form}"
        raise UserError(msg) from None
    return name, str(path.absolute()), path.name


def _pinned(piece: str, text: str) -> tuple[str, str, str]:
    try:
        requirement = Requirement(piece)
    except InvalidRequirement:
        requirement = None
    has_more = requirement is not None and (requirement.extras or requirement.marker)  # would be ignored
    if requirement is None or has_more or not re.fullmatch(r"==[\w.+!-]+", str(requirement.specifier)):
        msg = f"{text!r}: {piece!r} can't follow a +; this can: {PACKAGES}, a wheel's path, {SWITCHES}"
        raise UserError(msg)
    version = str(requirement.specifier).removeprefix("==")
    return requirement.name, f"{requirement.name}=={version}", f"{requirement.name} {version}"
