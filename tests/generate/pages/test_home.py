"""The pictures of home and their answers."""

import re
from itertools import product
from pathlib import Path
from typing import cast

import pytest
from factory import Plan, make_record
from sample_site import build_context, write_results
from syrupy.assertion import SnapshotAssertion

from generate.data.estimates import Estimate, fixed
from generate.pages.home import (
    PICTURES,
    HomeFunctions,
    HomePicture,
    Measured,
    answer_computing,
    answer_sharing,
    answer_waiting,
    join_rates,
)
from generate.words import patterns
from generate.words.numbers import NO_BREAK
from generate.words.patterns import NOT_MEASURED
from runners.harness.catalogue.scenarios import find
from runners.harness.record.codec import encode


def estimate(low: float, high: float) -> Estimate:
    return Estimate((low * high) ** 0.5, low, high, low, high)


OUTCOMES = [estimate(0.4, 0.6), estimate(0.99, 1.01), estimate(1.9, 2.1), estimate(0.8, 1.25), None]
LESS, SAME, MORE, _, _ = OUTCOMES


class Given:
    """Values as a test gives them, in the place of measured ones."""

    def __init__(self, *bars: Estimate | None, free: tuple[Estimate | None, ...] = (None, None, None)) -> None:
        self.bars, self.free = bars, dict(zip([(1, 0), (1, 2), (0, 0)], free, strict=True))

    def ratio(self, bar: int) -> Estimate | None:
        return self.bars[bar - 1]

    def value(self, bar: int, metric: str = "") -> Estimate | None:
        return self.bars[2] if metric else self.bars[bar]

    def without_gil(self, bar: int, other: int) -> Estimate | None:
        return self.free[bar, other]


def given(*bars: Estimate | None, free: tuple[Estimate | None, ...] = (None, None, None)) -> Measured:
    return cast("Measured", Given(*bars, free=free))


def show(folder: Path, *plans: Plan) -> str:
    write_results(folder, {f"{number}/a.json": plan for number, plan in enumerate(plans)}, find())
    page = HomeFunctions(build_context(folder, find()), "index.md").home_pictures()
    return re.sub(r"<[^>]*>", " ", page).replace(NO_BREAK, " ")


@pytest.mark.parametrize("wanted", PICTURES, ids=lambda wanted: wanted.title)
def test_every_picture_is_of_existing_series(wanted: HomePicture) -> None:
    scenario = find()[wanted.scenario]
    assert wanted.metric in {metric.name for metric in scenario.metrics}
    for case, runner in wanted.bars.values():
        assert scenario.runners[runner].takes_part(scenario.cases[case])
        quick = wanted.quick.get(case, case)
        assert scenario.runners[runner].takes_part(scenario.cases[quick])
        assert scenario.cases[quick].quick


def test_there_is_an_answer_whatever_is_measured() -> None:
    for first, second, third in product(OUTCOMES, repeat=3):
        bars = given(first, second, third, free=(third, first, second))
        texts = [*answer_computing(bars), *answer_waiting(bars), *answer_sharing(bars)]
        assert all(text[0].isupper() and text.endswith(".") for text in texts)


def test_answers_have_the_direction_of_the_ratio() -> None:
    answers = [*answer_computing(given(SAME, LESS, free=(LESS, MORE, MORE)))]
    assert answers[0] == patterns.HOME_PROCESSES.format(ratio="2.0 times as fast (1.7 to 2.5)")
    assert answers[1].endswith("no difference.")
    assert answers[2].endswith(f"2.0 times as fast{patterns.HOME_THAN_PROCESSES['more']}")
    assert answers[3].endswith("takes 2.0 times as long.")
    assert join_rates([fixed(10.2), fixed(11.3)]) == "10 to 11 times as many per second"
    assert join_rates([SAME, MORE]) == "no difference; 2.0 times as many per second"
    assert join_rates([None, MORE]) == NOT_MEASURED


def test_pictures_of_a_first_quick_run(tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    plan = Plan(profile="quick", rounds=3, speed={"process_pool": 0.6})
    assert show(tmp_path, plan) == snapshot


def test_picture_without_a_value_names_it(tmp_path: Path) -> None:
    primes = {"primes": find()["primes"]}
    (tmp_path / "a.json").write_bytes(encode(make_record(primes, Plan(status={"process_pool": "failed"}))))
    page = HomeFunctions(build_context(tmp_path, find()), "index.md").home_pictures()
    assert '<a href="scenarios/primes.html">processes: failed</a>. Again: <code>python' in page
    assert "Not measured yet: <code>python -m runners run --scenario heartbeat" in page
