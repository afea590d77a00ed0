"""Shows a run as it goes: how many samples of how many, the time so far and the time left, what is measured now."""

from __future__ import annotations

import time
from collections import defaultdict
from typing import TYPE_CHECKING, Self

from rich import progress as rich
from rich.console import Console
from rich.table import Column

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from runners.harness.builds.interpreters import Prepared
    from runners.harness.process.launcher import SampleResult
    from runners.harness.run.plan import Entry, Step

FITTED = Column(no_wrap=True, overflow="ellipsis", ratio=1)
"""Takes the width that the other columns leave, and cuts what does not fit."""
LINE_EVERY_S = 20.0
"""Where there is no terminal, a line this often says that the run goes on."""


class Display:
    """A bar on a terminal, a line now and then elsewhere. It draws only between samples, never beside one."""

    def __init__(
        self,
        builds: Sequence[Prepared],
        steps: Sequence[Step],
        console: Console | None = None,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        """Know what is to come, for the time left."""
        self._builds = builds
        self._steps = steps
        self._console = console or Console(stderr=True)
        self._now = now
        self._spent: dict[Entry, list[float]] = defaultdict(list)
        self._started = self._began = self._last_line = now()
        self._bar = rich.Progress(
            rich.BarColumn(bar_width=12), rich.MofNCompleteColumn(), rich.TextColumn("{task.fields[times]}"),
            rich.TextColumn("{task.description}", markup=False, table_column=FITTED),
            console=self._console, auto_refresh=False, transient=True, expand=True,
        )  # fmt: skip
        self._task = self._bar.add_task("", total=len(steps), times="")
        self._shown: set[tuple[str, str]] = set()
        """What went wrong and has had its line: a series and a status."""

    def __enter__(self) -> Self:
        """Begin to draw."""
        if self._console.is_terminal:
            self._bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        """Leave the terminal as it was."""
        if self._console.is_terminal:
            self._bar.stop()

    def begin(self, step: Step, done: int) -> None:
        """Show what is measured now, once *done* samples are over."""
        elapsed_s = self._now() - self._started
        times = f"{clock(elapsed_s)} elapsed, {self.time_left(done)}"
        if self._console.is_terminal:
            name = f"{step.entry.runner_words}: {step.entry.case_words(self._builds[step.entry.build].name)}"
            self._bar.update(self._task, completed=done, description=name, times=times, refresh=True)
        elif self._now() - self._last_line >= LINE_EVERY_S:
            self._last_line = self._now()
            line = f"{done} of {len(self._steps)} samples, {times}: round {step.round}: {self._name(step.entry)}"
            self._console.print(line, highlight=False, markup=False, soft_wrap=True)
        self._began = self._now()

    def end(self, step: Step, result: SampleResult) -> None:
        """Record how long it took, and show the first time that a series goes wrong in a way."""
        self._spent[step.entry].append(self._now() - self._began)
        name = self._name(step.entry)
        if result.status != "ok" and (name, result.status) not in self._shown:
            self._shown.add((name, result.status))
            line = f"{name}: {result.status}: {result.reason}"
            self._console.print(line, style="yellow", highlight=False, markup=False, soft_wrap=True)

    def time_left(self, done: int) -> str:
        """Estimate from what each series took so far; one not measured yet counts as the mean of the others."""
        if not self._spent:
            return "…"
        means = {entry: sum(spent) / len(spent) for entry, spent in self._spent.items()}
        typical = sum(means.values()) / len(means)
        left_s = sum(means.get(step.entry, typical) for step in self._steps[done:])
        return f"{left_s / 60:.0f} min left" if left_s >= 90 else f"{left_s:.0f} s left"  # noqa: PLR2004 - a minute and a half

    def _name(self, entry: Entry) -> str:
        return entry.words(self._builds[entry.build].name)


def clock(seconds: float) -> str:
    """Write a time as a clock does: 0:07, 12:34, 1:02:03."""
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
