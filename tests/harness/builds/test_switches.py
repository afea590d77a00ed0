"""Switches of a build that may change nothing."""

from __future__ import annotations

import sys
from pathlib import Path

import factory
import msgspec
import pytest

from runners.harness.builds import switches

BUILD = factory.build("3.13.0")


def doubted(*variables: str, options: tuple[str, ...] = (), **more: object) -> list[str]:
    """Return the names of the switches that are doubted."""
    build = msgspec.structs.replace(BUILD, variables=variables, options=options, **more)
    return [doubt.partition(" may ")[0] for doubt in switches.doubts(Path(sys.executable), build)]


def test_only_switches_that_the_help_lacks_are_doubted() -> None:
    assert doubted("PYTHONHASHSEED=0", "PYTHONOPTIMIZE=1", options=("dev", "int_max_str_digits=640")) == []
    assert doubted("PYTHON_NOTHING=1", options=("de", "hurry=2")) == ["PYTHON_NOTHING", "-X de", "-X hurry"]
    assert doubted(options=("gil=0",), implementation="PyPy") == []


@pytest.mark.parametrize("jit", [None, False])
def test_jit_needs_a_compiler(*, jit: bool | None) -> None:
    assert doubted("PYTHON_JIT=1", jit=jit) == ["PYTHON_JIT=1"]
    assert doubted("PYTHON_JIT=0", jit=jit) == []
    assert doubted("PYTHON_JIT=1", jit=True) == []
