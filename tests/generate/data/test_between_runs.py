"""The table of differences between runs."""

from collections import Counter
from pathlib import Path

import pytest

from generate.data.between_runs import DEFAULT, FILE, SMALLEST, BetweenRuns, Block, encode, read, table
from generate.data.read import load
from runners.harness.catalogue.scenarios import ROOT, find
from runners.harness.errors import UserError

PRIMES = Block("within", "primes", "published", "elapsed_ns")
OTHER, POWER = PRIMES._replace(block="tenth"), PRIMES._replace(scenario="power")


@pytest.mark.parametrize(
    ("excesses", "block", "variance"),
    [
        ([(PRIMES, 0.01)] * 9 + [(PRIMES, 0.03)], PRIMES, 0.012),
        ([(PRIMES, 0.01)] * 9 + [(OTHER, 0.04)] * 3, OTHER, (9 * 0.01 + 3 * 0.04) / 12),
        ([(PRIMES, 0.01), (POWER, 0.02), (POWER._replace(block="more"), 0.9)], PRIMES._replace(scenario="new"), 0.02),
        ([(PRIMES, -0.01)] * 20, PRIMES, SMALLEST),
        ([(PRIMES, 0.01)] * 10 + [(PRIMES._replace(compared="value"), 0.09)] * 10, PRIMES, 0.01),
        ([(PRIMES, 0.01)] * 10 + [(PRIMES._replace(metric="c9_w0_elapsed_ns"), 1)] * 10, OTHER, 0.01),
    ],
)
def test_a_block_borrows_from_the_nearest_known(
    excesses: list[tuple[Block, float]], block: Block, variance: float
) -> None:
    assert table(excesses).variance(block) == pytest.approx(variance)


@pytest.mark.parametrize("compared", DEFAULT)
def test_without_any_run_there_is_a_default(compared: str) -> None:
    block = Block(compared, "primes", "published", "elapsed_ns")  # type: ignore[arg-type]
    assert BetweenRuns().variance(block) == DEFAULT[block.compared]


def test_the_file_can_be_read_back(tmp_path: Path) -> None:
    assert read(tmp_path) == BetweenRuns()
    known = table([(PRIMES, 0.0123456789), (PRIMES, 0.01), (OTHER, -0.002)])
    (tmp_path / FILE).write_bytes(encode(known))
    assert read(tmp_path).blocks.keys() == known.blocks.keys()
    back = read(tmp_path).blocks[PRIMES]
    assert back.mean == pytest.approx(known.blocks[PRIMES].mean, rel=1e-3)
    assert back.series == 2


@pytest.mark.parametrize("text", ["{", "[[1]]", '[["other","primes","published","elapsed_ns",0.1,3]]'])
def test_a_broken_file_is_named_with_the_remedy(tmp_path: Path, text: str) -> None:
    (tmp_path / FILE).write_text(text)
    with pytest.raises(UserError, match=r"between_runs\.json.*make validate"):
        read(tmp_path)


def test_the_committed_table_has_what_was_measured_twice() -> None:
    known, current = read(ROOT / "docs"), find()
    runs = Counter(
        (name, record.machine.cpu, record.build.version, record.build.free_threaded)
        for record in (file.record for file in load(ROOT / "results").files if not file.local)
        for name, sha256 in record.scenario_sha256.items()
        if sha256 == current[name].scenario_sha256
    )
    measured = {name for (name, *_), count in runs.items() if count > 1}
    for compared in DEFAULT:
        named = {block.scenario for block in known.blocks if block.compared == compared}
        assert named >= measured - {"crossover"}
