"""What makes two builds the same one, wherever they run. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from runners.harness.record.model import Build

IDENTITY = (
    *("implementation", "version", "free_threaded", "jit", "compiler", "flags"),
    *("variant", "variables", "options"),
)
"""The fields of a build that must be alike."""


def identity(build: Build) -> tuple[object, ...]:
    """Return what two builds must have alike to be the same one."""
    return tuple(getattr(build, name) for name in IDENTITY)
