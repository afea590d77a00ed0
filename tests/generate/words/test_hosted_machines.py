"""Whose a machine is: one's own, the workflow's, or somebody's who contributed."""

from __future__ import annotations

from generate.words.hosted_machines import format_own_note, format_ownership, hosted_matrix


def test_a_machine_of_the_workflow_bears_its_name_alone_and_another_was_contributed() -> None:
    notes = {machine.label: format_ownership(machine.label, local=False) for machine in hosted_matrix().machine}
    assert {*notes.values()} == {""}
    assert format_ownership("linux-x86_64-2-core", local=False) == " (contributed)"


def test_one_s_own_machine_is_called_the_same_behind_a_name_and_in_a_box() -> None:
    assert format_own_note(local=True) == format_ownership("linux-x86_64-2-core", local=True) == " (this machine)"
    assert format_own_note(local=False) == ""
