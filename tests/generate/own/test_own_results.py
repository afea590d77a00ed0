from pathlib import Path

import pytest
from own_records import COMPUTING, CONTROL, LOOP, own_record, timed, untimed

from generate.data import own_results
from generate.data.between_runs import BetweenRuns
from generate.data.own_results import OwnResult
from runners.harness.errors import UserError
from runners.harness.own.record import OwnSeries, encode


def advised(*series: OwnSeries, versions: tuple[str, ...] = ("3.14.7",)) -> tuple[str, int | None, int]:
    advice = OwnResult(own_record(series, versions)).advice.series
    return advice.model, advice.workers, advice.build


def test_faster_model_is_advised_over_the_loop() -> None:
    assert advised(*COMPUTING)[0] == "processes_fork"


def test_simplest_of_equally_fast_models_is_advised() -> None:
    models = [
        timed("processes_fork", 2, 995),
        timed("threads", 8, 1000),
        timed("threads", 6, 1010),
        timed("loop", None, 2000),
    ]
    assert advised(*models) == ("threads", 6, 0)


def test_loop_is_advised_if_nothing_is_faster() -> None:
    assert advised(LOOP, CONTROL, timed("threads", 2, 2600))[0] == "loop"


def test_noisy_tie_takes_the_simplest_but_not_beyond_a_quarter() -> None:
    assert advised(timed("loop", None, 1100, spread=0.2), timed("threads", 2, 1000, spread=0.01))[0] == "loop"
    result = OwnResult(own_record([timed("loop", None, 1500, spread=0.5, rounds=3), timed("threads", 2, 1000)]))
    assert result.advice.series.model == "threads"
    assert [each.standing for each in result.timings] == ["perhaps", "best"]


def test_models_of_several_builds_are_compared_by_round() -> None:
    with_gil, without = timed("threads", 2, 2660), timed("threads", 2, 1470, on=1)
    assert advised(LOOP, with_gil, without, versions=("3.14.7", "3.14.7t")) == ("threads", 2, 1)


def test_wrong_answers_have_no_time_however_fast() -> None:
    assert advised(LOOP, untimed("threads", 2, "wrong_answers", wrong=12))[0] == "loop"


def test_noise_is_the_range_of_the_loop_against_itself() -> None:
    noise = OwnResult(own_record(COMPUTING)).noise
    assert noise is not None
    assert 0 < noise < 0.02
    assert OwnResult(own_record([LOOP])).noise is None


def test_single_round_decides_by_values() -> None:
    assert advised(timed("loop", None, 2000, rounds=1), timed("threads", 2, 1000, rounds=1))[0] == "threads"
    assert advised(timed("loop", None, 1050, rounds=1), timed("threads", 2, 1000, rounds=1))[0] == "loop"


@pytest.mark.parametrize("content", [None, b"", b"{", b"[1]", b'{"kind": "own"}', b"\xff\xfe", b"[" * 100_000])
def test_unusable_file_is_named_with_a_remedy(tmp_path: Path, content: bytes | None) -> None:
    path = tmp_path / "own.json"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(UserError, match=r"own\.json"):
        own_results.read(path)


def test_record_is_read_back(tmp_path: Path) -> None:
    path = tmp_path / "local" / "2026-01-01" / "run" / "own.json"
    path.parent.mkdir(parents=True)
    path.write_bytes(encode(own_record(COMPUTING)))
    (result,) = own_results.load(tmp_path, BetweenRuns())[0].values()
    assert result.record == own_record(COMPUTING)
