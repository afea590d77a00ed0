"""Shows a run's progress: samples done, elapsed time, time left, and what is being measured."""

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

REST_OF_LINE = Column(no_wrap=True, overflow="ellipsis", ratio=1)
LINE_EVERY_S = 20.0
"""How often a line is printed if there is no terminal."""


class Display:
    """A progress bar on a terminal, a line now and then elsewhere. It draws between samples, never during one."""

    def __init__(
        self,
        builds: Sequence[Prepared],
        steps: Sequence[Step],
        console: Console | None = None,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._builds = builds
        self._steps = steps
        self._console = console or Console(stderr=True)
        self._now = now
        self._spent: dict[Entry, list[float]] = defaultdict(list)
        self._started = self._began = self._last_line = now()
        self._bar = rich.Progress(
            rich.BarColumn(bar_width=12), rich.MofNCompleteColumn(), rich.TextColumn("{task.fields[times]}"),
            rich.TextColumn("{task.description}", markup=False, table_column=REST_OF_LINE),
            console=self._console, auto_refresh=False, transient=True, expand=True,
        )  # fmt: skip
        self._task = self._bar.add_task("", total=len(steps), times="")
        self._shown: set[tuple[str, str]] = set()
        """Series and statuses that have had their line."""

    def __enter__(self) -> Self:
        if self._console.is_terminal:
            self._bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._console.is_terminal:
            self._bar.stop()

    def begin(self, step: Step, done: int) -> None:
        """Show the sample that begins, after *done* others."""
        elapsed_s = self._now() - self._started
        times = f"{clock(elapsed_s)} elapsed, {self.time_left(done)}"
        if self._console.is_terminal:
            name = f"{step.entry.runner_label}: {step.entry.case_label(self._builds[step.entry.build].name)}"
            self._bar.update(self._task, completed=done, description=name, times=times, refresh=True)
        elif self._now() - self._last_line >= LINE_EVERY_S:
            self._last_line = self._now()
            self._print(f"{done} of {len(self._steps)} samples, {times}: round {step.round}: {self._label(step.entry)}")
        self._began = self._now()

    def end(self, step: Step, result: SampleResult) -> None:
        """Note how long the sample took, and print the first failure of each kind in a series."""
        self._spent[step.entry].append(self._now() - self._began)
        failure = self._label(step.entry), result.status
        if result.status != "ok" and failure not in self._shown:
            self._shown.add(failure)
            self._print(f"{': '.join(failure)}: {result.reason}", style="yellow")

    def _print(self, line: str, style: str | None = None) -> None:
        self._console.print(line, style=style, highlight=False, markup=False, soft_wrap=True)

    def time_left(self, done: int) -> str:
        """Estimate the time left from each series' mean so far, and the mean of these for others."""
        if not self._spent:
            return "…"
        means = {entry: sum(spent) / len(spent) for entry, spent in self._spent.items()}
        typical = sum(means.values()) / len(means)
        left_s = sum(means.get(step.entry, typical) for step in self._steps[done:])
        return f"{left_s / 60:.0f} min left" if left_s >= 90 else f"{left_s:.0f} s left"  # noqa: PLR2004 - a minute and a half

    def _label(self, entry: Entry) -> str:
        return entry.label(self._builds[entry.build].name)


def clock(seconds: float) -> str:
    """Format a time as 0:07, 12:34 or 1:02:03."""
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
