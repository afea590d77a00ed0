"""Waits for a busy machine to calm down."""

import time

import click

from runners.harness.builds import host

CHECKS = 12
CHECK_EVERY_S = 5.0
"""A minute in all: long enough for the one-minute load average of an earlier run to fall by two thirds."""


def wait_until_quiet() -> None:
    """Wait, for up to a minute, until the load is at most half the cores."""
    cores = host.usable_cores()
    for check in range(CHECKS + 1):
        if (load := host.load_average() or 0.0) <= cores / 2:
            return
        description = f"the load is {load:.1f} on {host.format_cores(cores)}"
        if check == 0:
            click.echo(f"busy: {description}; waiting up to a minute for it to fall", err=True)
        if check < CHECKS:
            time.sleep(CHECK_EVERY_S)
    effect = "this run will decide nothing" if load > cores else "its ranges may be wide"
    click.echo(f"still busy: {description}, so {effect}; measuring anyway", err=True)
