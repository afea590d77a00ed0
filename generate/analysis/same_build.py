"""What makes two builds the same one, wherever they run. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from runners.harness.record.model import Build

IDENTITY = (
    *("implementation", "version", "free_threaded", "jit", "compiler", "flags"),
    *("variant", "variables", "options"),
)
"""The fields of a build that must be alike. assets/comparison.js has the same."""


def identity(build: Build) -> tuple[object, ...]:
    """Return what two builds must have alike to be the same one."""
    return tuple(getattr(build, name) for name in IDENTITY)


def is_same(one: Mapping[str, object], other: Mapping[str, object]) -> bool:
    """Say whether two builds are the same one, as JSON has them: a field that is false is not one that is not known."""
    return all(one.get(name) == other.get(name) for name in IDENTITY)
