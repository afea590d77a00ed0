"""Builds in words."""

import pytest
from factory import build
from msgspec.structs import replace

from generate.words.builds import (
    abbreviate_build,
    describe_build,
    describe_build_options,
    describe_jit,
)
from generate.words.patterns import OPTIMISATION_UNKNOWN


def test_builds_have_names() -> None:
    names = [
        "pypy-3.11.13",
        "graalpy-3.12.8",
        "cpython-3.15.0-jit",
        "cpython-3.14.0t-gil",
        "cpython-3.14.0-debug",
        "cpython-3.15.0a1+t+patched",
    ]
    assert [*map(describe_build, names)] == [
        "PyPy 3.11.13",
        "graalpy 3.12.8",
        "CPython 3.15.0 (JIT on)",
        "CPython 3.14.0 free-threaded (GIL on)",
        "CPython 3.14.0 (debug)",
        "CPython 3.15.0a1+ free-threaded (patched)",
    ]


def test_options_are_described_if_known() -> None:
    plain = replace(build(), pgo=True, lto=True, shared=None)
    assert describe_build_options(plain) == "built with PGO and LTO"
    assert describe_build_options(replace(plain, lto=None)) == OPTIMISATION_UNKNOWN
    made = replace(plain, shared=True, frame_pointers=True, jit_compiled=True, jit=True, variables=("PYTHON_JIT=1",))
    assert describe_build_options(replace(made, options=("dev",))) == (
        "built with PGO and LTO, linked to a shared libpython, with frame pointers, with a just-in-time compiler, on, "
        "run with PYTHON_JIT=1, -X dev"
    )


def test_axes_have_short_names() -> None:
    wheel = replace(build("3.15.2"), variant=("aiohttp-4.0-cp315-cp315-manylinux2014_x86_64.whl 1a2b3c4d",))
    builds = [build("3.15.2"), build("3.15.0rc2"), build("3.15.0rc2", free_threaded=True), wheel]
    assert [*map(abbreviate_build, builds)] == [
        "3.15",
        "3.15\nrc2",
        "3.15t\nrc2",
        "3.15\naiohttp-4.0-1a2b3c4d",
    ]


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
def test_jit_is_described(version: str, *, compiled: bool | None, jit: bool | None, words: str) -> None:
    assert describe_jit(replace(build(version), jit_compiled=compiled, jit=jit)) == words
    assert describe_jit(build("3.10.16", implementation="PyPy")) == "not known"
