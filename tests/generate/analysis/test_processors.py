"""Which processor is the usual one of a machine under whose name there are several."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Literal

import msgspec
from factory import Plan, make
from frames import file_of
from sample_site import letters

from generate.analysis.processors import NEWEST, with_usual_processors

if TYPE_CHECKING:
    from generate.results.model import FileHeader


def header(
    day: int, processor: str, machine: str = "a-machine", profile: Literal["quick", "full"] = "full"
) -> FileHeader:
    record = make(letters(), Plan(machine=machine, cpu=processor, profile=profile))
    run = msgspec.structs.replace(record.run, started=f"2026-01-{day:02}T00:00:00Z")
    return file_of(msgspec.structs.replace(record, run=run), f"{day}.json").header


def usual(*files: FileHeader) -> list[bool]:
    return [file.is_usual_processor for file in with_usual_processors(files)]


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
