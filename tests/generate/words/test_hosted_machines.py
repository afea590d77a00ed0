"""Whose a machine is: one's own, the workflow's, or somebody's who contributed."""

from __future__ import annotations

from generate.words.hosted_machines import known, own_note, ownership_note


def test_a_machine_of_the_workflow_bears_its_name_alone_and_another_was_contributed() -> None:
    notes = {machine.label: ownership_note(machine.label, local=False) for machine in known().machine}
    assert {*notes.values()} == {""}
    assert ownership_note("linux-x86_64-2-core", local=False) == " (contributed)"


def test_one_s_own_machine_is_called_the_same_behind_a_name_and_in_a_box() -> None:
    assert own_note(local=True) == ownership_note("linux-x86_64-2-core", local=True) == " (this machine)"
    assert own_note(local=False) == ""
