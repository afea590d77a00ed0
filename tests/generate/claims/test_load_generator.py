"""How near its limit the load generator was where servers' rates are compared, and what it could never have shown."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import pytest
from factory import Plan, altered, make
from frames import files_of
from msgspec.structs import replace

from generate.analysis.gated import apply_gate
from generate.claims.cards import PartCard
from generate.claims.hypotheses import hypotheses
from generate.claims.kinds import RatioAbove, RatioBelow
from generate.claims.model import Claim, Part
from generate.claims.verdicts import verdicts
from generate.text.numbers import NO_BREAK
from runners.harness.catalogue.scenarios import find

if TYPE_CHECKING:
    from generate.claims.verdicts import PartVerdict
    from runners.harness.record.model import Series

SCENARIOS = {"open_loop": find()["open_loop"]}
TWICE = Part(
    scenario="open_loop",
    case="closed loop, nothing to do",
    metric="requests_per_s",
    candidate="aiohttp_uvloop",
    baseline="aiohttp_awaiting",
    expect=RatioAbove(2),
    why="for a test",
)


def _is_of(runner: str, series: Series) -> bool:
    return series.runner == runner


def judged(part: Part, candidate: float, baseline: float, gain: float = 1.2) -> PartVerdict:
    """Judge a server that is so many times as fast, by loads that took these shares of a core beside the two."""
    record = make(SCENARIOS, Plan(speed={"aiohttp_uvloop": 1 / gain}))
    for runner, share in (("aiohttp_uvloop", candidate), ("aiohttp_awaiting", baseline)):

        def busy(series: dict[str, Any], share: float = share) -> None:
            values = series["samples"]["values"]
            values["load_cpu_ns"] = [round(share * elapsed) for elapsed in values["elapsed_ns"]]
            values["cpu_us"] = [elapsed // 1000 for elapsed in values["elapsed_ns"]]

        record = altered(record, partial(_is_of, runner), busy)
    parts, faults = hypotheses(Claim("W1.1", "says", (part,), "W1.toml", {}), SCENARIOS)
    assert not faults
    (verdict,) = verdicts(parts, apply_gate(files_of(record), SCENARIOS))
    return verdict


@pytest.mark.parametrize(("share", "verdict"), [(0.47, "does not hold"), (0.51, "not applicable")])
def test_what_the_load_generator_could_never_have_confirmed_is_not_applicable(share: float, verdict: str) -> None:
    found = judged(TWICE, 0.77, share)
    assert found.verdict == verdict
    words = (
        f"the load generator used 51{NO_BREAK}% of a core at the rate of the baseline, and would pass its limit of 95"
    )
    assert (words in found.reason) == (verdict == "not applicable")


def test_what_can_be_confirmed_or_was_is_judged_whatever_the_load_generator_used() -> None:
    assert judged(TWICE, 0.9, 0.51, gain=3).verdict == "holds"
    assert judged(replace(TWICE, expect=RatioAbove(1)), 0.77, 0.51).verdict == "holds"
    assert judged(replace(TWICE, expect=RatioBelow(1)), 0.77, 0.94).verdict == "does not hold"
    assert judged(replace(TWICE, metric="latency_p99_us"), 0.77, 0.94).verdict == "does not hold"


@pytest.mark.parametrize(("share", "said"), [(0.77, f"up to 77{NO_BREAK}% of a core"), (0.59, None)])
def test_a_card_says_how_much_of_a_core_the_load_generator_used_where_it_may_be_what_was_measured(
    share: float, said: str | None
) -> None:
    assert PartCard.of(judged(TWICE, share, 0.4)).facts.get("Load generator") == said
