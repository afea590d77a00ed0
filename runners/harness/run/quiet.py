"""Waits for a busy machine to calm down. Our side."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import click

from runners.harness.builds import host

if TYPE_CHECKING:
    from collections.abc import Callable

LONGEST_WAIT_S = 60.0
"""On an idle machine a one-minute load average falls by two thirds in this time: that of a run before it, too."""
CHECK_EVERY_S = 5.0


def _tell(line: str) -> None:
    click.echo(line, err=True)


def wait_until_quiet(
    tell: Callable[[str], object] = _tell,
    now: Callable[[], float] = time.monotonic,
    sleep: Callable[[float], object] = time.sleep,
) -> None:
    """Return once the load is at most half the cores, or after a minute. Says so if that takes time."""
    cores = host.usable_cores()
    deadline_s = now() + LONGEST_WAIT_S
    is_told = False
    while (load := host.load_average()) is not None and load > cores / 2:
        words = f"the load is {load:.1f} on {host.format_cores(cores)}"
        if now() >= deadline_s:
            effect = "so this run will decide nothing" if load > cores else "so its ranges may be wide"
            tell(f"still busy: {words}, {effect}; measuring all the same")
            return
        if not is_told:
            tell(f"busy: {words}; waiting up to a minute for it to fall")
            is_told = True
        sleep(CHECK_EVERY_S)
