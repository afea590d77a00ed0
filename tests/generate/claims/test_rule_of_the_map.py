"""A claim that a rule of thumb names the right model, judged over the map."""

import pytest
from factory import with_facts
from frames import make_files
from judging import claim_parts, evidence, pool_results
from map_factory import map_record
from msgspec.structs import replace

from generate.claims.cards import repeat_command
from generate.claims.hypotheses import hypotheses
from generate.claims.judge import PartVerdict, judge
from generate.claims.kinds import RatioBelow, RightAtLeast, Takes
from generate.claims.model import Claim, Part
from generate.claims.sentences import describe_verdict
from generate.words.numbers import format_share
from generate.words.patterns import RULE_RIGHT_FOR, RULE_RIGHT_FOR_AT_LEAST
from runners.harness.catalogue.scenarios import find
from runners.harness.record.model import Record

SCENARIOS = {"crossover": find()["crossover"]}
WHOLE = ("1 task", "10 tasks", "100 tasks", "1,000 tasks", "10,000 tasks")
RULE = Part(scenario="crossover", rule="many long waits: asyncio", expect=RightAtLeast(0.8), why="for a test")
THREADS = replace(RULE, rule="few short waits: threads")


def judged(part: Part, record: Record) -> PartVerdict:
    """Judge *part* by two runs: a share that never varies takes two."""
    results = pool_results(make_files(record, with_facts(record, run={"id": "again"})), SCENARIOS)
    (verdict,) = judge(claim_parts(part, scenarios=SCENARIOS), results)
    return verdict


def test_rule_is_judged_by_how_often_it_is_right() -> None:
    fastest, slower = judged(RULE, map_record(WHOLE)), judged(THREADS, map_record(WHOLE))
    assert (fastest.verdict, slower.verdict) == ("holds", "does not hold")
    assert RULE_RIGHT_FOR.format(share=format_share(1.0)) in describe_verdict(fastest)
    assert evidence(slower).compared[0].high < 0.8


def test_card_of_a_rule_repeats_the_whole_map() -> None:
    verdict = judged(RULE, map_record(WHOLE))
    assert "--runner" not in repeat_command(verdict)
    assert repeat_command(verdict).endswith("--profile map")
    assert evidence(verdict).hypothesis.runners == ["asyncio_tasks"]
    assert evidence(verdict).hypothesis.expectation == RULE_RIGHT_FOR_AT_LEAST.format(format_share(0.8))


def test_part_of_the_map_decides_nothing() -> None:
    assert judged(RULE, map_record()).verdict == "not measured"


@pytest.mark.parametrize(
    ("part", "named"),
    [
        (replace(RULE, rule="always right"), "'always right'"),
        (replace(RULE, expect=RatioBelow(1)), Takes.PAIR.value),
        (replace(RULE, why=""), "`why`"),
    ],
)
def test_mistake_in_a_rule_is_named(part: Part, named: str) -> None:
    _, (fault,) = hypotheses(Claim("S1.1", "says", (part,), "S1.toml"), SCENARIOS)
    assert named in fault.message
