"""Finds the Pythons to measure and asks each for its facts."""

import json
import os
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from dataclasses import replace as with_changes
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import replace
from packaging.utils import canonicalize_name
from packaging.version import Version
from uv import find_uv_bin

from runners.harness import commands, programs
from runners.harness.builds import environments, index_files
from runners.harness.builds.build_request import GITHUB, BuildRequest, OtherPackage
from runners.harness.builds.host import clean
from runners.harness.catalogue.scenarios import Runner
from runners.harness.errors import UserError
from runners.harness.record.build_names import build_name, is_older, numbers
from runners.harness.record.model import Build, Package, Status
from runners.harness.redact import redact_paths

LOWEST = (3, 10)
INTERPRETER = "python.exe" if os.name == "nt" else "bin/python3"
NOT_A_PYTHON = "does not answer as a Python does: name the path of an interpreter"
WRITTEN_FOR = "the runners are written for Python 3.10 and later"
ANSWER_LIMIT_S = 60
PLAIN = BuildRequest("")
FATAL = "Fatal Python error: "
"""Begins the line that explains why an interpreter does not start. Lines about its state follow."""


@dataclass(frozen=True)
class Prepared:
    """A build that is ready to measure."""

    python: Path
    build: Build
    packages: Mapping[str, Package]
    request: BuildRequest = PLAIN
    """With the path of its interpreter, and the commits of repositories."""

    @property
    def name(self) -> str:
        """Name in file names and on pages, such as cpython-3.14.0t."""
        return build_name(self.build)

    @property
    def varied(self) -> tuple[str, ...]:
        """Packages whose versions differ from the pinned ones."""
        return tuple(package.name for package in self.request.packages)

    def is_excluded(self, package: str) -> bool:
        """True if a marker in the requirements excludes *package* on this platform."""
        return package not in self.packages and package in environments.packages()

    def why_not(self, runner: Runner) -> tuple[Status, str] | None:
        """Return the (status, reason) why *runner* can't be measured here; None if it can."""
        if runner.problem:
            return "failed", runner.problem
        if is_older(self.build.version, runner.requires_python):
            needed = ".".join(map(str, runner.requires_python))
            return "unsupported", f"needs Python {needed} or later; this is {self.build.version}"
        if runner.requires_fork and not hasattr(os, "fork"):
            return "unsupported", "needs fork, which this platform does not have"
        for name in runner.packages:
            if reason := self._why_missing(name):
                return "unsupported", f"needs {name}, which {reason}"
        return None

    def _why_missing(self, name: str) -> str | None:
        if self.is_excluded(name):
            return "is not made for this platform"
        package = self.packages.get(name)
        if package is None:
            return "no file in requirements/runners pins"
        return None if package.version is not None else f"did not install: {package.reason}"


def prepare(requests: Iterable[BuildRequest]) -> list[Prepared]:
    """Find interpreters and install their packages. Raises UserError for a missing, old or repeated one."""
    prepared: list[Prepared] = []
    for request in requests:
        base = find(request.interpreter)
        build = ask(base, request, request.text)
        python, reasons = environments.make(base, build_name(build), request.packages)
        packages = _packages(python, reasons, request)
        exact = tuple(_exact(package, packages[package.name]) for package in request.packages)
        resolved = with_changes(request, interpreter=str(base), packages=exact)
        build = replace(build, variant=resolved.variant)
        if build_name(build) in [other.name for other in prepared]:
            label = f"a label other than {request.label}" if request.label else f"a label, as b={request.text}"
            msg = f"Python {request.text} is {build_name(build)}, which is in this run already: give it {label}"
            raise UserError(msg)
        prepared.append(Prepared(python, build, packages, resolved))
    return prepared


def _exact(package: OtherPackage, installed: Package) -> OtherPackage:
    """Return *package* as it was installed: a branch moves, and a different wheel may get the same name."""
    if package.is_repository and installed.source:
        return OtherPackage(package.name, f"{GITHUB}{installed.source}", installed.source)
    if package.is_wheel and installed.sha256:
        return with_changes(package, label=f"{Path(package.requirement).name} {installed.sha256[:8]}")
    return package


def find(name: str) -> Path:
    """Return the interpreter at a path, or of a version that uv or pyenv has. Raises UserError."""
    path = Path(name)
    if os.sep in name or (os.altsep and os.altsep in name):
        if not path.is_file() or not os.access(path, os.X_OK):
            msg = f"{name} is not a program: name an interpreter by its path, such as {Path('.venv', INTERPRETER)}"
            raise UserError(msg)
        return path.absolute()
    ran = programs.run(find_uv_bin(), "python", "find", "--no-python-downloads", "--no-project", "--system", name)
    return Path(ran.stdout.strip()) if ran.returncode == 0 else _find_in_pyenv(name)


def _find_in_pyenv(name: str) -> Path:
    """Return the interpreter of pyenv's version *name*, or its newest final release, else its newest pre-release."""
    versions = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"), "versions")  # uv only sees pyenv's shims
    installed = {path.parts[-3]: path for path in versions.glob("*/bin/python")}
    if name in installed:
        return installed[name]
    plain = name.removesuffix("t")
    series = re.compile(rf"(?=\d)({re.escape(plain)}(?:\.\d+)*(?:(?:a|b|rc)\d+)?){name.removeprefix(plain)}(-dev)?")
    matches = [match for match in map(series.fullmatch, installed) if match]
    if not matches:
        get = commands.quote_command(commands.short_path(Path(find_uv_bin())), "python", "install", name)
        msg = f"no Python {name!r} is on this machine: get it with `{get}`, or give the path of an interpreter"
        raise UserError(msg)
    known = {Version("".join(match.groups(""))): installed[match[0]] for match in matches}
    return known[max(known, key=lambda version: (not version.is_prerelease, version))]


def ask(python: Path, request: BuildRequest = PLAIN, named: str = "") -> Build:
    """Return an interpreter's facts with the switches of *request*. Raises UserError, quoting what the user *named*."""
    facts = _facts(python, request, named)
    for name in ("packages", "platform"):  # neither makes it a different build
        facts.pop(name, None)
    origin = _origin(python)
    if origin == "system":  # Debian's use PGO and LTO and don't say so
        facts |= {name: facts.get(name) or None for name in ("pgo", "lto")}
    facts = {name: clean(fact, 2000) or "" if isinstance(fact, str) else fact for name, fact in facts.items()}
    ours = {"origin": origin, "variant": (), "variables": request.variables, "options": request.options}
    try:
        build = msgspec.convert({**facts, "compiler": facts.get("compiler") or "unknown", **ours}, Build)
    except msgspec.ValidationError as error:
        msg = f"{named or python.name} {NOT_A_PYTHON} ({error})"
        raise UserError(msg) from None
    if numbers(build.version) < LOWEST:
        msg = f"{build_name(build)} is too old: {WRITTEN_FOR}"
        raise UserError(msg)
    return build


def find_platform(python: Path) -> str:
    """Return the platform that the interpreter was built for, such as linux-x86_64 or win-arm64."""
    return str(_facts(python).get("platform", "unknown"))


def _facts(python: Path, request: BuildRequest = PLAIN, named: str = "") -> dict[str, Any]:
    """Ask an interpreter for its facts, with the switches of *request* and without those of this process."""
    script = Path(__file__).parents[1] / "facts.py"
    options = [f"-X{option}" for option in request.options]
    environment = programs.environment_with(request.variables)
    name = named or python.name
    ran = programs.run(python, "-s", *options, script, limit_s=ANSWER_LIMIT_S, environment=environment)
    try:
        facts: Any = json.loads(ran.stdout) if ran.returncode == 0 else {}
    except ValueError:
        msg = f"{name} {NOT_A_PYTHON}"
        raise UserError(msg) from None
    if not isinstance(facts, dict) or "implementation" not in facts:
        lines = ran.stderr.strip().splitlines() or ["no message"]
        complaint = next((line for line in lines if line.startswith(FATAL)), lines[-1])
        msg = f"{name} does not answer: {redact_paths(complaint.removeprefix(FATAL))}"
        raise UserError(msg)
    return facts


def _origin(python: Path) -> str:
    real = python.resolve().as_posix()
    origins = {
        "/uv/python/": "uv",
        "/uv-python-dir/": "uv",
        "/.pyenv/": "pyenv",
        "/hostedtoolcache/": "hosted tool cache",
        "/usr/bin/": "system",
    }
    return next((origin for part, origin in origins.items() if part in real), "other")


def _packages(python: Path, reasons: Mapping[str, str], request: BuildRequest = PLAIN) -> dict[str, Package]:
    installed: dict[str, tuple[str, str | None, list[str]]] = _facts(python)["packages"]
    hashes = index_files.sha256s(python)
    present = {
        name: Package(version, None, source, hashes.get(canonicalize_name(name)), tuple(needs))
        for name, (version, source, needs) in sorted(installed.items())
    }
    for package in request.packages:
        if package.is_wheel and package.name in present:
            sha256 = environments.sha256(Path(package.requirement))
            present[package.name] = replace(present[package.name], sha256=sha256)
    return present | {name: Package(version=None, reason=reason) for name, reason in reasons.items()}
