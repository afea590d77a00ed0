"""Builds in words."""

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
from generate.words.patterns import OPTIMISATION_UNKNOWN, OPTIMISED


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("pypy-3.11.13", "PyPy 3.11.13"),
        ("graalpy-3.12.8", "graalpy 3.12.8"),
        ("cpython-3.15.0-jit", "CPython 3.15.0 (JIT on)"),
        ("cpython-3.14.0t-gil", "CPython 3.14.0 free-threaded (GIL on)"),
        ("cpython-3.15.0a1+t+patched", "CPython 3.15.0a1+ free-threaded (patched)"),
    ],
)
def test_builds_have_names(name: str, words: str) -> None:
    assert describe_build(name) == words


@pytest.mark.parametrize(("pgo", "lto"), OPTIMISED)
def test_optimisation_is_described(pgo: bool, lto: bool) -> None:  # noqa: FBT001 - facts of the build
    assert describe_optimisation(replace(build(), pgo=pgo, lto=lto)) == OPTIMISED[pgo, lto]
    assert describe_optimisation(replace(build(), pgo=None, lto=lto)) == OPTIMISATION_UNKNOWN


def test_options_are_described_if_known() -> None:
    plain = replace(build(), pgo=True, lto=True, shared=None)
    assert describe_build_options(plain) == "built with PGO and LTO"
    made = replace(plain, shared=True, frame_pointers=True, jit_compiled=True, jit=True, variables=("PYTHON_JIT=1",))
    assert describe_build_options(replace(made, options=("dev",))) == (
        "built with PGO and LTO, linked to a shared libpython, with frame pointers, with a just-in-time compiler, on, "
        "run with PYTHON_JIT=1, -X dev"
    )


@pytest.mark.parametrize(
    ("version", "free_threaded", "variant", "words"),
    [
        ("3.15.2", False, (), "3.15"),
        ("3.15.0rc2", False, (), "3.15rc2"),
        ("3.15.0rc2", True, (), "3.15rc2\nno GIL"),
        ("3.15.2", False, ("aiohttp-4.0-cp315-cp315-manylinux2014_x86_64.whl 1a2b3c4d",), "3.15\naiohttp-4.0-1a2b3c4d"),
    ],
)
def test_axes_have_short_names(version: str, *, free_threaded: bool, variant: tuple[str, ...], words: str) -> None:
    assert abbreviate_build(replace(build(version, free_threaded=free_threaded), variant=variant)) == words


@pytest.mark.parametrize(
    ("implementation", "version", "compiled", "jit", "words"),
    [
        ("CPython", "3.12.14", None, None, "none"),
        ("CPython", "3.13.15", None, None, "not known"),
        ("CPython", "3.14.7", False, False, "none"),
        ("CPython", "3.14.7", None, False, "off"),
        ("CPython", "3.15.2", True, False, "off"),
        ("CPython", "3.15.2", True, True, "on"),
        ("PyPy", "3.10.16", None, None, "not known"),
    ],
)
def test_jit_is_described(
    implementation: str, version: str, *, compiled: bool | None, jit: bool | None, words: str
) -> None:
    made = replace(build(version, implementation=implementation), jit_compiled=compiled, jit=jit)
    assert describe_jit(made) == words
