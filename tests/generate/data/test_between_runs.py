"""The table of what differs between runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from generate.data.between_runs import DEFAULT, FILE, SMALLEST, BetweenRuns, Block, encode, read, table
from runners.harness.catalogue.scenarios import ROOT, find
from runners.harness.errors import UserError

if TYPE_CHECKING:
    from pathlib import Path

PRIMES = Block("within", "primes", "published", "elapsed_ns")
OTHER = PRIMES._replace(block="tenth")


def test_a_block_with_enough_series_has_its_own_mean() -> None:
    known = table([(PRIMES, 0.01)] * 9 + [(PRIMES, 0.03)])
    assert known.variance(PRIMES) == pytest.approx(0.012)


def test_a_block_of_few_series_borrows_from_its_scenario() -> None:
    known = table([(PRIMES, 0.01)] * 9 + [(OTHER, 0.04)] * 3)
    assert known.variance(OTHER) == pytest.approx((9 * 0.01 + 3 * 0.04) / 12)


def test_an_unknown_scenario_borrows_the_median_block() -> None:
    power, heartbeat = PRIMES._replace(scenario="power"), PRIMES._replace(scenario="heartbeat")
    known = table([(PRIMES, 0.01), (power, 0.02), (heartbeat, 0.9)])
    assert known.variance(PRIMES._replace(scenario="unknown")) == pytest.approx(0.02)


@pytest.mark.parametrize("compared", DEFAULT)
def test_without_any_run_there_is_a_default(compared: str) -> None:
    block = Block(compared, "primes", "published", "elapsed_ns")  # type: ignore[arg-type]
    assert BetweenRuns().variance(block) == DEFAULT[block.compared]


def test_no_block_is_known_better_than_half_a_per_cent() -> None:
    assert table([(PRIMES, -0.01)] * 20).variance(PRIMES) == SMALLEST


def test_values_and_ratios_are_kept_apart() -> None:
    known = table([(PRIMES, 0.01)] * 10 + [(PRIMES._replace(compared="value"), 0.09)] * 10)
    assert known.variance(PRIMES._replace(compared="value")) == pytest.approx(0.09)


def test_a_point_of_the_map_borrows_from_its_other_cases() -> None:
    cases = [PRIMES._replace(scenario="crossover", block=f"{n} tasks", metric="c0_w9_elapsed_ns") for n in range(10)]
    known = table(
        [*((case, 0.01) for case in cases), *((case._replace(metric="c9_w0_elapsed_ns"), 1) for case in cases)]
    )
    assert known.variance(cases[0]._replace(block="others")) == pytest.approx(0.01)


def test_the_file_can_be_read_back(tmp_path: Path) -> None:
    known = table([(PRIMES, 0.0123456789), (PRIMES, 0.01), (OTHER, -0.002)])
    (tmp_path / FILE).write_bytes(encode(known))
    assert read(tmp_path).blocks.keys() == known.blocks.keys()
    back = read(tmp_path).blocks[PRIMES]
    assert back.mean == pytest.approx(known.blocks[PRIMES].mean, rel=1e-3)
    assert back.series == 2


def test_a_missing_file_is_an_empty_table(tmp_path: Path) -> None:
    assert read(tmp_path) == BetweenRuns()


@pytest.mark.parametrize("text", ["{", "[[1]]", '[["other","primes","published","elapsed_ns",0.1,3]]'])
def test_a_broken_file_is_named_with_the_remedy(tmp_path: Path, text: str) -> None:
    (tmp_path / FILE).write_text(text)
    with pytest.raises(UserError, match=r"between_runs\.json.*make validate"):
        read(tmp_path)


def test_the_committed_table_has_every_scenario() -> None:
    known = read(ROOT / "docs")
    for compared in DEFAULT:
        named = {block.scenario for block in known.blocks if block.compared == compared}
        assert named >= find().keys() - {"crossover"}
