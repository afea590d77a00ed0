"""How a build is called, and how it was built, in words."""

from __future__ import annotations

import pytest
from factory import build
from msgspec.structs import replace

from generate.words.builds import (
    abbreviate_build,
    describe_build,
    describe_build_options,
    describe_jit,
    describe_optimisation,
)


def test_a_build_of_another_implementation_is_named_as_people_do() -> None:
    assert describe_build("pypy-3.11.13") == "PyPy 3.11.13"
    assert describe_build("graalpy-3.12.8") == "graalpy 3.12.8"
    assert describe_build("cpython-3.15.0-jit") == "CPython 3.15.0 (JIT on)"
    assert describe_build("cpython-3.14.0t-gil") == "CPython 3.14.0 free-threaded (GIL on)"
    assert describe_build("cpython-3.15.0a1+t+patched") == "CPython 3.15.0a1+ free-threaded (patched)"


@pytest.mark.parametrize(
    ("pgo", "lto", "words"),
    [
        (True, True, "built with PGO and LTO"),
        (False, False, "built without PGO and LTO"),
        (True, False, "built with PGO, without LTO"),
        (False, True, "built with LTO, without PGO"),
        (None, True, "optimisation not known"),
    ],
)
def test_how_it_is_optimised_is_said(pgo: bool | None, lto: bool | None, words: str) -> None:  # noqa: FBT001 - a fact of the build
    assert describe_optimisation(replace(build(), pgo=pgo, lto=lto)) == words


def test_the_rest_is_said_where_it_is_known() -> None:
    plain = replace(build(), pgo=True, lto=True, shared=None)
    assert describe_build_options(plain) == "built with PGO and LTO"
    made = replace(plain, shared=True, frame_pointers=True, jit_compiled=True, jit=True, variables=("PYTHON_JIT=1",))
    assert describe_build_options(replace(made, options=("dev",))) == (
        "built with PGO and LTO, linked to a shared libpython, with frame pointers, with a just-in-time compiler, on, "
        "run with PYTHON_JIT=1, -X dev"
    )


@pytest.mark.parametrize(
    ("version", "free_threaded", "words"),
    [("3.15.2", False, "3.15"), ("3.15.0rc2", False, "3.15rc2"), ("3.15.0rc2", True, "3.15rc2\nno GIL")],
)
def test_an_axis_names_the_release_and_a_pre_release_as_one(version: str, *, free_threaded: bool, words: str) -> None:
    assert abbreviate_build(build(version, free_threaded=free_threaded)) == words


def test_an_axis_names_a_wheel_as_other_places_do() -> None:
    of_wheel = replace(build("3.15.2"), variant=("aiohttp-4.0-cp315-cp315-manylinux2014_x86_64.whl 1a2b3c4d",))
    assert abbreviate_build(of_wheel) == "3.15\naiohttp-4.0-1a2b3c4d"


@pytest.mark.parametrize(
    ("version", "compiled", "jit", "words"),
    [
        ("3.12.14", None, None, "none"),
        ("3.13.15", None, None, "not known"),
        ("3.14.7", False, False, "none"),
        ("3.14.7", None, False, "off"),
        ("3.15.2", True, False, "off"),
        ("3.15.2", True, True, "on"),
    ],
)
def test_of_a_build_without_a_just_in_time_compiler_none_is_said(
    version: str, *, compiled: bool | None, jit: bool | None, words: str
) -> None:
    assert describe_jit(replace(build(version), jit_compiled=compiled, jit=jit)) == words


def test_of_another_implementation_its_version_does_not_say_what_it_contains() -> None:
    assert describe_jit(build("3.10.16", implementation="PyPy")) == "not known"
