"""Which processor is the usual one of a machine under whose name there are several, and which hours were noisy."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Literal

import msgspec
from factory import Plan, build, make
from frames import file_of
from sample_site import letters

from generate.analysis.conditions import LOUDER, NEWEST, QUIET, with_conditions

if TYPE_CHECKING:
    from generate.results.model import FileHeader


def header(
    day: int, processor: str, machine: str = "a-machine", profile: Literal["quick", "full"] = "full"
) -> FileHeader:
    record = make(letters(), Plan(machine=machine, cpu=processor, profile=profile))
    run = msgspec.structs.replace(record.run, started=f"2026-01-{day:02}T00:00:00Z")
    return file_of(msgspec.structs.replace(record, run=run), f"{day}.json").header


def usual(*files: FileHeader) -> list[bool]:
    return [file.is_usual_processor for file in with_conditions(files)]


def test_the_processor_of_most_runs_is_the_usual_one() -> None:
    assert usual(header(1, "EPYC"), header(2, "Xeon"), header(3, "EPYC")) == [True, False, True]


def test_each_machine_has_its_own_and_one_s_own_is_not_the_published_one() -> None:
    one, other = header(1, "EPYC"), header(2, "Xeon", machine="another")
    assert usual(one, other, replace(header(3, "Xeon"), local=True)) == [True, True, True]


def test_quick_runs_have_no_say_and_are_marked_by_the_full_ones() -> None:
    quick = [header(day, "Xeon", profile="quick") for day in (2, 3)]
    assert usual(header(1, "EPYC"), *quick) == [True, False, False]
    assert usual(*quick, header(4, "EPYC", machine="another")) == [True, True, True]


def test_where_hosts_are_replaced_the_new_processor_becomes_the_usual_one() -> None:
    old, new = header(1, "EPYC"), header(2, "Xeon")
    assert usual(*[old] * NEWEST, *[new] * (NEWEST // 2 - 1)) == [True] * NEWEST + [False] * (NEWEST // 2 - 1)
    assert usual(*[old] * NEWEST, *[new] * (NEWEST // 2 + 1)) == [False] * NEWEST + [True] * (NEWEST // 2 + 1)


def loud(*noise: float | None, **changed: object) -> list[bool]:
    """Say of files of one build which are loud: the last of them is *changed*."""
    files = [replace(header(day, "EPYC"), noise=each) for day, each in enumerate(noise, start=1)]
    last = replace(files[-1], **changed)  # type: ignore[arg-type] # fields of a header
    return [file.is_loud for file in with_conditions([*files[:-1], last])]


def test_hours_twice_as_noisy_as_the_calmest_are_loud() -> None:
    assert loud(0.015, 0.015 * LOUDER - 0.001, 0.015 * LOUDER, None) == [False, False, True, False]
    assert loud(0.1, 0.1 * LOUDER - 0.01) == [False, False]


def test_where_all_is_quiet_no_hour_is_loud() -> None:
    assert loud(QUIET / 10, QUIET - 0.001, QUIET) == [False, False, True]


def test_a_run_is_beside_those_of_its_own_build_and_processor_alone() -> None:
    other = build("3.15.0")
    assert loud(0.01, 0.1, build=other) == [False, False]
    assert loud(0.01, 0.1, machine=header(1, "Xeon").machine) == [False, False]
    assert loud(0.01, 0.1, run=header(9, "EPYC", profile="quick").run) == [False, True]
