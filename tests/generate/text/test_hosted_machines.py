"""Whose a machine is: one's own, the workflow's, or somebody's who contributed."""

from __future__ import annotations

from generate.text.hosted_machines import known, ownership_note


def test_a_machine_of_the_workflow_bears_its_name_alone_and_another_was_contributed() -> None:
    notes = {machine.label: ownership_note(machine.label, local=False) for machine in known().machine}
    assert {*notes.values()} == {""}
    assert ownership_note("linux-x86_64-2-core", local=False) == " (contributed)"
