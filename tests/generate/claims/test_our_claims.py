"""The claims of docs/claims: that each is judged by a set-up that can answer it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from generate.claims import read
from generate.claims.hypotheses import hypotheses
from runners.harness.catalogue import scenarios as catalogue

if TYPE_CHECKING:
    from generate.claims.hypotheses import ClaimPart

SCENARIOS = catalogue.find()
PARTS: dict[str, ClaimPart] = {
    part.id: part for claim in read.read(catalogue.ROOT / "docs").claims for part in hypotheses(claim, SCENARIOS)[0]
}


def test_quick_case_is_one_that_quick_runs_have() -> None:
    small = [part for part in PARTS.values() if part.quick]
    assert {part.claim.id for part in small} == {"S2.1", "S2.2", "S2.3"}
    for part in small:
        assert part.quick is not None
        for key in part.quick.series:
            assert part.quick.scenario.cases[key.case].quick
            assert not part.quick.scenario.cases[key.case].full


def test_rules_of_the_map_depend_on_our_grid_and_on_the_gil() -> None:
    rules = [part for part in PARTS.values() if part.written.rule]
    assert rules
    assert all(part.written.depends_on and part.written.needs.gil for part in rules)


def test_parts_that_do_not_apply_have_a_reason() -> None:
    reasons = [part.reason for part in PARTS.values() if part.written.not_applicable]
    assert reasons
    assert all(len(reason.split()) > 10 for reason in reasons)
