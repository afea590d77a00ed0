"""Waits for a busy machine to calm down."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import click

from runners.harness.builds import host

if TYPE_CHECKING:
    from collections.abc import Callable

LONGEST_WAIT_S = 60.0
"""Long enough for the one-minute load average of an earlier run to fall by two thirds."""
CHECK_EVERY_S = 5.0


def wait_until_quiet(now: Callable[[], float] = time.monotonic, sleep: Callable[[float], object] = time.sleep) -> None:
    """Wait, for up to a minute, until the load is at most half the cores."""
    cores = host.usable_cores()
    deadline_s = now() + LONGEST_WAIT_S
    is_announced = False
    while (load := host.load_average()) is not None and load > cores / 2:
        description = f"the load is {load:.1f} on {host.format_cores(cores)}"
        if now() >= deadline_s:
            effect = "this run will decide nothing" if load > cores else "its ranges may be wide"
            click.echo(f"still busy: {description}, so {effect}; measuring anyway", err=True)
            return
        if not is_announced:
            click.echo(f"busy: {description}; waiting up to a minute for it to fall", err=True)
            is_announced = True
        sleep(CHECK_EVERY_S)
