"""Which processor is the usual one of a machine under whose name there are several, and which hours were noisy."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Literal

import msgspec
from factory import Plan, build, make
from frames import file_of
from sample_site import letters

from generate.analysis.conditions import FEWEST_CONTROLS, LOUDER, NEWEST, QUIET, shown_noise, with_conditions

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


def measured(day: int, *noise: float, **changed: object) -> FileHeader:
    """Return a file of a run of that day whose baselines have *noise*."""
    of_day = header(day, "EPYC")
    run = msgspec.structs.replace(of_day.run, id=f"run-{day}")
    by_baseline = {f"primes/{number}/sync_loop": apart for number, apart in enumerate(noise)}
    return replace(of_day, **{"run": run, "noise": by_baseline} | changed)  # type: ignore[arg-type] # fields of a header


def loud(*files: FileHeader) -> list[bool]:
    return [file.is_loud for file in with_conditions(files)]


def alike(day: int, noise: float, **changed: object) -> FileHeader:
    return measured(day, *[noise] * FEWEST_CONTROLS, **changed)


def test_hours_twice_as_noisy_as_a_calmer_run_s_are_loud() -> None:
    calm, louder, loudest = (alike(day, noise) for day, noise in enumerate([0.015, 0.0299, 0.015 * LOUDER], start=1))
    assert loud(calm, louder, loudest, measured(4)) == [False, False, True, False]
    assert loud(alike(1, 0.1), alike(2, 0.1 * LOUDER - 0.01)) == [False, False]


def test_one_loud_baseline_is_no_noisy_hour() -> None:
    rough = measured(2, 0.9, *[0.03] * (FEWEST_CONTROLS - 1))
    assert loud(alike(1, 0.03), rough) == [False, False]


def test_where_all_is_quiet_no_hour_is_loud() -> None:
    assert loud(alike(1, QUIET / 10), alike(2, QUIET - 0.001), alike(3, QUIET)) == [False, False, True]


def test_runs_are_compared_by_the_baselines_that_both_have() -> None:
    """A run of little but servers, whose times timers decide, shows no noise there and is no measure for another."""
    timers = {f"heartbeat/{number}/idle": 0.002 for number in range(2 * FEWEST_CONTROLS)}
    work = {f"primes/{number}/sync_loop": 0.04 for number in range(FEWEST_CONTROLS)}
    loud_work = {name: LOUDER * apart for name, apart in work.items()}
    mixed, alone, rough = (
        measured(1, noise=timers | work),
        measured(2, noise=work),
        measured(3, noise=timers | loud_work),
    )
    assert loud(mixed, alone) == [False, False]
    assert loud(mixed, measured(2, noise=timers)) == [False, False]
    assert loud(alone, rough) == [False, True]
    few = dict([*loud_work.items()][1:])
    assert loud(mixed, measured(2, noise=few)) == [False, False]


def test_the_builds_of_a_run_share_its_hours() -> None:
    """Each has too few controls to say so alone, and one has none that another run has."""
    other, third = build("3.15.0"), build("3.13.1")
    calm = [measured(1, 0.02, 0.02, 0.02), measured(1, 0.02, 0.02, build=other)]
    noisy = [measured(2, 0.05, 0.05, 0.05), measured(2, 0.05, 0.05, build=other), measured(2, 0.3, build=third)]
    assert loud(*calm, *noisy) == [False] * len(calm) + [True] * len(noisy)
    assert loud(*calm, *noisy[::2]) == [False] * len(calm) + [False, False]


def test_a_run_is_beside_those_of_its_own_builds_and_processor_alone() -> None:
    calm = alike(1, 0.01)
    assert loud(calm, alike(2, 0.1, build=build("3.15.0"))) == [False, False]
    assert loud(calm, alike(2, 0.1, machine=header(1, "Xeon").machine)) == [False, False]
    assert loud(calm, alike(2, 0.1)) == [False, True]


def test_only_the_newest_runs_are_a_measure() -> None:
    calm, *later = [alike(1, 0.01), *(alike(day, 0.1) for day in range(2, 2 + NEWEST))]
    assert loud(calm, *later) == [False] * (1 + NEWEST)
    assert loud(calm, *later[1:]) == [False] + [True] * (NEWEST - 1)


def test_what_is_said_of_noisy_hours_is_the_middle_of_what_shows_noise() -> None:
    assert shown_noise(measured(1, 0.002, 0.03, 0.05, 0.3)) == 0.05
    assert shown_noise(measured(1, 0.002)) is None


def paired(*files: FileHeader) -> list[bool]:
    return [file.is_paired for file in with_conditions(files)]


def test_what_a_run_measured_with_and_without_the_gil_is_a_pair() -> None:
    gil, free, other = build("3.14.0"), build("3.14.0", free_threaded=True), build("3.15.0", free_threaded=True)
    one, beside = measured(1, build=gil), measured(1, build=free)
    assert paired(one, beside, measured(1, build=other)) == [True, True, False]
    assert paired(one, measured(2, build=free)) == [False, False]
    assert paired(one, replace(beside, machine=header(1, "Xeon").machine)) == [False, False]
    assert paired(replace(one, kind="by_product"), beside) == [True, True]
    variant = msgspec.structs.replace(free, variant=("aiohttp 3.13.5",))
    assert paired(one, measured(1, build=variant)) == [False, False]
