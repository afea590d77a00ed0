"""Whether two runs of a scenario that fits its work to the machine gave tasks the same to do. Pure.

How many turns of a loop take a millisecond is found once a run. Runs are compared only where they did nearly as many:
otherwise the same name stands for different work.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

MOST_APART = 0.01
"""Share by which calibrations of two runs may differ. Those of like machines are the same, rounded to steps."""


def difference(first: Mapping[str, int], second: Mapping[str, int]) -> str:
    """Say what differs in what two runs found, by name: "turns per ms 15,849 and 16,788"; empty where nothing does."""
    names = [name for name in sorted({*first, *second}) if not _is_alike(first.get(name), second.get(name))]
    return ", ".join(f"{name.replace('_', ' ')} {_words(first, name)} and {_words(second, name)}" for name in names)


def _is_alike(first: int | None, second: int | None) -> bool:
    if first is None or second is None:
        return False
    return max(first, second) <= (1 + MOST_APART) * min(first, second)


def _words(found: Mapping[str, int], name: str) -> str:
    return f"{found[name]:,}" if name in found else "none"
