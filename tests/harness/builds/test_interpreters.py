"""Pythons are found and asked for their facts."""

import json
import os
import re
import subprocess
import sys
import sysconfig
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest
from factory import build
from planted import prepared, scenarios

from runners.harness import commands, facts, programs
from runners.harness.builds import environments, index_files, interpreters
from runners.harness.builds.build_request import parse
from runners.harness.errors import UserError
from runners.harness.record.build_names import build_name, name_parts, slowed_by
from runners.harness.record.model import Package

PYENV = (
    *("3.13.0", "3.13.9", "3.13.10", "3.13.12t", "3.1.30", "3.12.99", "3.13-dev", "3.13.12-debug"),
    *("3.14.0", "3.14.0rc3", "3.14.1rc1", "3.14.1rc2", "3.14.0b9t", "3.14.0b10t", "3.14-dev"),
    *("3.15.0a7", "3.15.0b1", "3.15-dev", "3.15t-dev", "3.16-dev", "pypy3.11-7.3.20"),
)


@pytest.fixture
def pyenv(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Lay out versions of pyenv, and let uv find nothing."""
    monkeypatch.setenv("PYENV_ROOT", str(tmp_path))
    monkeypatch.setattr(programs, "run", lambda *_, **__: subprocess.CompletedProcess((), 2, "", "none"))
    for name in PYENV:
        (tmp_path / "versions" / name / "bin").mkdir(parents=True)
        (tmp_path / "versions" / name / "bin" / "python").touch()


@pytest.mark.parametrize(
    ("name", "version"),
    [
        *(("3.13", "3.13.10"), ("3.13.9", "3.13.9"), ("3", "3.14.0"), ("3.13t", "3.13.12t")),
        *(("3.14", "3.14.0"), ("3.14.1", "3.14.1rc2"), ("3.14.0rc3", "3.14.0rc3"), ("3.14t", "3.14.0b10t")),
        *(("3.15", "3.15.0b1"), ("3.15t", "3.15t-dev"), ("3.15-dev", "3.15-dev"), ("3.16", "3.16-dev")),
        *(("3.13.12-debug", "3.13.12-debug"), ("pypy3.11-7.3.20", "pypy3.11-7.3.20")),
    ],
)
@pytest.mark.usefixtures("pyenv")
def test_newest_matching_version_of_pyenv_is_found(name: str, version: str) -> None:
    assert interpreters.find(name).parts[-3] == version
    get = re.escape(commands.quote_command("python", "install", "3.13.12"))
    with pytest.raises(UserError, match=rf"no Python '3\.13\.12' is on this machine: .*`.*{get}`"):
        interpreters.find("3.13.12")


OLD_PYTHON = msgspec.to_builtins(build("3.9.18"))
for ours in ("origin", "variant", "variables", "options"):
    del OLD_PYTHON[ours]
NO_PYTHON = "mine does not answer as a Python does: name the path of an interpreter"
REFUSING = (
    "Fatal Python error: config_read_gil: Disabling the GIL is not supported\nPython runtime state: preinitialized"
)


@pytest.mark.parametrize(
    ("program", "message"),
    [
        ("echo hello", NO_PYTHON),
        ("echo '{}'", "mine does not answer: no message"),
        ("echo '[1]'", "mine does not answer: no message"),
        ('echo \'{"implementation": ""}\'', NO_PYTHON),
        ("exec sleep 60", r"mine does not answer: it took over 0\.05 s"),
        (f"echo '{REFUSING}' >&2; exit 1", "mine does not answer: config_read_gil: Disabling the GIL is not supported"),
        (f"echo '{json.dumps(OLD_PYTHON)}'", r"cpython-3\.9\.18 is too old: the runners are written for Python 3\.10"),
    ],
)
def test_program_that_is_no_usable_python_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, program: str, message: str
) -> None:
    monkeypatch.setattr(interpreters, "ANSWER_LIMIT_S", 0.05 if "sleep" in program else 60)
    path = tmp_path / "python"
    path.write_text(f"#!/bin/sh\n{program}\n", encoding="utf-8")
    path.chmod(0o755)
    with pytest.raises(UserError, match=message):
        interpreters.ask(path, named="mine")


@pytest.mark.parametrize(
    ("configured", "compiled", "sign"),
    [
        ("--with-pydebug", "-Og", "--with-pydebug"),
        ("--with-trace-refs --enable-optimizations", "-O3", "--with-trace-refs"),
        ("--enable-optimizations", "-O3 -fsanitize=thread", "-fsanitize=thread"),
        ("--with-address-sanitizer", "-O1", "--with-address-sanitizer"),
        ("", "-O2 --coverage", "--coverage"),
        ("--enable-optimizations --with-lto --with-valgrind --with-dtrace", "-O3 -fprofile-use", ""),
    ],
)
def test_builds_for_finding_faults_are_known_by_what_they_report(
    monkeypatch: pytest.MonkeyPatch, configured: str, compiled: str, sign: str
) -> None:
    reported = {"CONFIG_ARGS": configured, "PY_CORE_CFLAGS": compiled}
    monkeypatch.setattr(sysconfig, "get_config_var", reported.get)
    built = msgspec.structs.replace(build("3.13.5"), flags=facts.build_facts()["flags"])
    assert slowed_by(built) == sign
    name = build_name(built)
    assert (name, name_parts(name).kinds) == ("cpython-3.13.5" + "-debug" * bool(sign), ("debug",) * bool(sign))
    monkeypatch.setattr(sys, "gettotalrefcount", lambda: 0, raising=False)
    assert "--with-pydebug" in facts.build_facts()["flags"]


def prepare(*texts: str) -> list[interpreters.Prepared]:
    return interpreters.prepare([parse(text, ["tornado"]) for text in texts])


def test_builds_have_unique_names_that_show_differences(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(interpreters, "find", lambda _: Path(sys.executable))
    monkeypatch.setattr(environments, "make", lambda base, *_: (base, {"tornado": "Failed to build"}))
    plain, variant = prepare("3.13", "3.13+tornadoweb/tornado@master")
    assert (plain.build.variant, variant.build.variant) == ((), ("tornadoweb/tornado@master",))
    assert variant.packages["tornado"] == Package(None, "Failed to build")
    with pytest.raises(UserError, match=r"give it a label, as b=/opt/python$"):
        prepare("3.13", "/opt/python")
    with pytest.raises(UserError, match=r"give it a label other than base$"):
        prepare("base=3.13", "base=/opt/python")


def test_own_wheels_and_indexed_files_have_digests(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    wheel = tmp_path / "tornado-9-py3-none-any.whl"
    wheel.write_bytes(b"")
    facts: dict[str, Any] = {"packages": {"tornado": ("9", wheel.name, []), "zope.event": ("6", None, [])}}
    monkeypatch.setattr(interpreters, "_facts", lambda *_: facts)
    monkeypatch.setattr(index_files, "sha256s", lambda _: {"tornado": "a" * 64, "zope-event": "b" * 64})
    for other, word, digest in ((str(wheel), f"{wheel.name} e3b0c442", "e3b0c442"), ("tornado==9", "tornado 9", "aa")):
        request = parse(f"3.13+{other}", ["tornado"])
        packages = interpreters._packages(tmp_path / "bin" / "python", {}, request)
        assert interpreters._exact(request.packages[0], packages["tornado"]).label == word
        assert (packages["tornado"].sha256 or "").startswith(digest)
        assert packages["zope.event"].sha256 == "b" * 64


@pytest.mark.parametrize(
    ("needs", "version", "why"),
    [
        ({"requires_python": (3, 12, 4)}, "3.12.3", "needs Python 3.12.4 or later; this is 3.12.3"),
        ({"requires_python": (3, 12, 4)}, "3.13.0", None),
        ({"requires_fork": True}, "3.13.0", "needs fork, which this platform does not have"),
        ({"packages": ("uvloop",)}, "3.13.0", "needs uvloop, which is not made for this platform"),
        ({"packages": ("nothing",)}, "3.13.0", "needs nothing, which no file in requirements/runners pins"),
        ({"packages": ("gevent",)}, "3.13.0", "needs gevent, which did not install: no compiler"),
    ],
)
def test_build_that_can_not_measure_a_runner_has_a_reason(
    monkeypatch: pytest.MonkeyPatch, needs: dict[str, Any], version: str, why: str | None
) -> None:
    monkeypatch.delattr(os, "fork")
    runner = replace(scenarios("misbehaving")["misbehaving"].runners["doubles"], **needs)
    packages = {"aiohttp": Package(version="1.0", reason=None), "gevent": Package(version=None, reason="no compiler")}
    refusal = replace(prepared(version), packages=packages).why_not(runner)
    assert refusal == (("unsupported", why) if why else None)
