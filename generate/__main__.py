"""`python -m generate`: from results to the site's sources.

MkDocs does the rest: `mkdocs build -f build/mkdocs.yml`. The commands that read results and make no page (check,
compare, own, show) need only the packages of measuring.
"""

import gc

import click

from runners.harness.errors import Commands


class SiteByDefault(Commands):
    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Put the name of the default command in front of its options."""
        has_command = args and (not args[0].startswith("-") or args[0] in ctx.help_option_names)
        return super().parse_args(ctx, args if has_command else ["site", *args])


@click.group(
    cls=SiteByDefault,
    modules={
        "site": "generate.site.commands:site",
        "dev": "generate.site.dev:dev",
        "verdicts": "generate.site.commands:verdicts",
        "check": "generate.check:command",
        "compare": "generate.compare:command",
        "show": "generate.show:command",
        "own": "generate.own:command",
    },
    context_settings={"show_default": True},
)
def main() -> None:
    """Make the site's sources from the result files, or read them in the terminal."""


if __name__ == "__main__":
    gc.disable()  # records are thousands of lists, all kept, without a cycle: the collector took over half of the time
    main()
