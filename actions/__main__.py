"""`python -m actions`: what the workflows call."""

from __future__ import annotations

import importlib

import click

from runners.harness.errors import Commands

MODULES = {"plan": "dispatch", "measure": "measure_cell", "collect": "collect", "publish": "publish"}
"""By command, the module that has it as `command`."""


class LazyGroup(Commands):
    """Imports a command's module when it is called: `collect` needs numpy, which jobs of the others don't have."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        """Name the commands."""
        return [*MODULES]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 - likewise
        """Return a command; None where there is none of that name."""
        module = importlib.import_module(f"actions.{MODULES[cmd_name]}") if cmd_name in MODULES else None
        return getattr(module, "command", None)


@click.group(cls=LazyGroup)
def main() -> None:
    """Do what the workflows ask for."""


if __name__ == "__main__":
    main(prog_name="python -m actions")
