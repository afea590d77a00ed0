"""The commands that measure something again: on one's own machine, and on hosted ones. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


def local(scenario: str, runners: Iterable[str] = ()) -> str:
    """Return the command for one's own machine; without *runners*, all of the scenario's."""
    chosen = "".join(f" --runner {runner}" for runner in runners)
    return f"python -m runners run --scenario {scenario}{chosen} --profile full"


def hosted(scenario: str) -> str:
    """Return the command that starts a run on GitHub Actions, in a fork."""
    return f"gh workflow run measure.yml -f profile=full -f scenarios={scenario} -f machines=all -f pythons=all"
