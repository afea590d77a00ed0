"""Makes an environment with the runners' packages for each build, using uv and pinned requirements.

Each requirements/runners/*.in names a package of the runners. requirements/runners.txt pins all of them and what they
need. Packages are installed one by one: if one does not install on a build, the installer's reason is recorded and the
others are not affected.
"""

import hashlib
import json
import os
import re
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path

from filelock import FileLock
from uv import find_uv_bin

from runners.harness import programs
from runners.harness.builds import index_files
from runners.harness.builds.build_request import OtherPackage
from runners.harness.catalogue.scenarios import ROOT
from runners.harness.errors import UserError
from runners.harness.files import write_atomically
from runners.harness.redact import redact_paths

ENVIRONMENTS = ROOT / ".cache" / "builds"
PINS = ROOT / "requirements" / "runners.txt"
INSTALL_LIMIT_S = 1200
BUILT_OR_RESOLVED = (
    "no solution found|has no wheels|no matching distribution|failed to build|build backend|no pinned version"
)
"""How the resolver or a build fails, in any case of letters. Both would fail again."""
UNAVAILABLE = (
    "failed to fetch|error sending request|dns error|timed out|connection (refused|reset|aborted|closed)"
    "|network was disabled|unauthorized|forbidden|authentication (required|credentials)"
    "|not found in the (package registry|cache)|there is no version of"
)
"""How uv describes an unreachable index, one that refuses access, and one without the pinned version."""
GIT_COMMAND = re.compile(r"process didn't exit successfully: `[^`]*git[^`]*` \([^)]*\) --- stderr ")
"""What uv puts in front of git's own message: a command full of addresses."""


def packages(pins: Path = PINS) -> list[str]:
    """Return the packages that runners need, sorted."""
    return sorted(path.stem for path in pins.with_suffix("").glob("*.in"))


def make(
    base: Path, name: str, others: Sequence[OtherPackage] = (), folder: Path = ENVIRONMENTS, pins: Path = PINS
) -> tuple[Path, dict[str, str]]:
    """Return the interpreter of *base*'s environment, and why packages are missing from it, by package.

    *others* replace the pinned packages of their names. The environment is made once and kept. Raises UserError if not
    even an empty environment can be made in *folder*.
    """
    try:
        installed = base.resolve().stat()  # changes when the interpreter is reinstalled
        stamp = f"{base.resolve()} {installed.st_size} {installed.st_mtime_ns}"
        facts = [stamp, *packages(pins), pins.read_text(encoding="utf-8")]
        facts += [_identity(other.requirement) for other in others]
        key = hashlib.sha256("\n".join(facts).encode()).hexdigest()[:12]
        place = folder / f"{name}-{key}"
        folder.mkdir(parents=True, exist_ok=True)
        with FileLock(folder / f"{place.name}.lock"):
            return _python(place), _installed_once(base, place, pins, others)
    except OSError as error:
        reason = error.strerror or error
        msg = f"no environment can be made in {folder}: {reason}; make room there, or let it be written to"
        raise UserError(msg) from None


def _installed_once(base: Path, place: Path, pins: Path, others: Sequence[OtherPackage]) -> dict[str, str]:
    """Install all packages, unless that was done before. Return the missing ones with the reasons.

    After a failure that may pass, an environment is added to, never emptied: another run may be measuring with it.
    """
    made, done = place / "made", place / "missing.json"
    if done.is_file():
        missing: dict[str, str] = json.loads(done.read_bytes())
        return missing
    if not made.exists():
        complaint = _uv("venv", "--quiet", "--clear", "--python", str(base), str(place))
        if complaint is not None:
            msg = f"no environment could be made for {place.name}: {one_line(complaint)}"
            raise UserError(msg)
        made.touch()
    complaints = _install(place, pins, others)
    index_files.find(place, _python(place))
    missing = {name: one_line(complaint) for name, complaint in complaints.items()}
    if all(map(would_recur, complaints.values())):
        write_atomically(done, json.dumps(missing).encode())
    return missing


def log_path(package: str, python: Path) -> Path:
    """Return the file with the installer's complete message about a package in *python*'s environment."""
    return python.parents[1] / f"{package}.log"


def compile_runners(python: Path) -> None:
    """Fill the bytecode caches, so that no sample pays for compiling. Errors surface when a runner is measured."""
    subprocess.run([python, "-m", "compileall", "-q", "runners"], cwd=ROOT, capture_output=True, check=False)  # noqa: S603 - our own code


def _identity(requirement: str) -> str:
    """Return what must stay the same to reuse an environment: a wheel's bytes; a branch is never reused."""
    if requirement.endswith(".whl"):
        return sha256(Path(requirement))
    return f"{requirement} {time.time_ns()}" if requirement.startswith("git+") else requirement


def sha256(wheel: Path) -> str:
    """Return a wheel's digest. Raises UserError with the full path, as the user may have typed a relative one."""
    try:
        return hashlib.sha256(wheel.read_bytes()).hexdigest()
    except OSError as error:
        msg = f"{wheel} can't be read: {error.strerror}; name a wheel by its path, from the current folder or in full"
        raise UserError(msg) from None


def _install(place: Path, pins: Path, others: Sequence[OtherPackage]) -> dict[str, str]:
    tried = {name: _install_package(name, place, pins) for name in packages(pins)}
    for other in others:  # last, to replace the pinned one; its own dependencies come from the index
        tried[other.name] = _uv("pip", "install", "--quiet", "--python", str(_python(place)), other.requirement)
    complaints = {name: complaint for name, complaint in tried.items() if complaint is not None}
    for name, complaint in complaints.items():
        log_path(name, _python(place)).write_text(complaint, encoding="utf-8", errors="replace")
    return complaints


def _install_package(name: str, place: Path, pins: Path) -> str | None:
    wanted = place / f"{name}.txt"
    wanted.write_text(entries(name, pins.read_text(encoding="utf-8")), encoding="utf-8")
    if not wanted.stat().st_size:
        return f"no pinned version in {pins.name}: run `make pins`"
    options = ["--quiet", "--python", str(_python(place)), "--require-hashes", "--compile-bytecode"]
    return _uv("pip", "install", *options, "--constraint", str(pins), "-r", str(wanted))


def entries(name: str, pins: str) -> str:
    """Return the entries of one package in a requirements file: its versions, with markers and hashes."""
    return "".join(re.findall(rf"^{re.escape(name)}(?:\[[^]\n]*\])?==.*\n(?:[ \t].*\n)*", pins, re.MULTILINE))


def would_recur(complaint: str) -> bool:
    """True if installing again would fail again: the resolver or a build failed, and not the network."""
    kinds = (BUILT_OR_RESOLVED, UNAVAILABLE)
    is_lasting, is_passing = (re.search(kind, complaint, re.IGNORECASE) for kind in kinds)
    return is_lasting is not None and is_passing is None


def _uv(*arguments: str) -> str | None:
    ran = programs.run(find_uv_bin(), *arguments, limit_s=INSTALL_LIMIT_S)
    return None if ran.returncode == 0 else ran.stderr


def one_line(complaint: str) -> str:
    """Return an installer's message in one line, without addresses and private paths."""
    lines = (line.strip(" \t│\u00d7╰─▶├") for line in complaint.splitlines())
    text = GIT_COMMAND.sub("", " ".join(line for line in lines if line))
    text = re.sub(r"https?://[^\s'\"`]+", "(an address)", text)
    return redact_paths(text) or "no message"


def _python(place: Path) -> Path:
    return place / "Scripts" / "python.exe" if os.name == "nt" else place / "bin" / "python"
