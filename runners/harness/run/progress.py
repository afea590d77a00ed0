"""Shows a run's progress: samples done, elapsed time, time left, and what is being measured."""

import datetime as dt
import math
import time
from collections.abc import Callable, Sequence
from typing import Self

from rich import progress as rich
from rich.console import Console
from rich.table import Column

from runners.harness.builds.interpreters import Prepared
from runners.harness.process.launcher import SampleResult
from runners.harness.run.plan import Step

REST_OF_LINE = Column(no_wrap=True, overflow="ellipsis", ratio=1)
LINE_EVERY_S = 20.0


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
        self._console = console or Console(stderr=True)
        self._now = now
        self._last_line = now()
        self._bar = rich.Progress(
            rich.BarColumn(bar_width=12), rich.MofNCompleteColumn(), rich.TextColumn("{task.fields[times]}"),
            rich.TextColumn("{task.description}", markup=False, table_column=REST_OF_LINE),
            console=self._console, auto_refresh=False, transient=True, expand=True,
            disable=not self._console.is_terminal, get_time=now, speed_estimate_period=math.inf,
        )  # fmt: skip
        self._bar.add_task("", total=len(steps), times="")
        (self._task,) = self._bar.tasks
        self._shown: set[tuple[str, str]] = set()

    def __enter__(self) -> Self:
        self._bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._bar.stop()

    def begin(self, step: Step, done: int) -> None:
        """Show the sample that begins, after *done* others."""
        entry, build = step.entry, self._builds[step.entry.build].name
        self._bar.update(self._task.id, completed=done)
        left_s = self._task.time_remaining
        left = "…" if left_s is None else f"{dt.timedelta(seconds=left_s)} left"
        times = f"{dt.timedelta(seconds=int(self._task.elapsed or 0))} elapsed, {left}"
        if self._console.is_terminal:
            name = f"{entry.runner_label}: {build} {entry.scenario}, {entry.case}"
            self._bar.update(self._task.id, description=name, times=times, refresh=True)
        elif self._now() - self._last_line >= LINE_EVERY_S:
            self._last_line = self._now()
            self._print(f"{done} of {self._task.total:.0f} samples, {times}: round {step.round}: {entry.label(build)}")

    def end(self, step: Step, result: SampleResult) -> None:
        """Print the first failure of each kind in a series."""
        failure = step.entry.label(self._builds[step.entry.build].name), result.status
        if result.status != "ok" and failure not in self._shown:
            self._shown.add(failure)
            self._print(f"{': '.join(failure)}: {result.reason}", style="yellow")

    def _print(self, line: str, style: str | None = None) -> None:
        self._console.print(line, style=style, highlight=False, markup=False, soft_wrap=True)
