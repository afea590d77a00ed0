"""How noisy the hours of a run were is read from how far its baselines differ from themselves."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import msgspec
import pytest
from factory import Plan, make

from generate.results.noise import FEWEST_ROUNDS, TIME, noise_of
from runners.harness.catalogue.scenarios import find

if TYPE_CHECKING:
    from runners.harness.record.model import Record, Series

PRIMES = {"primes": find()["primes"]}


def timed(series: Series, case: str, times: list[int]) -> Series:
    samples = msgspec.structs.replace(
        series.samples,
        round=[*range(1, len(times) + 1)],
        values={TIME: times},
    )
    return msgspec.structs.replace(series, case=case, samples=samples)


def record_of(blocks: int, rounds: int = 12, *, apart: float = 1.1) -> Record:
    """Make a record of so many blocks, whose controls take *apart* times as long or, in every other round, as short."""
    made = make(PRIMES, Plan())
    control = next(each for each in made.series if each.role == "control")
    baseline = next(each for each in made.series if each.role == "subject" and each.runner == control.runner)
    off = [round(1_000_000 * apart ** (-1) ** number) for number in range(rounds)]
    series = [
        one
        for block in range(blocks)
        for one in (timed(baseline, f"{block}", [1_000_000] * rounds), timed(control, f"{block}", off))
    ]
    return msgspec.structs.replace(made, series=series)


@pytest.mark.parametrize("apart", [1.0, 1.02, 1.1])
def test_noise_is_how_far_the_same_code_is_apart_from_itself_in_the_middle(apart: float) -> None:
    found = noise_of(record_of(2, apart=apart))
    assert [*found] == ["primes/0/sync_loop", "primes/1/sync_loop"]
    assert [*found.values()] == pytest.approx([math.log(apart)] * 2, abs=1e-6)


def test_one_loud_round_changes_little() -> None:
    record = record_of(1, apart=1.01)
    (control,) = (each for each in record.series if each.role == "control")
    off = [3_000_000, *(round(1_000_000 * 1.01 ** (-1) ** number) for number in range(11))]
    loud = [timed(each, each.case, off) if each is control else each for each in record.series]
    (noise,) = noise_of(msgspec.structs.replace(record, series=loud)).values()
    assert noise == pytest.approx(math.log(1.01), abs=1e-6)


def test_of_few_rounds_or_none_with_a_time_nothing_is_known() -> None:
    assert noise_of(record_of(1, FEWEST_ROUNDS - 1)) == {}
    untimed = [
        msgspec.structs.replace(each, samples=msgspec.structs.replace(each.samples, values={}))
        for each in record_of(1).series
    ]
    assert noise_of(msgspec.structs.replace(record_of(1), series=untimed)) == {}


def test_of_a_map_nothing_is_known_since_each_of_its_points_is_judged_by_itself() -> None:
    full = record_of(1)
    assert noise_of(msgspec.structs.replace(full, run=msgspec.structs.replace(full.run, profile="map"))) == {}
