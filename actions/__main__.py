"""`python -m actions`: what the workflows call."""

from __future__ import annotations

import click

from runners.harness.errors import LazyCommands

COMMANDS = {
    "plan": "actions.dispatch:command",
    "measure": "actions.measure_cell:command",
    "collect": "actions.collect:command",  # needs all of site.txt, which the jobs of the others don't have
    "publish": "actions.publish:command",
}


@click.group(cls=LazyCommands, modules=COMMANDS)
def main() -> None:
    """Do what the workflows ask for."""


if __name__ == "__main__":
    main(prog_name="python -m actions")
