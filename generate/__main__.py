"""`python -m generate`: from results to the site's sources.

MkDocs does the rest: `mkdocs build -f build/mkdocs.yml`. The commands that read results and make no page (check,
compare, show) need only the packages of measuring.
"""

from __future__ import annotations

import gc
from typing import TYPE_CHECKING

import click
from click.core import ParameterSource

from generate.options import DOCS, OUT, RESULTS, SITE_URL
from runners.harness.errors import LazyCommands, UserError

if TYPE_CHECKING:
    from pathlib import Path

COMMANDS = {
    "site": "generate.site.commands:site",
    "dev": "generate.site.dev:dev",
    "verdicts": "generate.site.commands:verdicts",
    "check": "generate.check:command",
    "compare": "generate.compare:command",
    "show": "generate.show:command",
}


@click.group(cls=LazyCommands, modules=COMMANDS, invoke_without_command=True, context_settings={"show_default": True})
@RESULTS
@OUT
@DOCS
@SITE_URL
@click.pass_context
def main(context: click.Context, /, **options: Path | str) -> None:
    """Make the sources of the site from the result files: its pages, and what can be downloaded.

    Unusable result files are reported and left out; the exit status is then 3. Mistakes in the claims are treated
    likewise; the exit status is then 2.
    """
    given = [name for name in options if context.get_parameter_source(name) is ParameterSource.COMMANDLINE]
    if context.invoked_subcommand is not None and given:
        flags = ", ".join(f"--{name.replace('_', '-')}" for name in given)
        msg = f"{flags} must come after {context.invoked_subcommand}, which ignores it before"
        raise UserError(msg)
    site = main.get_command(context, "site") if context.invoked_subcommand is None else None
    if site is not None:
        context.invoke(site, **options)


if __name__ == "__main__":
    gc.disable()  # records are thousands of lists, all kept, without a cycle: the collector took over half of the time
    main()
