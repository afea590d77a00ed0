"""What a user can put right. Each is shown as one line, with exit status 2."""

from __future__ import annotations

import difflib
import sys
from typing import TYPE_CHECKING, NoReturn

import click

if TYPE_CHECKING:
    from collections.abc import Iterable


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
        try:
            return super().invoke(context)
        except UserError as error:
            fail(str(error))


def fail(message: str) -> NoReturn:
    """End with *message* and exit status 2."""
    click.echo(f"error: {message}", err=True)
    sys.exit(2)


def moved(old: str, new: str) -> click.Command:
    """Return a command that stands where *old* was: it prints the *new* one and ends with status 2."""

    @click.command(old, hidden=True, context_settings={"ignore_unknown_options": True, "help_option_names": []})
    @click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
    def command(arguments: tuple[str, ...]) -> None:
        """Print the new command."""
        fail(f"this command is now: {' '.join([new, *arguments])}")

    return command
