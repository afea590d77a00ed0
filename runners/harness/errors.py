"""What a user can put right. Each is shown as one line, with exit status 2."""

from __future__ import annotations

import difflib
import importlib
import sys
from typing import TYPE_CHECKING, Any, NoReturn

import click

from runners.harness.output import print_every_letter

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


EXIT_INCOMPLETE = 4
"""Exit status of a run that could not measure everything, or of which the sanity gate rejected something."""


class UserError(Exception):
    """Something asked for can't be done; the message says what and how to mend it."""


class CatalogueError(UserError):
    """A scenario's file is not what it must be."""


class UnknownNameError(UserError):
    """A name that nothing has."""

    def __init__(self, what: str, name: str, existing: Iterable[str]) -> None:
        """Name the thing, the nearest that exists, and all that exist."""
        names = list(existing)
        near = difflib.get_close_matches(name, names, n=1)
        hint = f" (did you mean {near[0]}?)" if near else ""
        super().__init__(f"no {what} is called {name!r}{hint}; there are: {', '.join(names)}")


class Commands(click.Group):
    """A group of commands that reports what a user can put right as one line, with exit status 2."""

    def invoke(self, context: click.Context) -> object:
        """Run a command."""
        print_every_letter()
        try:
            return super().invoke(context)
        except UserError as error:
            fail(str(error))


class LazyCommands(Commands):
    """Such a group that imports a command's module when it is called: not every place has what each of them needs."""

    def __init__(self, *, where: Mapping[str, str], **attributes: Any) -> None:  # noqa: ANN401 - what a group takes
        """Know *where* each command is, as module:name."""
        super().__init__(**attributes)
        self.where = where

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Name the commands."""
        return [*self.where, *super().list_commands(ctx)]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return a command; None where there is none of that name. One whose packages are not there says so."""
        if cmd_name not in self.where:
            return super().get_command(ctx, cmd_name)
        module, _, name = self.where[cmd_name].partition(":")
        try:
            command: click.Command = getattr(importlib.import_module(module), name)
        except ModuleNotFoundError as error:
            needs = f"needs {error.name}, which is not installed: install requirements/site.txt"
            takes_all = {"ignore_unknown_options": True, "allow_extra_args": True}
            return click.Command(cmd_name, takes_all, lambda **_: fail(f"{cmd_name} {needs}"), short_help=needs)
        return command


def fail(message: str) -> NoReturn:
    """End with *message* and exit status 2."""
    click.echo(f"error: {message}", err=True)
    sys.exit(2)
