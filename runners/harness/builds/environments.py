"""Makes each build an environment with the runners' packages, by uv, from the pinned requirements. Our side.

Each requirements/runners/*.in names a package of the runners; requirements/runners.txt pins all of them and what they
need, in one resolution. Each is installed by itself: one that does not install on a build is noted with the
installer's reason, and stops nothing else.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import subprocess
import time
from pathlib import Path
from typing import TYPE_CHECKING, TypedDict

from filelock import FileLock
from uv import find_uv_bin

from runners.harness import programs
from runners.harness.builds import index_files
from runners.harness.catalogue.scenarios import ROOT
from runners.harness.errors import UserError
from runners.harness.files import write_atomically
from runners.harness.redact import redact_paths

if TYPE_CHECKING:
    from collections.abc import Sequence

    from runners.harness.builds.build_request import OtherPackage

ENVIRONMENTS = ROOT / ".cache" / "builds"
PINS = ROOT / "requirements" / "runners.txt"
"""Of all packages of the runners. Beside it a folder of that name has a file for each, with its name."""
INSTALL_LIMIT_S = 1200
FOR_GOOD = re.compile(
    r"no solution found|has no wheels|no matching distribution|failed to build|build backend|no pinned version",
    re.IGNORECASE,
)
"""What the resolver or a build says: it would say so again."""
UNREACHABLE = re.compile(
    r"failed to fetch|error sending request|dns error|timed out|connection (refused|reset|aborted|closed)"
    r"|network was disabled",
    re.IGNORECASE,
)
"""What uv says of an index that does not answer."""
REFUSED = re.compile(r"unauthorized|forbidden|authentication (required|credentials)", re.IGNORECASE)
"""What it says of an index that answers, but not us."""
LACKING = re.compile(r"not found in the (package registry|cache)|there is no version of", re.IGNORECASE)
"""What it says of an index that does not have what is pinned."""
OF_MACHINE = re.compile(
    r"os error|no space left|disk quota|too many open files|(cannot allocate|out of|virtual) memory|memoryerror"
    r"|temporarily unavailable|\bkilled\b|signal: \d",
    re.IGNORECASE,
)
"""What the disk or a limit of the machine says."""
GIT_COMMAND = re.compile(r"process didn't exit successfully: `[^`]*git[^`]*` \([^)]*\) --- stderr ")
"""How uv comes to what git says: with a command of addresses and references."""
PASSING = (UNREACHABLE, REFUSED, LACKING, OF_MACHINE)
"""Each is tried again the next time, also where it is said within a build: uv tells of an index that refuses us, or
lacks a version so far, as of a resolution that can't be had."""


def packages(pins: Path = PINS) -> list[str]:
    """Return the packages that runners need, in order of name."""
    return sorted(path.stem for path in pins.with_suffix("").glob("*.in"))


class Refusal(TypedDict):
    """Why a package is not there, as an environment's file keeps it."""

    reason: str
    for_good: bool


def make(
    base: Path, name: str, others: Sequence[OtherPackage] = (), folder: Path = ENVIRONMENTS, pins: Path = PINS
) -> tuple[Path, dict[str, str]]:
    """Return the interpreter of *base*'s environment, and by package why it is not there. Made once, then kept.

    *others* are in it in the place of the pinned packages of their names.

    Raises UserError where not even an empty environment can be made, or nothing can be kept in *folder*.
    """
    try:
        return _made(base, name, others, folder, pins)
    except OSError as error:
        reason = error.strerror or error
        msg = f"no environment can be made in {folder}: {reason}; make room there, or let it be written to"
        raise UserError(msg) from None


def _made(
    base: Path, name: str, others: Sequence[OtherPackage], folder: Path, pins: Path
) -> tuple[Path, dict[str, str]]:
    facts = [stamp(base), *packages(pins), pins.read_text(encoding="utf-8")]
    facts += [_identity(other.requirement) for other in others]
    key = hashlib.sha256("\n".join(facts).encode()).hexdigest()[:12]
    place = folder / f"{name}-{key}"
    done = place / "runners.json"
    folder.mkdir(parents=True, exist_ok=True)
    with FileLock(folder / f"{place.name}.lock"):
        refused: dict[str, Refusal] | None = json.loads(done.read_text(encoding="utf-8")) if done.is_file() else None
        if refused is None or not all(refusal["for_good"] for refusal in refused.values()):
            refused = _install(base, place, pins, others, refused)
            write_atomically(done, json.dumps(refused).encode())
            index_files.find(place, _python(place))
        elif not index_files.are_kept(place):
            index_files.find(place, _python(place))
    return _python(place), {name: refusal["reason"] for name, refusal in refused.items()}


def stamp(base: Path) -> str:
    """Return what is another where an interpreter is installed anew, be it at the same place. Raises UserError."""
    try:
        found = base.resolve().stat()
    except OSError as error:
        msg = f"{base.name} can't be looked at: {error.strerror}"
        raise UserError(msg) from None
    return f"{base.resolve()} {found.st_size} {found.st_mtime_ns}"


def log_of(package: str, python: Path) -> Path:
    """Return where all is that the installer said of a package, in the environment of *python*."""
    return python.parents[1] / f"{package}.log"


def compile_runners(python: Path) -> None:
    """Fill the caches of byte code, so that no sample pays for it. What does not compile is recorded when it is run."""
    subprocess.run([python, "-m", "compileall", "-q", "runners"], cwd=ROOT, capture_output=True, check=False)  # noqa: S603 - our own code


def _identity(requirement: str) -> str:
    """Return what makes a requirement the same once more: of a wheel its bytes, of a branch this very minute."""
    if requirement.endswith(".whl"):
        return sha256(Path(requirement))
    return f"{requirement} {time.time_ns()}" if requirement.startswith("git+") else requirement


def sha256(wheel: Path) -> str:
    """Return the digest of a wheel. Raises UserError, with the whole path: what was given may be relative."""
    try:
        return hashlib.sha256(wheel.read_bytes()).hexdigest()
    except FileNotFoundError:
        msg = f"there is no file {wheel}: name a wheel by its path, from the folder that you are in or in full"
        raise UserError(msg) from None
    except OSError as error:
        msg = f"{wheel} can't be read: {error.strerror}"
        raise UserError(msg) from None


def _install(
    base: Path, place: Path, pins: Path, others: Sequence[OtherPackage], before: dict[str, Refusal] | None
) -> dict[str, Refusal]:
    """Install everything, or what may now install of what was refused *before*.

    An environment that was made before is added to and never emptied: another run may be measuring with it.
    """
    if before is None:
        _make_empty(base, place)
    for_good = {name: refusal for name, refusal in (before or {}).items() if refusal["for_good"]}
    wanted = [name for name in packages(pins) if before is None or (name in before and name not in for_good)]
    tried = {name: _install_package(name, place, pins) for name in wanted}
    for other in others:  # last, so that it takes the pinned one's place; what it needs beside it comes from the index
        tried[other.name] = _uv("pip", "install", "--quiet", "--python", str(_python(place)), other.requirement)
    for name, complaint in tried.items():
        if complaint is not None:
            log_of(name, _python(place)).write_text(complaint, encoding="utf-8", errors="replace")
    refused: dict[str, Refusal] = {
        name: {"reason": one_line(complaint), "for_good": is_for_good(complaint)}
        for name, complaint in tried.items()
        if complaint is not None
    }
    return {name: refusal for name, refusal in for_good.items() if name not in tried} | refused


def _make_empty(base: Path, place: Path) -> None:
    """Make an environment without packages. Raises UserError."""
    complaint = _uv("venv", "--quiet", "--clear", "--python", str(base), str(place))
    if complaint is not None:
        msg = f"no environment could be made for {place.name}: {one_line(complaint)}"
        raise UserError(msg)


def _install_package(name: str, place: Path, pins: Path) -> str | None:
    """Install one package, and of *pins* what it needs, all with checked hashes. Return the complaint, if any."""
    wanted = place / f"{name}.txt"
    wanted.write_text(entries(name, pins.read_text(encoding="utf-8")), encoding="utf-8")
    if not wanted.stat().st_size:
        return f"no pinned version in {pins.name}: run `make pins`"
    options = ["--quiet", "--python", str(_python(place)), "--require-hashes", "--compile-bytecode"]
    return _uv("pip", "install", *options, "--constraint", str(pins), "-r", str(wanted))


def entries(name: str, pins: str) -> str:
    """Return what a requirements file has of one package: its versions, each with markers and hashes."""
    return "".join(re.findall(rf"^{re.escape(name)}(?:\[[^]\n]*\])?==.*\n(?:[ \t].*\n)*", pins, re.MULTILINE))


def is_for_good(complaint: str) -> bool:
    """Tell whether an installer would say the same again: only what the resolver or a build says is kept."""
    return FOR_GOOD.search(complaint) is not None and not any(kind.search(complaint) for kind in PASSING)


def _uv(*arguments: str) -> str | None:
    """Run uv; return None when it succeeds, else what it complains of."""
    try:
        ran = programs.run(find_uv_bin(), *arguments, limit_s=INSTALL_LIMIT_S)
    except subprocess.TimeoutExpired:
        return f"the installation took over {INSTALL_LIMIT_S // 60} minutes"
    except OSError as error:
        return f"uv could not be started: {error.strerror}"
    return None if ran.returncode == 0 else ran.stderr


def one_line(complaint: str) -> str:
    """Shorten an installer's message: its causes in one line, without addresses and private paths."""
    lines = (line.strip(" \t│\u00d7╰─▶├") for line in complaint.splitlines())
    text = GIT_COMMAND.sub("", " ".join(line for line in lines if line))
    text = re.sub(r"https?://[^\s'\"`]+", "(an address)", text)
    return redact_paths(text) or "no message"


def _python(place: Path) -> Path:
    return place / "Scripts" / "python.exe" if os.name == "nt" else place / "bin" / "python"
