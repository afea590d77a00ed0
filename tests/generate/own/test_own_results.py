import random
from io import StringIO
from pathlib import Path

import pytest
from fuzz_records import mutate
from own_records import COMPUTING, CONTROL, LOOP, own_record, timed, untimed
from rich.console import Console

from generate import own
from generate.data import own_results
from generate.data.between_runs import BetweenRuns
from generate.data.own_results import OwnResult
from runners.harness.errors import UserError
from runners.harness.own.record import OwnSeries, encode

GIL, NO_GIL = timed("threads", 2, 2660), timed("threads", 2, 1470, on=1)


@pytest.mark.parametrize(
    ("series", "advised"),
    [
        (COMPUTING, ("processes_fork", 2)),
        ((LOOP, CONTROL, timed("threads", 2, 2600)), ("loop", None)),
        ((LOOP, untimed("threads", 2, "wrong_answers", wrong=12)), ("loop", None)),
        ((LOOP, GIL, NO_GIL), ("threads", 2)),
        ((timed("processes_fork", 2, 995), timed("threads", 8, 1000), timed("threads", 6, 1010)), ("threads", 6)),
        ((timed("loop", None, 1100, spread=0.2), timed("threads", 2, 1000)), ("loop", None)),
        ((timed("loop", None, 1500, spread=0.5, rounds=3), timed("threads", 2, 1000)), ("threads", 2)),
        ((timed("loop", None, 2000, rounds=1), timed("threads", 2, 1000, rounds=1)), ("threads", 2)),
        ((timed("loop", None, 1050, rounds=1), timed("threads", 2, 1000, rounds=1)), ("loop", None)),
    ],
    ids=["faster", "no gain", "wrong", "builds", "simplest", "noise ties", "noise up to 1.25", "round", "round ties"],
)  # fmt: skip
def test_simplest_of_the_fastest_is_advised(series: tuple[OwnSeries, ...], advised: tuple[str, int | None]) -> None:
    advice = OwnResult(own_record(series, ("3.14.7", "3.14.7t"))).advice.series
    assert (advice.model, advice.workers) == advised


def test_undecided_model_is_perhaps_as_fast() -> None:
    result = OwnResult(own_record([timed("loop", None, 1500, spread=0.5, rounds=3), timed("threads", 2, 1000)]))
    assert [*map(result.standing, result.timings)] == ["perhaps", "best"]


def test_noise_is_the_range_of_the_loop_against_itself() -> None:
    noise = OwnResult(own_record(COMPUTING)).noise
    assert noise is not None
    assert 0 < noise < 0.02
    assert OwnResult(own_record([LOOP])).noise is None


@pytest.mark.parametrize("content", [None, b"", b"{", b"[1]", b'{"kind": "own"}', b"\xff\xfe", b"[" * 100_000])
def test_unusable_file_is_a_named_problem(tmp_path: Path, content: bytes | None) -> None:
    path = tmp_path / "local" / "2026-01-01" / "run" / "own.json"
    path.parent.mkdir(parents=True)
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(UserError, match=r"own\.json"):
        own_results.read(path)
    records, problems = own_results.load(tmp_path, BetweenRuns())
    assert (len(records), len(problems)) == (0, content is not None)


@pytest.mark.parametrize("seed", range(4))
def test_odd_record_is_refused_or_shown(tmp_path: Path, seed: int) -> None:
    path, chance = tmp_path / "own.json", random.Random(seed)  # noqa: S311 - no secret
    shown = refused = 0
    for series in [(*COMPUTING, untimed("threads", 8, "wrong_answers", wrong=12)), ()] * 50:
        path.write_bytes(mutate(encode(own_record(series)), chance))
        try:
            result = own_results.read(path)
        except UserError:
            refused += 1
            continue
        own.show(result, [], screen := Console(file=StringIO(), width=own.WIDTH))
        shown += bool(screen.file.getvalue())  # type: ignore[attr-defined]
    assert (shown + refused, min(shown, refused) > 0) == (100, True)
