"""Measures a function: imports it, looks at it, takes samples of every model in rounds, compares the answers."""

import os
import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import cast

import msgspec

from runners.harness.catalogue.scenarios import RUNNERS
from runners.harness.channel import Message
from runners.harness.errors import EXIT_INCOMPLETE, UserError
from runners.harness.own.record import Item, ModelName, OwnBuild, OwnSeries, Work
from runners.harness.own.work import AT_ONCE, Limits, candidates
from runners.harness.process import launcher as launch
from runners.harness.record.build_names import build_name
from runners.harness.record.model import Build, SampleRow, Samples
from runners.harness.redact import redact_paths

START = (
    f"import sys; ours = sys.modules['_ours'] = type(sys)('_ours'); ours.__path__ = [{str(RUNNERS / 'harness')!r}]; "
    "from _ours.own.measured.start import main; main()"
)
"""The program of a measured process. Our modules have a name of their own there, so they hide none of the user's."""
LEAST_ROUNDS, MOST_ROUNDS = 3, 12
PASSES_IN_BUDGET = 40
"""A loop's pass over the items may take this part of the budget."""
AT_LEAST_S, SLOWER = 30.0, 5
"""A sample may take as many times as long as the loop."""
TOO_SLOW, JUDGED_AFTER = 3, 2
"""A model that takes as many times as long as the loop is not measured after these rounds."""
MOST_ITEMS = 100_000
WRONG_ANSWERS = 5
NOT_MADE = "it is not made for such a function, or not for this system"
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


@dataclass
class MeasuredBuild:
    """An interpreter, and what is known of the function in it."""

    python: Path
    build: Build
    scratch: Path
    """A folder for its items, its answers and the packages of --with, which is deleted after the run."""
    starts_ns: list[int] = field(default_factory=list)
    look: Look | None = None
    reason: str | None = None
    compares: bool = True

    def row(self) -> OwnBuild:
        """Return it as the record has it."""
        return OwnBuild(
            build=self.build, starts_ns=self.starts_ns, item=self.look.item if self.look else None, reason=self.reason
        )

    def environment(self) -> dict[str, str]:
        """Return the user's environment, but of Python's own variables only those of the build."""
        kept = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
        return kept | dict(variable.split("=", 1) for variable in self.build.variables)

    def task(self, message: Message, time_limit_s: float) -> launch.Task:
        """Return a process of the measured side."""
        command: list[str | Path] = [self.python, *(f"-X{option}" for option in self.build.options), "-c", START]
        files = {name: str(self.scratch / name) for name in ("packages", "kept_items", "kept_answers")}
        return launch.Task(command, Path.cwd(), self.environment(), message | files, time_limit_s)


@dataclass
class Trial:
    """One series, as it is measured. Its other fields are those of the record."""

    build: int
    model: ModelName
    workers: int | None = None
    role: str = "subject"
    status: str = "not_reached"
    reason: str | None = None
    rate_per_s: int | None = None
    wrong_count: int | None = None
    compared_count: int | None = None
    rows: list[SampleRow] = field(default_factory=list)

    def add(self, number: int, position: int, result: launch.SampleResult) -> None:
        """Keep a sample, and how many of its answers differ."""
        if result.status != "ok":
            self.status, self.reason = "partial" if self.rows else result.status, result.reason
            return
        values = dict(result.values)
        wrong, compared = (cast("int", values.pop(name, 0)) for name in ("wrong_count", "compared_count"))
        if compared:
            self.wrong_count, self.compared_count = max(self.wrong_count or 0, wrong), compared
        self.rows.append(SampleRow(number, position, "ok", None, None, values))
        self.status = "ok"
        if self.wrong_count:
            self.status, self.reason = "wrong_answers", result.reason or "answers differ from the loop's"

    def is_worth_measuring(self, look: Look) -> bool:
        """True unless it failed, or takes far longer than the loop did."""
        times_ns = [cast("int", row.values.get("elapsed_ns", 0)) for row in self.rows]
        loop_ns = look.count * (look.item.compute_ns + look.item.wait_ns)
        is_slow = len(times_ns) >= JUDGED_AFTER and self.model != "loop" and median(times_ns) > TOO_SLOW * loop_ns
        return self.status in {"not_reached", "ok"} and not is_slow

    def series(self) -> OwnSeries:
        """Return it as the record has it: without times if answers were wrong."""
        samples = Samples.from_rows([] if self.status == "wrong_answers" else self.rows)
        return OwnSeries(**{name: value for name, value in vars(self).items() if name != "rows"}, samples=samples)


@dataclass
class Session:
    """One `try` of a function."""

    task: Message
    """What every measured process is told of the work."""
    limits: Limits
    builds: Sequence[MeasuredBuild]
    deadline_s: float
    """On the monotonic clock. Only the least rounds may take longer."""
    say: Callable[[str], object]
    trials: list[Trial] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    rounds: int = 0

    def work(self) -> Work:
        """Return what was measured, as the record has it."""
        look, function = cast("Look", self.builds[0].look), self.task["function"]
        return Work(
            function=f"{function['module']}:{function['name']}",
            kind="coroutine" if look.is_coroutine else "function",
            sha256=look.sha256,
            items_count=look.count if self.rounds else look.given,
            source=look.source,
        )

    def status(self) -> int:
        """Return the exit status of what was measured."""
        if any(trial.wrong_count for trial in self.trials):
            return WRONG_ANSWERS
        return EXIT_INCOMPLETE if self.limits.models - {trial.model for trial in self.trials if trial.rows} else 0

    def look(self, launcher: launch.Launcher) -> None:
        """Import the function and run items in a loop. Raises UserError if the first build can't."""
        self.say("each item is run about 40 times: what it leaves behind is undone by --reset FILE.py:FUNCTION only")
        for build in self.builds:
            try:
                build.look = self._look(launcher, build)
            except UserError as error:  # noqa: PERF203 - other builds may do
                if build is self.builds[0]:
                    raise
                build.reason = "the function can't be imported or run with it"
                self.say(f"{build_name(build.build)}: {error}")
            else:
                self.notes += [note for note in build.look.notes if note not in self.notes]

    def _look(self, launcher: launch.Launcher, build: MeasuredBuild) -> Look:
        first, left_s = self.builds[0].look, self.deadline_s - time.monotonic()
        limits = {"limit_ns": left_s * 1e9 / PASSES_IN_BUDGET / len(self.builds), "most": MOST_ITEMS}
        if first:
            limits = {"limit_ns": 2**62, "most": first.count}
        answer: Message = {}
        for stage in ("import", "import", "examine"):
            begun_ns = time.perf_counter_ns()
            try:
                task = build.task(
                    {**self.task, "stage": stage, "cores": self.limits.cores, **limits}, AT_LEAST_S + left_s
                )
                with launcher.start(task) as worker:
                    answer = worker.receive()
                    if stage == "import":
                        build.starts_ns.append(time.perf_counter_ns() - begun_ns)
            except launch.WorkerError as error:
                reason = redact_paths(error.args[1])
                msg = (
                    f"{self.task['function']['source']} can't be measured: {reason}; run scripts below `if __name__ ==`"
                )
                raise UserError(msg) from None
            if "refused" in answer:
                raise UserError(answer["refused"])
        return msgspec.convert(answer, Look)

    def measure(self, launcher: launch.Launcher, keep: Callable[[], object]) -> None:
        """Take samples in rounds until the deadline, and *keep* them after each round."""
        if (first := cast("Look", self.builds[0].look)).count < first.given:
            self.notes.append(f"only the first {first.count:,} of {first.given:,} items, as all take too long")
        for place, build in enumerate(self.builds):
            if build.look:
                self._plan(launcher, place, build.look)
        longest_s = 0.0
        while self.rounds < MOST_ROUNDS:
            begun_s = time.monotonic()
            measured = [trial for trial in self.trials if trial.is_worth_measuring(self._seen(trial))]
            if (self.rounds >= LEAST_ROUNDS and begun_s + longest_s > self.deadline_s) or not measured:
                break
            self.rounds += 1
            random.shuffle(measured)
            for position, trial in enumerate(measured):
                trial.add(self.rounds, position, self._take(launcher, trial))
            longest_s = time.monotonic() - begun_s
            keep()
            self.say(f"round {self.rounds} of at most {MOST_ROUNDS}, {longest_s:.1f} s")

    def _seen(self, trial: Trial) -> Look:
        return cast("Look", self.builds[trial.build].look)

    def _plan(self, launcher: launch.Launcher, place: int, look: Look) -> None:
        known = [*candidates(self.limits, is_coroutine=look.is_coroutine)]
        control = Trial(place, "loop", role="control")
        self.trials += [Trial(place, model, workers) for model, workers in known] + [control]
        missing = cast("set[ModelName]", self.limits.models - {model for model, _ in known})
        self.trials += [Trial(place, model, status="unsupported", reason=NOT_MADE) for model in sorted(missing)]
        if self._take(launcher, control).values.get("wrong_count"):
            self.builds[place].compares = False
            self.notes.append(UNLIKE)

    def _take(self, launcher: launch.Launcher, trial: Trial) -> launch.SampleResult:
        build, look = self.builds[trial.build], self._seen(trial)
        size = {"workers": trial.workers, "at_once": self.limits.at_once or AT_ONCE, "count": look.count}
        message = {**self.task, "stage": "sample", "model": trial.model, "compares": build.compares, **size}
        limit_s = AT_LEAST_S + SLOWER * look.count * (look.item.compute_ns + look.item.wait_ns) / 1e9
        reports: list[Message] = []

        def converse(worker: launch.Worker) -> Message:
            reports.append(worker.receive())
            if "refused" in reports[0]:
                return {"status": "failed", "reason": "it can't be imported again", "values": {}}
            return reports[0]

        result = launch.take(launcher, build.task(message, limit_s), converse)
        if not reports and result.reason:  # what the process wrote before it ended may hold an item
            result.reason = result.reason.partition(": ")[0]
        return result
