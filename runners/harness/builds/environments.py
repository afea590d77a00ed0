"""Makes each build an environment with the runners' packages, by uv, from the pinned requirements. Our side.

Each file of requirements/runners/ is one package of the runners with all it needs. One that does not install on a build
is noted with the installer's reason, and stops nothing else.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import subprocess
import time
from pathlib import Path
from typing import TYPE_CHECKING

from filelock import FileLock
from uv import find_uv_bin

from runners.harness import programs
from runners.harness.catalogue.scenarios import ROOT
from runners.harness.errors import UserError
from runners.harness.files import write_atomically
from runners.harness.redact import without_paths

if TYPE_CHECKING:
    from collections.abc import Sequence

    from runners.harness.builds.build_request import OtherPackage

ENVIRONMENTS = ROOT / ".cache" / "builds"
PINS = ROOT / "requirements" / "runners"
INSTALL_LIMIT_S = 1200
NETWORK = re.compile("error sending request|dns error|connection|failed to fetch", re.IGNORECASE)
"""A package that did not install for such a reason is tried again the next time."""


def packages(pins: Path = PINS) -> list[str]:
    """Return the packages that runners need, in order of name."""
    return sorted(path.stem for path in pins.glob("*.in"))


def make(
    base: Path, name: str, others: Sequence[OtherPackage] = (), folder: Path = ENVIRONMENTS, pins: Path = PINS
) -> tuple[Path, dict[str, str]]:
    """Return the interpreter of *base*'s environment, and by package why it is not there. Made once, then kept.

    *others* are in it in the place of the pinned packages of their names.

    Raises UserError where not even an empty environment can be made.
    """
    files = sorted(pins.glob("*.txt"))
    facts = [str(base.resolve()), *(path.name + path.read_text(encoding="utf-8") for path in files)]
    facts += [_identity(other.requirement) for other in others]
    key = hashlib.sha256("\n".join(facts).encode()).hexdigest()[:12]
    place = folder / f"{name}-{key}"
    done = place / "runners.json"
    folder.mkdir(parents=True, exist_ok=True)
    with FileLock(folder / f"{place.name}.lock"):
        reasons: dict[str, str] | None = json.loads(done.read_text(encoding="utf-8")) if done.is_file() else None
        if reasons is None or any(NETWORK.search(reason) for reason in reasons.values()):
            reasons = _install(base, place, files, others)
            write_atomically(done, json.dumps(reasons).encode())
    return _python(place), reasons


def made(name: str, folder: Path = ENVIRONMENTS) -> list[Path]:
    """Return the interpreters of the environments made so far for builds of *name*."""
    return [_python(done.parent) for done in sorted(folder.glob(f"{name}-*/runners.json"))]


def compile_runners(python: Path) -> None:
    """Fill the caches of byte code, so that no sample pays for it. What does not compile is recorded when it is run."""
    subprocess.run([python, "-m", "compileall", "-q", "runners"], cwd=ROOT, capture_output=True, check=False)  # noqa: S603 - our own code


def _identity(requirement: str) -> str:
    """Return what makes a requirement the same once more: of a wheel its bytes, of a branch this very minute."""
    if requirement.endswith(".whl"):
        try:
            return hashlib.sha256(Path(requirement).read_bytes()).hexdigest()
        except OSError as error:
            msg = f"{Path(requirement).name} can't be read: {error.strerror}"
            raise UserError(msg) from None
    return f"{requirement} {time.time_ns()}" if requirement.startswith("git+") else requirement


def _install(base: Path, place: Path, files: list[Path], others: Sequence[OtherPackage]) -> dict[str, str]:
    complaint = _uv("venv", "--quiet", "--clear", "--python", str(base), str(place))
    if complaint is not None:
        msg = f"no environment could be made for {place.name}: {complaint}"
        raise UserError(msg)
    options = ["--quiet", "--python", str(_python(place)), "--require-hashes", "--compile-bytecode"]
    tried = {path.stem: _uv("pip", "install", *options, "-r", str(path)) for path in files}
    for other in others:  # last, so that it takes the pinned one's place; what it needs beside it comes from the index
        tried[other.name] = _uv("pip", "install", "--quiet", "--python", str(_python(place)), other.requirement)
    return {name: reason for name, reason in tried.items() if reason is not None}


def _uv(*arguments: str) -> str | None:
    """Run uv; return None when it succeeds, else why not, in a line."""
    try:
        ran = programs.run(find_uv_bin(), *arguments, limit_s=INSTALL_LIMIT_S)
    except subprocess.TimeoutExpired:
        return f"the installation took over {INSTALL_LIMIT_S // 60} minutes"
    return None if ran.returncode == 0 else in_a_line(ran.stderr)


def in_a_line(complaint: str) -> str:
    """Shorten an installer's message: its causes in one line, without addresses and private paths."""
    lines = (line.strip(" \t│\u00d7╰─▶├") for line in complaint.splitlines())
    text = re.sub(r"https?://\S+", "(an address)", " ".join(line for line in lines if line))
    return without_paths(text) or "no message"


def _python(place: Path) -> Path:
    return place / "Scripts" / "python.exe" if os.name == "nt" else place / "bin" / "python"
