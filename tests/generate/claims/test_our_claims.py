"""The claims of docs/claims: that each is judged by a set-up that can answer it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from generate.claims import read
from generate.claims.hypotheses import hypotheses
from runners.harness.catalogue import scenarios as catalogue

if TYPE_CHECKING:
    from generate.claims.hypotheses import ClaimPart

SCENARIOS = catalogue.find()
MANY = "1,000 jobs, fixed latencies"
PARTS: dict[str, ClaimPart] = {
    part.id: part for claim in read.read(catalogue.ROOT / "docs").claims for part in hypotheses(claim, SCENARIOS)[0]
}


def judged_on(part: str) -> list[tuple[str, str]]:
    """Return the (case, runner) of each series that decides *part*; none where it is not measured."""
    hypothesis = PARTS[part].hypothesis
    return [(key.case, key.runner) for key in hypothesis.series] if hypothesis else []


def test_source_s_own_tornado_server_is_asked_too() -> None:
    assert judged_on("S2.2c") == [("tenth", "tornado_blocking")]
    assert all("our server" in PARTS[part].name for part in ("S2.2a", "S2.2b"))
    hypothesis = PARTS["S2.2c"].hypothesis
    assert hypothesis is not None
    assert hypothesis.expected.holds(12 / 0.028)
    assert not hypothesis.expected.holds(1 / 0.028)


def test_trees_are_judged_at_the_published_depth() -> None:
    trees = [case for part in PARTS.values() if part.claim.source == "S3" for case, _ in judged_on(part.id)]
    assert {SCENARIOS["gather_tree"].cases[case].parameters["depth"] for case in trees} == {6}
    assert judged_on("S3.2e") == [("published, io", "gather_after_eager"), ("published, io", "gather_before_eager")]
    assert [case for case, _ in judged_on("S3.3b")] == ["published, io"] * 2


def test_size_is_judged_where_there_is_room_for_it() -> None:
    cases = SCENARIOS["download"].cases
    for part in ("S5.2b", "S5.6b"):
        assert judged_on(part) == []
        assert PARTS[part].written.not_applicable
    assert judged_on("S5.6e") == [(MANY, "asyncio_aiohttp"), (MANY, "threads")]
    assert judged_on("S5.5c") == [(MANY, "greenlets"), (MANY, "threads")]
    assert cases[MANY].parameters["tasks"] == 1000


def test_processes_are_compared_without_tls_too() -> None:
    fixed = "published, fixed latencies"
    for part in ("S5.4c", "S5.4d"):
        assert PARTS[part].written.ours
        assert judged_on(part) == [(fixed, "processes_plain_opener"), (fixed, "threads_plain_opener")]


def test_quick_case_is_one_that_quick_runs_have() -> None:
    small = [part for part in PARTS.values() if part.quick]
    assert {part.claim.id for part in small} == {"S2.1", "S2.2", "S2.3"}
    for part in small:
        assert part.quick is not None
        for key in part.quick.series:
            assert part.quick.scenario.cases[key.case].quick
            assert not part.quick.scenario.cases[key.case].full


def test_only_these_parts_do_not_apply_and_each_has_a_reason() -> None:
    withdrawn = {name: part.reason for name, part in PARTS.items() if part.written.not_applicable}
    earlier = {"S5.2b", "S5.6b", "W10.1b", "W13.1d"}
    assert {*withdrawn} - earlier == {"W1.1b", "W1.1c", "W8.1b", "W10.1a", "W11.1b", "W11.1d", "W15.1a", "W19.1"}
    assert all(len(reason.split()) > 10 for reason in withdrawn.values())


def test_rules_of_the_map_depend_on_our_grid_and_on_the_gil() -> None:
    rules = [part for part in PARTS.values() if part.written.rule]
    assert rules
    assert all(part.written.depends_on and part.written.needs.gil for part in rules)
