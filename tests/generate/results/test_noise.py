"""How noisy the hours of a run were is read from how far its baselines differ from themselves."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import msgspec
import pytest
from factory import Plan, make

from generate.results.noise import FEWEST_CONTROLS, FEWEST_ROUNDS, TIME, noise_of
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
    assert noise_of(record_of(FEWEST_CONTROLS, apart=apart)) == pytest.approx(math.log(apart), abs=1e-6)


def test_one_loud_block_or_round_is_no_noisy_hour() -> None:
    calm, rough = record_of(FEWEST_CONTROLS, apart=1.01), record_of(FEWEST_CONTROLS, apart=2.0)
    mixed = [*calm.series[:6], *rough.series[6:]]
    assert noise_of(msgspec.structs.replace(calm, series=mixed)) == pytest.approx(math.log(1.01), abs=1e-6)


def test_of_few_blocks_or_rounds_nothing_is_known() -> None:
    assert noise_of(record_of(FEWEST_CONTROLS - 1)) is None
    assert noise_of(record_of(FEWEST_CONTROLS, FEWEST_ROUNDS - 1)) is None
    untimed = [
        msgspec.structs.replace(each, samples=msgspec.structs.replace(each.samples, values={}))
        for each in record_of(FEWEST_CONTROLS).series
    ]
    assert noise_of(msgspec.structs.replace(record_of(FEWEST_CONTROLS), series=untimed)) is None


def test_of_a_map_nothing_is_known_since_each_of_its_points_is_judged_by_itself() -> None:
    full = record_of(FEWEST_CONTROLS)
    assert noise_of(msgspec.structs.replace(full, run=msgspec.structs.replace(full.run, profile="map"))) is None
