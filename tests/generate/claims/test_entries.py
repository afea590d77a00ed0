"""Every verdict can be recomputed from verdicts.json."""

import json
import math
from collections.abc import Callable
from typing import Any

import pytest
from factory import Plan, build, make_record
from frames import make_files
from judging import SCENARIOS, pool_results
from scipy import stats

from generate.claims.board import judge_claims
from generate.claims.read import read
from runners.harness.catalogue.scenarios import ROOT

Estimate = dict[str, Any]


@pytest.fixture(scope="module")
def entries() -> list[dict[str, Any]]:
    free = build("3.14.0", free_threaded=True)
    plans = [
        *(Plan(run_id=f"{number}", seed=number, speed={"process_pool": 0.6}) for number in range(3)),
        Plan(run_id="4", rounds=3, build=build("3.10.1"), speed={"process_pool": 0.6, "thread_pool": 1.1}),
        Plan(run_id="5", build=free, speed={"thread_pool": 0.6}),
    ]
    results = pool_results(make_files(*(make_record(SCENARIOS, plan) for plan in plans)))
    board = judge_claims(read(ROOT / "docs"), SCENARIOS, results)
    made: dict[str, Any] = json.loads(board.as_json())
    assert made["schema_version"] == 2
    return [*made["verdicts"]]


SCALES: dict[str, tuple[Callable[[float], float], Callable[[float], float]]] = {
    "log": (math.log, math.exp),
    "logit": (lambda share: math.log(share / (1 - share)), lambda y: 1 / (1 + math.exp(-y))),
}


def recomputed(of: Estimate) -> tuple[float, float, float]:
    """Return value, low and high by the rule of docs/method.md; a run's number is rounded, so nearly."""
    if of["scale"] == "exact":
        return of["estimate"], of["low"], of["high"]
    to_scale, back = SCALES[of["scale"]]
    weights = [1 / (of["between_runs"] + run["variance"]) for run in of["runs"]]
    values = [to_scale(run["value"]) for run in of["runs"]]
    centre = sum(weight * value for weight, value in zip(weights, values, strict=True)) / sum(weights)
    reach = stats.t.ppf(0.975, of["degrees"]) / math.sqrt(sum(weights))
    return back(centre), back(centre - reach), back(centre + reach)


def judged(bounds: list[float | None], of: Estimate) -> str:
    if not of["decides"]:
        return "undecided"
    _, low, high = recomputed(of)
    least, most = (end if end is not None else math.inf * sign for end, sign in zip(bounds, (-1, 1), strict=True))
    if low == high:
        return "holds" if least <= low <= most else "does not hold"
    if least < low and high < most:
        return "holds"
    return "does not hold" if high < least or low > most else "undecided"


def test_verdicts_follow_from_their_entries(entries: list[dict[str, Any]]) -> None:
    decided = [entry for entry in entries if entry["estimates"]]
    assert {entry["verdict"] for entry in decided} == {"holds", "does not hold", "undecided"}
    for entry in decided:
        steps = {judged(entry["bounds"], each) for each in entry["estimates"]}
        worst = next(word for word in ("does not hold", "undecided", "holds") if word in steps)
        assert worst == entry["verdict"], entry["part"]
        for each in entry["estimates"]:
            assert recomputed(each) == pytest.approx((each["estimate"], each["low"], each["high"]), rel=1e-3)


def test_entries_name_every_run_and_its_file(entries: list[dict[str, Any]]) -> None:
    (entry,) = (each for each in entries if each["part"] == "S1.4" and each["build"] == "cpython-3.13.1")
    assert {run["run"] for run in entry["estimates"][0]["runs"]} == {"0", "1", "2"}
    assert all(run["file"].endswith(".json") and run["rounds"] == 12 for run in entry["estimates"][0]["runs"])
    assert (entry["processor"], entry["cores"]) == ("Fixture CPU", 2)


def test_entries_without_evidence_have_a_reason(entries: list[dict[str, Any]]) -> None:
    empty = [entry for entry in entries if not entry["estimates"]]
    assert empty
    assert all(entry["reason"] and entry["verdict"] in {"not measured", "does not apply"} for entry in empty)
