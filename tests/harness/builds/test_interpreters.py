"""Pythons are found, asked what they are, and asked again when a run goes on."""

from __future__ import annotations

import json
import os
import platform
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest
from factory import build
from planted import prepared, scenarios

from runners.harness import commands, programs
from runners.harness.builds import environments, index_files, interpreters
from runners.harness.builds.build_request import parse
from runners.harness.errors import UserError
from runners.harness.record import build_names
from runners.harness.record.build_names import build_name
from runners.harness.record.model import Package


@pytest.fixture
def pyenv(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Let pyenv's folder be an empty one."""
    monkeypatch.setenv("PYENV_ROOT", str(tmp_path))
    return tmp_path / "versions"


@pytest.fixture
def without_uv(monkeypatch: pytest.MonkeyPatch, pyenv: Path) -> Path:
    """Let uv find nothing."""
    monkeypatch.setattr(programs, "run", lambda *_, **__: subprocess.CompletedProcess((), 2, "", "none"))
    return pyenv


def add(versions: Path, *names: str) -> None:
    for name in names:
        (versions / name / "bin").mkdir(parents=True)
        (versions / name / "bin" / "python").touch()


def test_of_pyenvs_the_newest_that_matches_is_taken(without_uv: Path) -> None:
    add(without_uv, "3.13.0", "3.13.9", "3.13.10", "3.1.30", "3.12.99", "3.13-dev")
    assert interpreters.find("3.13").parts[-3] == "3.13.10"
    assert interpreters.find("3.13.9").parts[-3] == "3.13.9"
    assert interpreters.find("3").parts[-3] == "3.13.10"


def test_of_pyenvs_those_with_the_gil_and_without_are_two(without_uv: Path) -> None:
    add(without_uv, "3.13.5t", "3.13.4")
    assert interpreters.find("3.13").parts[-3] == "3.13.4"
    assert interpreters.find("3.13t").parts[-3] == "3.13.5t"
    assert interpreters.find("3.13.5t").parts[-3] == "3.13.5t"
    with pytest.raises(UserError, match=r"no Python '3\.13\.5' is on this machine"):
        interpreters.find("3.13.5")


def test_those_of_uv_and_of_pyenv_are_listed(monkeypatch: pytest.MonkeyPatch, pyenv: Path) -> None:
    add(pyenv, "3.12.1", "3.13.0", "3.8.18", "pypy3.10-7.3.17")
    listed = json.dumps([{"version": version} for version in ("3.13.0", "3.9.1", "3.10.2", "3.13.0")])
    monkeypatch.setattr(programs, "run", lambda *_, **__: subprocess.CompletedProcess((), 0, listed, ""))
    assert interpreters._installed() == ["3.10.2", "3.12.1", "3.13.0"]


@pytest.mark.usefixtures("without_uv")
def test_how_to_get_one_that_is_missing_is_said_with_uv_where_this_system_has_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(commands, "ROOT", tmp_path.resolve())
    monkeypatch.setattr(interpreters, "find_uv_bin", lambda: str(tmp_path / ".venv" / "Scripts" / "uv.exe"))
    get = commands.quoted(Path(".venv", "Scripts", "uv.exe"), "python", "install", "3.99")
    with pytest.raises(UserError, match=f"get it with `{re.escape(get)}`, or give the path"):
        interpreters.find("3.99")


@pytest.mark.parametrize(
    ("name", "remedy"),
    [
        ("./nothing", "there is no file ./nothing: name an interpreter by its path, from the folder that you are in"),
        (
            "tests/",
            f"tests/ is a folder: name the interpreter in it, such as {Path('tests', interpreters.INTERPRETER)}",
        ),
        ("./README.md", "./README.md is not an interpreter that can be run"),
    ],
)
def test_a_path_that_is_no_program_is_refused(name: str, remedy: str) -> None:
    with pytest.raises(UserError, match=re.escape(remedy)):
        interpreters.find(name)


def test_an_interpreter_says_what_it_is() -> None:
    asked = interpreters.ask(Path(sys.executable))
    assert asked.implementation == platform.python_implementation()
    assert asked.version == platform.python_version()
    assert msgspec.convert(msgspec.to_builtins(asked), type(asked)) == asked


OURS = {"origin", "variant", "variables", "options"}
OLD = {name: value for name, value in msgspec.to_builtins(build("3.9.18")).items() if name not in OURS}
NO_PYTHON = "mine does not answer as a Python does: name the path of an interpreter"
NO_ANSWER = "mine does not answer: no message"

REFUSING = (
    "Fatal Python error: config_read_gil: Disabling the GIL is not supported\nPython runtime state: preinitialized"
)


@pytest.mark.parametrize(
    ("program", "message"),
    [
        ("#!/bin/sh\n", NO_PYTHON),
        ("#!/bin/sh\necho hello\n", NO_PYTHON),
        ("#!/bin/sh\necho '{}'\n", NO_ANSWER),
        ("#!/bin/sh\nexit 1\n", NO_ANSWER),
        ("\x00\x01", "mine can't be run: Exec format error"),
        ("#!/bin/sh\nexec sleep 60\n", r"mine did not answer within 0\.05 s"),
        (f"#!/bin/sh\necho '{REFUSING}' >&2; exit 1\n", "mine does not start: Disabling the GIL is not supported"),
        ("#!/bin/sh\necho 'SyntaxError: invalid syntax' >&2; exit 1\n", "mine is too old: the runners are written for"),
        (
            f"#!/bin/sh\necho '{json.dumps(OLD)}'\n",
            r"cpython-3\.9\.18 is too old: the runners are written for Python 3\.10",
        ),
    ],
    ids=[
        *("silent", "prints words", "prints no facts", "fails", "no program", "does not answer in time"),
        *("refuses a switch", "can't read our program", "too old"),
    ],
)
def test_a_program_that_is_no_python_or_too_old_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, program: str, message: str
) -> None:
    monkeypatch.setattr(interpreters, "ANSWER_LIMIT_S", 0.05 if "sleep" in program else 60)
    path = tmp_path / "python"
    path.write_text(program, encoding="utf-8")
    path.chmod(0o755)
    with pytest.raises(UserError, match=message):
        interpreters.ask(path, named="mine")


def test_two_builds_of_one_name_are_refused_before_one_overwrites_the_other(monkeypatch: pytest.MonkeyPatch) -> None:
    one = build("3.13.0")
    asked = iter([one, msgspec.structs.replace(one, compiler="another")])
    monkeypatch.setattr(interpreters, "find", Path)
    monkeypatch.setattr(interpreters, "ask", lambda *_: next(asked))
    monkeypatch.setattr(interpreters, "_packages", lambda *_: {})
    monkeypatch.setattr(environments, "make", lambda base, *_: (base, {}))
    with pytest.raises(
        UserError, match=r"Python b is cpython-3\.13\.0, which is in this run already: give it a label, as"
    ):
        interpreters.prepare(["a", "b"])


def test_two_builds_of_one_label_are_refused_and_another_label_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(interpreters, "find", lambda _: Path(sys.executable))
    monkeypatch.setattr(environments, "make", lambda base, *_: (base, {}))
    with pytest.raises(UserError, match=r"\+base, which is in this run already: give it another label than base$"):
        interpreters.prepare(["base=3.13", "base=/opt/python"])


def test_a_variant_whose_package_did_not_install_is_named_as_it_was_asked_for_and_stops_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(interpreters, "find", lambda _: Path(sys.executable))
    monkeypatch.setattr(environments, "make", lambda base, *_: (base, {"tornado": "Failed to build"}))
    plain, variant = interpreters.prepare(["3.13", "3.13+tornadoweb/tornado@master"])
    assert variant.build.variant == ("tornadoweb/tornado@master",)
    assert variant.packages["tornado"] == Package(None, "Failed to build")
    assert plain.build.variant == ()


def test_a_wheel_is_named_with_its_digest_since_it_may_be_made_anew_under_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wheel = tmp_path / "tornado-9-py3-none-any.whl"
    wheel.write_bytes(b"")
    facts: dict[str, Any] = {"packages": {"tornado": ("9", wheel.name, [])}}
    monkeypatch.setattr(interpreters, "_facts", lambda *_: facts)
    request = parse(f"3.13+{wheel}", ["tornado"])
    packages = interpreters._packages(tmp_path / "bin" / "python", {}, request)
    assert interpreters._words(request, packages) == ("tornado-9-py3-none-any.whl e3b0c442",)


def test_a_version_of_the_index_is_named_by_its_number_alone_and_recorded_with_its_digest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    facts: dict[str, Any] = {"packages": {"tornado": ("9", None, []), "zope.event": ("6", None, [])}}
    monkeypatch.setattr(interpreters, "_facts", lambda *_: facts)
    sha256s = {"tornado": "a" * 64, "zope-event": "b" * 64}
    monkeypatch.setattr(index_files, "sha256s", lambda _: sha256s)
    request = parse("3.13+tornado==9", ["tornado"])
    packages = interpreters._packages(tmp_path / "bin" / "python", {}, request)
    assert interpreters._words(request, packages) == ("tornado 9",)
    assert {name: package.sha256 for name, package in packages.items()} == {
        "tornado": "a" * 64,
        "zope.event": "b" * 64,
    }


TAGS = "cp313-cp313-manylinux2014_x86_64.manylinux_2_17_x86_64"


@pytest.mark.parametrize(
    ("word", "called"),
    [
        (f"aiohttp-3.15.0.dev0-{TAGS}.whl 4d3f832c", "aiohttp-3.15.0.dev0-4d3f832c"),
        (f"aiohttp-3.15.0.dev0-{TAGS}.whl 79ac65f7", "aiohttp-3.15.0.dev0-79ac65f7"),
        (f"aiohttp-3.14.5+slow.1-{TAGS}.whl 1ffa3a52", "aiohttp-3.14.5-slow.1-1ffa3a52"),
        ("aiohttp-4.0-1-py3-none-any.whl 1a2b3c4d", "aiohttp-4.0-1a2b3c4d"),
        (f"aiohttp-4.0+{'a' * 40}-{TAGS}.whl 1a2b3c4d", f"aiohttp-4.0-{'a' * 28}-1a2b3c4d"),
        ("aiohttp-4.0-py3-none-any.whl", "aiohttp-4.0-py3-none-any.whl"),
    ],
)
def test_a_wheel_is_called_by_package_version_and_the_first_digits_of_its_sha256(word: str, called: str) -> None:
    name = build_name(msgspec.structs.replace(build("3.13.0"), variant=(word,)))
    assert name == f"cpython-3.13.0+{called}"
    assert build_names.name_parts(name).variant == (called,)


def test_the_name_of_a_build_tells_it_from_others() -> None:
    assert build_name(build("3.14.0rc1")) == "cpython-3.14.0rc1"
    free = msgspec.structs.replace(build("3.14.0"), free_threaded=True, gil_at_start=False, implementation="PyPy")
    assert build_name(free) == "pypy-3.14.0t"
    assert build_name(msgspec.structs.replace(free, gil_at_start=True)) == "pypy-3.14.0t-gil"
    assert build_name(msgspec.structs.replace(build("3.15.0"), jit=True)) == "cpython-3.15.0-jit"


@pytest.mark.parametrize("version", ["3.14.0", "3.15.0rc1", "3.15.0a1+", "3.13.2+"])
@pytest.mark.parametrize("free_threaded", [False, True])
@pytest.mark.parametrize("gil_at_start", [False, True])
@pytest.mark.parametrize("jit", [False, True])
@pytest.mark.parametrize("variant", [(), ("aiohttp==3.13.5", "PYTHON_JIT=1"), ("patched",)])
def test_the_parts_of_a_build_s_name_are_what_it_was_made_of(
    version: str, *, free_threaded: bool, gil_at_start: bool, jit: bool, variant: tuple[str, ...]
) -> None:
    of = {"free_threaded": free_threaded, "gil_at_start": gil_at_start, "jit": jit, "variant": variant}
    parts = build_names.name_parts(build_name(msgspec.structs.replace(build(version), **of)))
    kinds = tuple(kind for kind, is_so in (("gil", free_threaded and gil_at_start), ("jit", jit)) if is_so)
    assert parts == ("cpython", version, free_threaded, () if variant else kinds, variant)


@pytest.mark.parametrize(
    ("version", "numbers"),
    [("3.14.0rc1", (3, 14, 0)), ("3.13-dev", (3, 13)), ("3.13.2+", (3, 13, 2)), ("pypy", ()), ("3.x.4", (3,))],
)
def test_the_leading_numbers_of_a_version(version: str, numbers: tuple[int, ...]) -> None:
    assert build_names.numbers(version) == numbers


@pytest.mark.parametrize(
    ("version", "mark"), [("3.15.0rc2", "rc2"), ("3.15.0a1+", "a1"), ("3.15.0", ""), ("3.13-dev", ""), ("3.13.2+", "")]
)
def test_a_pre_release_is_told_by_its_version(version: str, mark: str) -> None:
    assert build_names.prerelease(version) == mark


@pytest.mark.parametrize(
    ("needs", "version", "why"),
    [
        ({"requires_python": (3, 12)}, "3.12.0", None),
        ({"requires_python": (3, 12)}, "3.11.9", "needs Python 3.12 or later; this is 3.11.9"),
        ({"requires_python": (3, 12, 4)}, "3.12.3", "needs Python 3.12.4 or later; this is 3.12.3"),
        ({"requires_python": (3, 12, 4)}, "3.13.0", None),
        ({"requires_fork": True}, "3.13.0", "needs fork, which this platform does not have"),
        ({"packages": ("aiohttp",)}, "3.13.0", None),
        ({"packages": ("uvloop",)}, "3.13.0", "needs uvloop, which is not made for this platform"),
        ({"packages": ("nothing",)}, "3.13.0", "needs nothing, which no file in requirements/runners pins"),
        ({"packages": ("gevent",)}, "3.13.0", "needs gevent, which did not install: no compiler"),
    ],
)
def test_a_build_says_why_it_can_not_measure_a_runner(
    monkeypatch: pytest.MonkeyPatch, needs: dict[str, Any], version: str, why: str | None
) -> None:
    monkeypatch.delattr(os, "fork")
    runner = replace(scenarios("misbehaving")["misbehaving"].runners["doubles"], **needs)
    packages = {"aiohttp": Package(version="1.0", reason=None), "gevent": Package(version=None, reason="no compiler")}
    refusal = replace(prepared(version), packages=packages).why_not(runner)
    assert refusal == (("unsupported", why) if why else None)
