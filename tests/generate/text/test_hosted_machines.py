"""Whose a machine is: one's own, the workflow's, or somebody's who contributed."""

from __future__ import annotations

from generate.text.hosted_machines import known, ownership_note, rank


def test_a_machine_of_the_workflow_bears_its_name_alone() -> None:
    for machine in known().machine:
        assert ownership_note(machine.label, local=False) == ""
        assert ownership_note(machine.label, local=True) == " (this machine)"


def test_another_machine_was_contributed() -> None:
    assert ownership_note("linux-x86_64-2-core", local=False) == " (contributed)"


def test_machines_stand_in_the_order_of_the_workflow_and_others_after_them() -> None:
    labels = [machine.label for machine in known().machine]
    assert [rank(label) for label in [*labels, "another"]] == list(range(len(labels) + 1))
