"""Names a build, the same in file names, on pages and in tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from runners.harness.record import Build


def build_name(build: Build) -> str:
    """Name a build: cpython-3.13.0; cpython-3.14.0t is free-threaded.

    What makes another build of the same version is in the name: -gil is free-threaded with the GIL on from the start,
    -jit has its just-in-time compiler on.
    """
    kinds = "-gil" * (build.free_threaded and build.gil_at_start) + "-jit" * bool(build.jit)
    return f"{build.implementation.lower()}-{build.version}{'t' * build.free_threaded}{kinds}"
