"""The machines and Pythons of the workflow, as runners/harness/matrix.toml names them. Read once."""

from __future__ import annotations

import functools

from runners.harness import matrix

hosted_matrix = functools.cache(matrix.read)
"""Returns what the workflow may measure."""


@functools.cache
def rank(label: str) -> int:
    """Return the place of a machine among those of the workflow; others come after them."""
    labels = [machine.label for machine in hosted_matrix().machine]
    return labels.index(label) if label in labels else len(labels)


def format_own_note(local: bool) -> str:  # noqa: FBT001 - a filter of the templates
    """Say that a machine is the reader's own, where boxes to choose from have no room for whose the others are."""
    return " (this machine)" if local else ""


def format_ownership(label: str, local: bool) -> str:  # noqa: FBT001 - a filter of the templates
    """Say whose machine *label* is, to be put behind its name; nothing where it is one of the workflow's."""
    return format_own_note(local) or ("" if rank(label) < len(hosted_matrix().machine) else " (contributed)")
