"""The screen and tables of `show` and `compare`, and their closing remark on runs that decide nothing."""

from collections.abc import Iterable, Sequence

from rich.box import MARKDOWN
from rich.console import Console
from rich.table import Table
from rich.text import Text

from generate.comparison import Side
from generate.data.checked import CheckedRecord
from generate.words import patterns
from generate.words.log_lines import log_line
from generate.words.numbers import count_noun

PIPE_WIDTH = 200
"""Width in a file or a pipe, which has none of its own."""


class MarkdownScreen(Console):
    """A page without an end on its right, whose tables are Markdown."""

    def __init__(self) -> None:
        super().__init__(highlight=False, width=100_000, no_color=True)


def make_screen() -> Console:
    """Return the terminal, or a wide page for a file or a pipe."""
    screen = Console(highlight=False)
    return screen if screen.is_terminal else Console(highlight=False, width=PIPE_WIDTH)


def print_lines(screen: Console, lines: Iterable[str], style: str = "") -> None:
    """Print text literally: names in files may come from anybody."""
    for line in lines:
        indent = line[: len(line) - len(line.lstrip(" "))]
        text = indent + log_line(line)
        is_heading = bool(style and text) and isinstance(screen, MarkdownScreen)
        screen.print(Text(f"**{text}**\n" if is_heading else text, style=style))


def print_table(
    screen: Console, heads: Sequence[str], rows: Iterable[Sequence[str]], numbers: Sequence[str], gap: int = 2
) -> None:
    """Print a table of plain text. The first column and the *numbers* never wrap."""
    is_markdown = isinstance(screen, MarkdownScreen)
    table = Table(box=MARKDOWN if is_markdown else None, padding=(0, gap, 0, 0), header_style="dim")
    for place, head in enumerate(heads):
        table.add_column(head, justify="right" if head in numbers else "left", no_wrap=place == 0 or head in numbers)
    for row in rows:
        texts = map(log_line, row)
        table.add_row(*(Text(text.replace("|", "\\|") if is_markdown else text) for text in texts))
    screen.print(table)
    if is_markdown:
        screen.print()


def describe_runs(side: Side) -> str:
    runs = {run.run: run.file.record for result in side.values() for run in result.runs}
    build, newest = next(iter(side.values())).build, max(runs.values(), key=lambda record: record.run.started)
    rounds = count_noun(newest.run.rounds, "round")
    return patterns.TERMINAL_RUNS.format(
        build=build,
        runs=count_noun(len(runs), "run"),
        profile=newest.run.profile,
        rounds=rounds if newest.complete else patterns.ROUNDS_CUT_OFF.format(rounds=rounds),
        machine=newest.machine.label,
        day=newest.run.started[:10],
    )


def remarks(*sides: Iterable[CheckedRecord]) -> list[str]:
    """Return the runs that decide nothing, with reasons; empty if all count. Either of two *sides* can rule out all."""
    by_side = [dict.fromkeys((record.run, record.why_excluded) for record in side) for side in sides]
    excluded = [*dict.fromkeys((run, why) for side in by_side for run, why in side if why)]
    if excluded and any(side and all(why for _, why in side) for side in by_side):
        return ["", patterns.NOTHING_DECIDED.format(", ".join(dict.fromkeys(why for _, why in excluded)))]
    lines = [patterns.RUN_LEFT_OUT.format(run=run, reason=why) for run, why in excluded]
    return ["", *lines] if lines else []
