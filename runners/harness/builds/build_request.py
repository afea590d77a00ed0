"""A build as a user names it: an interpreter, and what is different about it.

Pure, except that it looks where the path of an interpreter ends, which may hold a + of its own, and for one's home.

3.14                                a version
patched=/opt/cpython/bin/python3    an interpreter under a label of its own
3.14+aiohttp==3.13.5                with another version of a package of the runners
3.14+tornadoweb/tornado@master      with that package from a repository on GitHub
3.14+dist/aiohttp-4.0-py3-none-any.whl
3.14t+PYTHON_GIL=1+-Xcpu_count=2    with switches of the interpreter
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from packaging.requirements import InvalidRequirement, Requirement
from packaging.utils import InvalidWheelFilename, canonicalize_name, parse_wheel_filename

from runners.harness.errors import UserError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_ON_OR_OFF = re.compile(r"[01]"), "0 or 1"
VARIABLES = {
    "PYTHON_GIL": _ON_OR_OFF,
    "PYTHON_JIT": _ON_OR_OFF,
    "PYTHON_CPU_COUNT": (re.compile(r"[1-9][0-9]{0,4}|default"), "a number from 1 up, or default"),
    "PYTHON_CONTEXT_AWARE_WARNINGS": _ON_OR_OFF,
    "PYTHON_THREAD_INHERIT_CONTEXT": _ON_OR_OFF,
    "PYTHON_TLBC": _ON_OR_OFF,
    "PYTHONHASHSEED": (re.compile(r"random|[0-9]{1,9}"), "a number of at most nine digits, or random"),
    "PYTHONMALLOC": (
        re.compile(r"default|debug|(py|mi)?malloc(_debug)?"),
        "default, debug, or malloc, pymalloc or mimalloc with or without _debug",
    ),
    "PYTHONOPTIMIZE": (re.compile(r"[1-9]"), "a digit from 1 up"),
}
"""Environment variables that switch the interpreter, and hold nothing private; with the values that they take."""
_AS_OPTIONS = {
    "gil": "PYTHON_GIL",
    "cpu_count": "PYTHON_CPU_COUNT",
    "context_aware_warnings": "PYTHON_CONTEXT_AWARE_WARNINGS",
    "thread_inherit_context": "PYTHON_THREAD_INHERIT_CONTEXT",
    "tlbc": "PYTHON_TLBC",
}
"""What can also be said by -X, with the same values."""
_SWITCH = re.compile(r"([A-Z_]+)=[A-Za-z0-9_]{1,20}")
_OPTION = re.compile(r"-X ?([a-z_]{1,40}(=[A-Za-z0-9_]{1,20})?)")
_REPOSITORY = re.compile(r"[A-Za-z0-9-]{1,39}/([A-Za-z0-9._-]{1,100})@[A-Za-z0-9._/-]{1,100}")
_LABEL = re.compile(r"([A-Za-z0-9][A-Za-z0-9._-]{0,39})=(.*)", re.DOTALL)
_MEANT_AS_LABEL = re.compile(r"(?![A-Z_]+=)[^=<>!~]+=([0-9]|[./~]|pypy)")
"""What stands behind a + within a label: `a+b=3.13`."""
LABELS = "a label has letters, digits, and behind the first also . _ and -, at most 40 in all"
_WHEEL_WORD = re.compile(r"(\S+\.whl)( [0-9a-f]+)?")
SEPARATORS = ("/", "\\")
PACKAGES = "name==version, owner/repository@reference"
SWITCHES = f"-Xname=value, or one of {', '.join(VARIABLES)} with = and a value"


NOT_AS_CLONED = {
    "aiohttp": (
        "aiohttp's repository does not build as it is cloned: build a wheel of the branch, and measure that on a "
        "machine of your own (docs/run-it-yourself.md, Did my branch make it faster?)"
    ),
}
"""By package, what is to be done where its repository lacks files that a command of it makes."""
UNBUILT = {"aiohttp": "aio-libs/aiohttp"}
"""By package, that repository. A fork of it may have these files: that is found out where it is measured."""


@dataclass(frozen=True)
class OtherPackage:
    """A package that a build is to have in place of the pinned one."""

    name: str
    """As installers know it, normalised."""
    requirement: str
    """What the installer is to be given."""
    words: str
    """What it is called in names and tables: never a path."""

    @property
    def is_wheel(self) -> bool:
        """Whether it is a wheel of the user's own."""
        return self.requirement.endswith(".whl")

    @property
    def is_repository(self) -> bool:
        """Whether it is of a repository on GitHub."""
        return self.requirement.startswith("git+")

    @property
    def is_unbuilt(self) -> bool:
        """Whether it is of a repository that is known not to build as it is cloned."""
        repository = self.words.partition("@")[0].lower()
        return self.is_repository and repository == UNBUILT.get(self.name)


@dataclass(frozen=True)
class BuildRequest:
    """An interpreter, and what is different about it."""

    interpreter: str
    """A version, or the path of an interpreter."""
    label: str = ""
    """What the user calls it; empty: its version says enough."""
    packages: tuple[OtherPackage, ...] = ()
    variables: tuple[str, ...] = ()
    """Environment variables with their values, as NAME=value."""
    options: tuple[str, ...] = ()
    """What follows -X."""

    @property
    def is_of_this_machine(self) -> bool:
        """Whether it names files: what is asked of a hosted machine may not."""
        wheels = any(package.is_wheel for package in self.packages)
        return wheels or any(mark in self.interpreter for mark in SEPARATORS)

    @property
    def words(self) -> tuple[str, ...]:
        """What tells it from the plain build of the interpreter, each in a word."""
        return (
            *([self.label] if self.label else []),
            *(package.words for package in self.packages),
            *self.variables,
            *(f"-X {option}" for option in self.options),
        )


def parse(text: str, packages: Iterable[str], *, may_name_files: bool = True) -> BuildRequest:
    """Read what a user names a build by; *packages* are those that the runners need.

    Raises UserError, which says what can be written; wheels are not among that unless a build *may_name_files*.
    """
    known, others, variables, options = sorted(packages), [], [], []
    label, interpreter, pieces = _taken_apart(text, known)
    possible = ", ".join([PACKAGES, *(["a wheel's path"] if may_name_files else []), SWITCHES])
    for piece in pieces:
        if (option := _OPTION.fullmatch(piece)) is not None:
            options.append(option[1])
            _check_value(_AS_OPTIONS.get(option[1].partition("=")[0], ""), option[1], text)
        elif (switch := _SWITCH.fullmatch(piece)) is not None and switch[1] in VARIABLES:
            variables.append(piece)
            _check_value(switch[1], piece, text)
        else:
            others.append(_package(piece, text, known, possible))
    return BuildRequest(interpreter, label, tuple(others), tuple(variables), tuple(options))


def _check_value(variable: str, piece: str, text: str) -> None:
    """Raise UserError where a switch has a value with which no interpreter starts."""
    if variable in VARIABLES:
        pattern, words = VARIABLES[variable]
        name, _, value = piece.partition("=")
        if not pattern.fullmatch(value):
            msg = f"{text!r}: {name} takes {words}, not {value!r}"
            raise UserError(msg)


def _taken_apart(text: str, known: Iterable[str]) -> tuple[str, str, list[str]]:
    """Return the label, empty where there is none, the interpreter and the rest. Raises UserError."""
    named, *pieces = _pieces(text)
    labelled = _LABEL.fullmatch(named)
    label, interpreter = labelled.groups() if labelled else ("", named)
    if not interpreter:
        msg = f"{text!r} names no interpreter: begin with a version, or the path of one"
        raise UserError(msg)
    if interpreter.startswith("=") and canonicalize_name(label) in known:
        msg = f"{text!r} names no interpreter: begin with a version: 3.14+{text}"
        raise UserError(msg)
    if not labelled and "=" in named and not _is_rooted(named) and not os.path.isfile(named):  # noqa: PTH113 - as below
        msg = f"{text!r}: {named.partition('=')[0]!r} is no label: {LABELS}"
        raise UserError(msg)
    return label, _at_home(interpreter), pieces


def _is_rooted(path: str) -> bool:
    """Return whether it can't be a label since it begins as a path does."""
    return path.startswith((*SEPARATORS, ".", "~")) or path[1:2] == ":"


def _at_home(path: str) -> str:
    """Return a path as a shell would: behind a label or a +, none expands the ~ of a home folder."""
    return str(Path(path).expanduser()) if path.startswith("~") else path


def _pieces(text: str) -> list[str]:
    """Split what is written at each + but those in versions, as of `aiohttp-4.0+local-py3-none-any.whl`."""
    interpreter, parts = _interpreter(text.split("+"))
    pieces: list[str] = []
    for part in parts:
        before = pieces[-1] if pieces else ""
        is_pinned = "==" in before and re.fullmatch(r"[A-Za-z0-9._]+", part)
        if before and (is_pinned or _is_half_a_wheel(before)):
            pieces[-1] = f"{before}+{part}"
        else:
            pieces.append(part)
    return [interpreter, *pieces]


def _interpreter(parts: Sequence[str]) -> tuple[str, Sequence[str]]:
    """Return the interpreter, and the parts behind it. uv's free-threaded ones have a + in their paths."""
    for count in range(len(parts), 1, -1):
        longer = "+".join(parts[:count])
        labelled = _LABEL.fullmatch(longer)
        path = labelled[2] if labelled else longer
        if any(mark in path for mark in SEPARATORS) and os.path.isfile(path):  # noqa: PTH113 - of too long a name Path.is_file raises
            return longer, parts[count:]
    return parts[0], parts[1:]


def _is_half_a_wheel(piece: str) -> bool:
    known = (_OPTION, _SWITCH, _REPOSITORY)
    return not any(each.fullmatch(piece) for each in known) and "==" not in piece and not piece.endswith(".whl")


def asked_again(words: Iterable[str]) -> tuple[str, list[str]]:
    """Return the label and the packages of a variant that *words* name, as a user writes them; of a wheel its name."""
    label, packages = "", []
    for word in words:
        wheel, pinned = _WHEEL_WORD.fullmatch(word), re.fullmatch(r"(\S+) (\S+)", word)
        if word.startswith("-X ") or ("=" in word and "@" not in word):
            continue  # a switch: the record has those once more, apart
        if wheel:
            packages.append(wheel[1])
        elif "@" in word:
            packages.append(word)
        elif pinned:
            packages.append(f"{pinned[1]}=={pinned[2]}")
        else:
            label = word
    return label, packages


def _package(piece: str, text: str, known: Iterable[str], possible: str) -> OtherPackage:
    """Return the package that *piece* names. Raises UserError, with what is *possible*."""
    if (repository := _REPOSITORY.fullmatch(piece)) is not None:
        name, requirement, words = repository[1], f"git+https://github.com/{piece}", piece
    elif piece.endswith(".whl") and "://" not in piece:
        name, requirement, words = _of_wheel(Path(_at_home(piece)), text)
    else:
        name, requirement, words = _pinned(piece, text, possible)
    name = canonicalize_name(name)
    if name not in known:
        msg = f"{text!r}: no runner needs {name!r}; a variant can have other versions of {', '.join(known)}"
        raise UserError(msg)
    return OtherPackage(name, requirement, words)


def _of_wheel(path: Path, text: str) -> tuple[str, str, str]:
    try:
        name, *_ = parse_wheel_filename(path.name)
    except InvalidWheelFilename:
        form = "leave a wheel the name that it was built with, such as aiohttp-4.0-py3-none-any.whl"
        msg = f"{text!r}: {path.name!r} is no wheel's name: {form}"
        raise UserError(msg) from None
    return name, str(path.absolute()), path.name


def _pinned(piece: str, text: str, possible: str) -> tuple[str, str, str]:
    try:
        requirement = Requirement(piece)
    except InvalidRequirement:
        requirement = None
    is_more = requirement is not None and (requirement.extras or requirement.marker)  # which nobody would install
    if requirement is None or is_more or not re.fullmatch(r"==[\w.+!-]+", str(requirement.specifier)):
        label = f"; {LABELS}" if _MEANT_AS_LABEL.match(piece) else ""
        msg = f"{text!r}: {piece!r} is none of what can follow a +: {possible}{label}"
        raise UserError(msg)
    version = str(requirement.specifier).removeprefix("==")
    return requirement.name, f"{requirement.name}=={version}", f"{requirement.name} {version}"
