"""Errors that users can fix. Each is shown as one line, with exit status 2."""

import difflib
import importlib
import io
import sys
from collections.abc import Iterable, Mapping
from typing import Any, NoReturn

import click

EXIT_INCOMPLETE = 4
"""Exit status of a run if something could not be measured, or the sanity gate rejected a sample."""


class UserError(Exception):
    """A request can't be fulfilled. The message gives the reason and the remedy."""


class UnknownNameError(UserError):
    """A name that doesn't exist; the message suggests the nearest one and lists them all."""

    def __init__(self, kind: str, name: str, existing: Iterable[str]) -> None:
        names = list(existing)
        near = difflib.get_close_matches(name, names, n=1)
        hint = f" (did you mean {near[0]}?)" if near else ""
        super().__init__(f"no {kind} is called {name!r}{hint}; choose from: {', '.join(names)}")


class Commands(click.Group):
    """A command group that reports a UserError as one line, with exit status 2.

    It imports the *modules* of commands only when they are called, since not every environment has every package.
    """

    def __init__(self, *, modules: Mapping[str, str] | None = None, **attributes: Any) -> None:  # noqa: ANN401 - any option of a group
        super().__init__(**attributes)
        self.modules = modules or {}
        """The function of each command, as module:name."""

    def invoke(self, context: click.Context) -> object:
        if isinstance(sys.stdout, io.TextIOWrapper):  # on Windows a file or pipe has the language's encoding
            sys.stdout.reconfigure(errors="replace")
        try:
            return super().invoke(context)
        except UserError as error:
            fail(str(error))

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [*self.modules, *super().list_commands(ctx)]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return a command, or one that names the package that it lacks."""
        if cmd_name not in self.modules:
            return super().get_command(ctx, cmd_name)
        module, _, name = self.modules[cmd_name].partition(":")
        try:
            command: click.Command = getattr(importlib.import_module(module), name)
        except ModuleNotFoundError as error:
            needs = f"needs {error.name}, which is not installed: install requirements/site.txt"
            any_arguments = {"ignore_unknown_options": True, "allow_extra_args": True}
            return click.Command(cmd_name, any_arguments, lambda **_: fail(f"{cmd_name} {needs}"), short_help=needs)
        return command


def fail(message: str) -> NoReturn:
    """Exit with *message* and status 2."""
    click.echo(f"error: {message}", err=True)
    sys.exit(2)
