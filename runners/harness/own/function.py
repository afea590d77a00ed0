"""Measures a function: imports it, looks at it, takes samples of every model, compares the answers."""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import cast

import msgspec

from runners.harness import programs
from runners.harness.catalogue.scenarios import RUNNERS
from runners.harness.channel import Message
from runners.harness.errors import EXIT_INCOMPLETE, UserError
from runners.harness.own.record import Item, ModelName, Work
from runners.harness.own.session import MeasuredBuild, Trial, take_rounds
from runners.harness.own.work import AT_ONCE, Limits, candidates
from runners.harness.process.launcher import Launcher, SampleResult, Task, WorkerError
from runners.harness.record.build_names import build_name
from runners.harness.redact import redact_paths

START = (
    f"import sys; ours = sys.modules['_ours'] = type(sys)('_ours'); ours.__path__ = [{str(RUNNERS / 'harness')!r}]; "
    "from _ours.own.measured.start import main; main()"
)
"""The program of a measured process. Our modules have a name of their own there, so they hide none of the user's."""
PASSES_IN_BUDGET = 40
"""A loop's pass over the items may take this part of the budget."""
AT_LEAST_S, SLOWER = 30.0, 5
"""A sample may take as many times as long as the loop."""
MOST_ITEMS = 100_000
WRONG_ANSWERS = 5
NOT_MADE = "it runs an `async def`, or a plain `def` only, or this system has no such start method"
UNLIKE = (
    "the loop's own answers differ between processes, so none were compared: fix what is random, or compare with "
    "--same FILE.py:FUNCTION"
)


class Look(msgspec.Struct, forbid_unknown_fields=True):
    """What importing the function and running items in a loop shows."""

    is_coroutine: bool
    sha256: str | None
    source: str | None
    count: int
    given: int
    item: Item
    notes: list[str]

    @property
    def loop_ns(self) -> int:
        """The time of a pass over the items in a loop."""
        return self.count * (self.item.compute_ns + self.item.wait_ns)


@dataclass
class FunctionSession:
    builds: Sequence[MeasuredBuild]
    deadline_s: float
    """On the monotonic clock."""
    task: Message
    """Sent to every measured process."""
    limits: Limits
    trials: list[Trial] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    first: Look | None = None
    """What the first build shows, whose items all others are measured with."""

    def work(self) -> Work:
        look, function = cast("Look", self.first), self.task["function"]
        return Work(
            function=f"{function['module']}:{function['name']}",
            kind="coroutine" if look.is_coroutine else "function",
            sha256=look.sha256,
            items_count=look.count if self.trials else look.given,
            at_once=self.limits.at_once,
            workers=self.limits.workers,
            source=look.source,
        )

    def status(self) -> int:
        if any(trial.status == "wrong_answers" for trial in self.trials):
            return WRONG_ANSWERS
        ran = {trial.model for trial in self.trials if trial.rows}
        return 0 if all(ran & names for names in [ran, *self.limits.models.values()]) else EXIT_INCOMPLETE

    def look(self, launcher: Launcher) -> Iterator[str]:
        """Run items in a loop on each build; yield which builds can't. Raises UserError if the first can't."""
        for build in self.builds:
            try:
                seen = self._look(launcher, build)
            except UserError as error:  # noqa: PERF203 - the other builds may do
                if self.first is None:
                    raise
                build.reason = "the function can't be imported or run with it"
                yield f"{build_name(build.build)}: {error}"
            else:
                self.first, build.item = self.first or seen, seen.item
                self.notes += [note for note in seen.notes if note not in self.notes]

    def _look(self, launcher: Launcher, build: MeasuredBuild) -> Look:
        left_s = max(1.0, self.deadline_s - time.monotonic())
        limits = {"limit_ns": left_s * 1e9 / PASSES_IN_BUDGET / len(self.builds), "most": MOST_ITEMS}
        if self.first:
            limits = {"limit_ns": 2**62, "most": self.first.count}
        answer: Message = {}
        for stage in ("import", "import", "examine"):
            begun_ns = time.perf_counter_ns()
            try:
                answer = self._ask(launcher, build, {**limits, "stage": stage}, AT_LEAST_S + left_s)
            except WorkerError as error:
                remedy = "name fewer or shorter items, or move what a script runs below `if __name__ == '__main__':`"
                msg = f"{self.task['function']['source']} can't be measured: {redact_paths(error.args[1])}; {remedy}"
                raise UserError(msg) from None
            if "refused" in answer:
                raise UserError(answer["refused"])
            build.starts_ns.append(time.perf_counter_ns() - begun_ns)
        build.starts_ns.pop()  # of the last, which did more
        return msgspec.convert(answer, Look)

    def _ask(self, launcher: Launcher, build: MeasuredBuild, message: Message, limit_s: float) -> Message:
        """Return the report of a process of the measured side. Raises WorkerError."""
        command: list[str | Path] = [build.python, *(f"-X{option}" for option in build.build.options), "-c", START]
        files = {name: str(build.scratch / name) for name in ("packages", "kept_items", "kept_answers")}
        known = {**self.task, **files, "cores": self.limits.cores, "at_once": self.limits.at_once or AT_ONCE}
        environment = programs.environment_with(build.build.variables)
        with launcher.start(Task(command, Path.cwd(), environment, known | message, limit_s)) as worker:
            return worker.receive()

    def measure(self, launcher: Launcher, keep: Callable[[], object]) -> Iterator[str]:
        """Take samples, and *keep* each. Yield progress."""
        yield "each item runs dozens of times, short ones far more: undo side effects by --reset FILE.py:FUNCTION"
        keep()
        look = cast("Look", self.first)
        if look.count < look.given:
            self.notes.append(f"only the first {look.count:,} of {look.given:,} items, as all take too long")
        for place, build in enumerate(self.builds):
            self.trials += self._plan(place, look) if build.item else []
            if build.item and self._take(launcher, self.trials[-1]).values.get("wrong_count"):
                build.compares = False
                self.notes += [] if UNLIKE in self.notes else [UNLIKE]

        yield from take_rounds(self.trials, partial(self._take, launcher), self.deadline_s, keep)

    def _plan(self, place: int, look: Look) -> Iterator[Trial]:
        """Yield each model and size of pool, and the loop again as a control."""
        known = [*candidates(self.limits, is_coroutine=look.is_coroutine)]
        asked = frozenset[ModelName]().union(*self.limits.models.values())
        missing = asked - {model for model, _ in known}
        yield from (Trial(place, model, status="unsupported", reason=NOT_MADE) for model in sorted(missing))
        yield from (Trial(place, model, workers) for model, workers in known)
        yield Trial(place, "loop", role="control")

    def _take(self, launcher: Launcher, trial: Trial) -> SampleResult:
        build, look = self.builds[trial.build], cast("Look", self.first)
        size = {"model": trial.model, "workers": trial.workers, "count": look.count, "compares": build.compares}
        try:
            limit_s = AT_LEAST_S + SLOWER * look.loop_ns / 1e9
            report = self._ask(launcher, build, {**size, "stage": "sample"}, limit_s)
        except WorkerError as error:  # what the process wrote before it ended may hold an item
            return SampleResult(error.args[0], error.args[1].partition(": ")[0])
        return msgspec.convert(report, SampleResult)
