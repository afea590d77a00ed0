"""Shows a run as it goes: what is measured now, how many samples of how many, the time left. Our side."""

from __future__ import annotations

import time
from collections import defaultdict
from typing import TYPE_CHECKING, Self

from rich import progress as rich
from rich.console import Console

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from runners.harness.builds.interpreters import Prepared
    from runners.harness.process.launcher import SampleResult
    from runners.harness.run.plan import Entry, Step

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
        self._began = self._last_line = now()
        self._bar = rich.Progress(
            rich.TextColumn("{task.fields[left]:>12}"), rich.MofNCompleteColumn(), rich.BarColumn(bar_width=20),
            rich.TextColumn("{task.description}", markup=False),
            console=self._console, auto_refresh=False, transient=True,
        )  # fmt: skip
        self._task = self._bar.add_task("", total=len(steps), left="")
        self.faults: dict[tuple[str, str], str] = {}
        """By series and status, the first reason of what went wrong."""

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
        left = self.time_left(done)
        words = f"round {step.round}: {self._name(step.entry)}"
        self._bar.update(self._task, completed=done, description=words, left=left, refresh=self._console.is_terminal)
        if not self._console.is_terminal and self._now() - self._last_line >= LINE_EVERY_S:
            self._last_line = self._now()
            line = f"{done} of {len(self._steps)} samples, {left}: {words}"
            self._console.print(line, highlight=False, markup=False, soft_wrap=True)
        self._began = self._now()

    def end(self, step: Step, result: SampleResult) -> None:
        """Record how long it took, and what went wrong."""
        self._spent[step.entry].append(self._now() - self._began)
        if result.status != "ok":
            name = self._name(step.entry)
            if (name, result.status) not in self.faults:
                line = f"{name}: {result.status}: {result.reason}"
                self._console.print(line, style="yellow", highlight=False, markup=False, soft_wrap=True)
                self.faults[name, result.status] = result.reason or ""

    def time_left(self, done: int) -> str:
        """Estimate from what each series took so far; one not seen yet counts as the mean of those seen."""
        if not self._spent:
            return "…"
        means = {entry: sum(spent) / len(spent) for entry, spent in self._spent.items()}
        typical = sum(means.values()) / len(means)
        left_s = sum(means.get(step.entry, typical) for step in self._steps[done:])
        return f"{left_s / 60:.0f} min left" if left_s >= 90 else f"{left_s:.0f} s left"  # noqa: PLR2004 - a minute and a half

    def _name(self, entry: Entry) -> str:
        control = " (control)" if entry.role == "control" else ""
        return f"{self._builds[entry.build].name} {entry.scenario}, {entry.case}: {entry.runner}{control}"
