"""Which switches of a build may change nothing."""

from __future__ import annotations

import sys
from pathlib import Path
from subprocess import CompletedProcess

import factory
import msgspec
import pytest

from runners.harness import programs
from runners.harness.builds import switches

BUILD = factory.build("3.13.0")
NO_SWITCH = "may change nothing: the help of this Python has no such switch"
NO_COMPILER = "PYTHON_JIT=1 may change nothing: this Python does not say that it compiles just in time"


def doubts(*variables: str, options: tuple[str, ...] = (), **more: object) -> list[str]:
    build = msgspec.structs.replace(BUILD, variables=variables, options=options, **more)
    return switches.doubts(Path(sys.executable), build)


def test_what_this_python_knows_is_not_doubted() -> None:
    assert doubts("PYTHONHASHSEED=0", "PYTHONOPTIMIZE=1", options=("dev", "int_max_str_digits=640")) == []


def test_what_it_does_not_know_is_named_and_a_part_of_a_name_is_none() -> None:
    assert doubts("PYTHON_NOTHING=1", options=("de", "hurry=2")) == [
        f"PYTHON_NOTHING {NO_SWITCH}",
        f"-X de {NO_SWITCH}",
        f"-X hurry {NO_SWITCH}",
    ]


@pytest.mark.parametrize("jit", [None, False])
def test_a_compiler_that_is_asked_for_has_to_be_there(*, jit: bool | None) -> None:
    assert doubts("PYTHON_JIT=1", jit=jit) == [NO_COMPILER]
    assert doubts("PYTHON_JIT=0", jit=jit) == []
    assert doubts("PYTHON_JIT=1", jit=True) == []


def test_the_oldest_python_is_asked_in_its_own_way_and_one_that_says_nothing_is_not_doubted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    answers = {"--help-all": (2, ""), "-h": (0, "-X dev: enable")}

    def run(_: Path, option: str, *, limit_s: float) -> CompletedProcess[str]:
        assert limit_s
        return CompletedProcess([], *answers[option])

    monkeypatch.setattr(programs, "run", run)
    assert doubts(options=("dev", "gil=0")) == [f"-X gil {NO_SWITCH}"]
    answers["-h"] = (2, "")
    assert doubts(options=("gil=0",)) == []


def test_of_another_implementation_nothing_is_said() -> None:
    assert doubts(options=("gil=0",), implementation="PyPy") == []
