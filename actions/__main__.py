"""`python -m actions`: the commands that workflows call."""

import click

from runners.harness.errors import Commands

COMMANDS = {
    "changes": "actions.changes:command",
    "plan": "actions.dispatch:command",
    "measure": "actions.measure_cell:command",
    "collect": "actions.collect:command",  # needs site.txt, the others only measure.txt
    "publish": "actions.publish:command",
}


@click.group(cls=Commands, modules=COMMANDS)
def main() -> None:
    """Plan, measure, collect and publish hosted runs."""


if __name__ == "__main__":
    main(prog_name="python -m actions")
