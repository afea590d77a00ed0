"""The claims' files: all claims of the sources, and what becomes of mistakes in them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from generate.claims.hypotheses import questions
from generate.claims.read import Claims, read
from runners.harness.catalogue.scenarios import ROOT, find

if TYPE_CHECKING:
    from pathlib import Path

    from generate.claims.read import Fault

SCENARIOS = find()
GOOD = """
[S1.1]
says = "a pool is faster"
scenario = "primes"
case = "published"
candidate = "process_pool"
baseline = "sync_loop"
printed = { candidate = "1.1 s", baseline = "4.2 s" }

[[S1.1.part]]
name = "at all"
expect = { ratio_below = 1 }
why = "faster means below 1"

[[S1.1.part]]
name = "as printed"
expect = { ratio_near_printed = 1.25 }
why = "as every size"

[S1.2]
says = "a timer waits"
scenario = "primes"
case = "published, with a timer"
candidate = "asyncio_naive"
metric = "timer_worst_delay_ns"
expect = { value_at_least = "100 ms" }
why = "a tenth of a second"
"""


def claims_of(tmp_path: Path, text: str) -> Claims:
    folder = tmp_path / "docs" / "claims"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "S1.toml").write_text(text, encoding="utf-8")
    return read(tmp_path / "docs")


def faults_of(claims: Claims) -> list[Fault]:
    return [*claims.faults, *(fault for claim in claims.claims for fault in questions(claim, SCENARIOS)[1])]


def line_with(text: str, what: str) -> int:
    return next(number for number, line in enumerate(text.splitlines(), 1) if what in line)


def test_every_claim_of_the_sources_is_there_and_none_has_a_mistake() -> None:
    claims = read(ROOT / "docs")
    counts = {"S1": 5, "S2": 3, "S3": 4, "S4": 8, "S5": 9}
    expected = [f"{source}.{number}" for source, count in counts.items() for number in range(1, count + 1)]
    assert [claim.id for claim in claims.claims] == expected
    assert faults_of(claims) == []
    assert claims.tables.keys() == counts.keys()


def test_every_part_says_why_its_bound() -> None:
    for claim in read(ROOT / "docs").claims:
        assert re.fullmatch(r"[A-Z0-9a-z].+\.", claim.says)
        for part in claim.parts:
            assert bool(part.why) != bool(part.not_measured)
            assert part.name or len(claim.parts) == 1


def test_the_claims_that_their_sources_own_figures_contradict() -> None:
    contradicted = {
        asked.id
        for claim in read(ROOT / "docs").claims
        for asked in questions(claim, SCENARIOS)[0]
        if asked.question and asked.question.is_contradicted
    }
    assert contradicted == {"S2.2a", "S5.2b", "S5.4a"}


def test_every_table_of_a_source_names_what_there_is() -> None:
    for tables in read(ROOT / "docs").tables.values():
        for cell in (cell for table in tables for row in table.row for cell in row.cells if cell.scenario):
            scenario = SCENARIOS[cell.scenario]
            assert scenario.runners[cell.runner].takes_part(scenario.cases[cell.case])
            assert not cell.metric or cell.metric in {metric.name for metric in scenario.metrics}
        for table in tables:
            assert {len(row.cells) for row in table.row} == {len(table.columns)}


def test_parts_have_what_stands_above_them(tmp_path: Path) -> None:
    claims = claims_of(tmp_path, GOOD)
    assert [claim.id for claim in claims.claims] == ["S1.1", "S1.2"]
    assert [part.candidate for part in claims.claims[0].parts] == ["process_pool", "process_pool"]
    asked, faults = questions(claims.claims[0], SCENARIOS)
    assert faults == []
    assert [one.id for one in asked] == ["S1.1a", "S1.1b"]
    assert asked[1].question is not None
    assert [*asked[1].question.expected] == pytest.approx([1.1 / 4.2 / 1.25, 1.1 / 4.2 * 1.25])


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('candidate = "process_pool"', 'candidate = "proces_pool"', "'proces_pool'"),
        ('scenario = "primes"', 'scenario = "prime"', "'prime'"),
        ('case = "published"', 'case = "publisht"', "'publisht'"),
        ('baseline = "sync_loop"', 'baseline = "published, with a timer/sync_loop"', "takes no part in case"),
        ('baseline = "sync_loop"', 'baseline = "published, with a timer/asyncio_naive"', "not measured in one block"),
        ("ratio_below = 1 ", "ratio_below = -1 ", "no possible bound"),
        ("ratio_below = 1 ", "ratio_below = 0 ", "no possible bound"),
        ("ratio_below = 1 ", "ratio_within = 1.5 ", "no possible bound"),
        ("ratio_below = 1 ", "ratio_within = 0 ", "only a count can be met exactly"),
        ("ratio_below = 1 ", "ratio_below = nan ", "no possible bound"),
        ("ratio_below = 1 ", 'ratio_below = "1" ', "Expected `float | null`, got `str`"),
        ("ratio_below = 1 ", "ratio_blow = 1 ", "unknown field `ratio_blow`"),
        ("ratio_below = 1 ", "ratio_below = 1, ratio_above = 2 ", "ratio_below and ratio_above"),
        ("ratio_below = 1 ", 'value_at_most = "1 s" ', "value_at_most takes no baseline"),
        ("ratio_below = 1 ", "never_falls = 0.1 ", "two or more `cases`"),
        ("ratio_near_printed = 1.25", "ratio_near_printed = 0.5", "it must be above 1"),
        ('printed = { candidate = "1.1 s", ', 'printed = { candidate = "1.1 apples", ', "'1.1 apples' is no amount"),
        ('why = "faster means below 1"', 'why = ""', "says nothing of why"),
        ("expect = { ratio_below = 1 }\n", "", "expects nothing"),
    ],
)
def test_a_mistake_is_told_with_its_line_and_costs_no_other_claim(
    tmp_path: Path, old: str, new: str, message: str
) -> None:
    text = GOOD.replace(old, new, 1)
    claims = claims_of(tmp_path, text)
    faults = faults_of(claims)
    assert message in faults[0].message
    assert faults[0].claim == "S1.1"
    assert faults[0].place.startswith("docs/claims/S1.toml:")
    if new.strip() in text and new.strip():
        assert int(faults[0].place.rpartition(":")[2]) in {
            line_with(text, new.strip()),
            *([line_with(text, old)] if old in text else []),
            line_with(text, "[[S1.1.part]]"),
            line_with(text, "expect = "),
        }
    (other,) = [claim for claim in claims.claims if claim.id == "S1.2"]
    assert questions(other, SCENARIOS)[1] == []


def test_an_unknown_metric_is_told_with_those_there_are(tmp_path: Path) -> None:
    (fault,) = faults_of(claims_of(tmp_path, GOOD.replace("timer_worst_delay_ns", "timer_delay")))
    assert fault.claim == "S1.2"
    assert fault.place.endswith(f":{line_with(GOOD, 'metric =')}")
    assert "timer_worst_delay_ns" in fault.message


def test_an_id_that_is_there_twice_is_told_and_the_first_is_kept(tmp_path: Path) -> None:
    text = GOOD + '\n[S1.1]\nsays = "again"\nnot_measured = "twice"\n'
    claims = claims_of(tmp_path, text)
    (fault,) = claims.faults
    assert str(fault) == "docs/claims/S1.toml:29: S1.1: is there twice; the first is in line 2 of docs/claims/S1.toml"
    assert claims.claims[0].says == "a pool is faster"


def test_broken_toml_is_told_with_its_line_and_the_other_claims_are_read(tmp_path: Path) -> None:
    text = GOOD.replace('says = "a pool is faster"', "says = a pool is faster")
    claims = claims_of(tmp_path, text)
    (fault,) = claims.faults
    assert fault.place == "docs/claims/S1.toml:3"
    assert [claim.id for claim in claims.claims] == ["S1.2"]


def test_a_claim_that_says_nothing_is_told(tmp_path: Path) -> None:
    (fault,) = claims_of(tmp_path, GOOD.replace('says = "a timer waits"\n', "")).faults
    assert fault.claim == "S1.2"


def test_a_faulty_claim_is_never_measured_and_says_why(tmp_path: Path) -> None:
    claims = claims_of(tmp_path, GOOD.replace('candidate = "process_pool"', 'candidate = "pool"'))
    asked, _ = questions(claims.claims[0], SCENARIOS)
    assert [one.question for one in asked] == [None, None]
    assert asked[0].reason.startswith("the claim's table has a mistake: ")
