"""Writes a skeleton for a new scenario, or for a new runner of an existing one. Both pass the tests as they are."""

from __future__ import annotations

import re
from string import Template
from typing import TYPE_CHECKING

from runners.harness.catalogue.scenarios import RUNNERS, find, select
from runners.harness.errors import UserError

if TYPE_CHECKING:
    from pathlib import Path

NAME = re.compile(r"[a-z][a-z0-9_]{0,59}")
INIT = '''"""$title."""
'''
WORKLOAD = '''"""$title: the cases, the job of each, and the check of its answers."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, NamedTuple

from runners.harness.contract import Case, Outcome, Span, span_since

if TYPE_CHECKING:
    from runners.harness.contract import Parameters, Surroundings

BASELINE = "sync_loop"
CASES = {"8 jobs": Case({"size": "8 jobs", "jobs": 8, "turns": 200_000}, warm_up={"jobs": 2, "turns": 10})}
Answer = tuple[int, Span]
"""The sum from one job, and when it was computed."""


class Job(NamedTuple):
    """What a runner gets: how many times to call `work`, and how many workers to use."""

    jobs: int
    turns: int
    cores: int

    def work(self, _number: int) -> Answer:
        """Compute one sum."""
        started_ns = time.perf_counter_ns()
        return sum(range(self.turns)), span_since(started_ns)


def prepare(parameters: Parameters, surroundings: Surroundings) -> Job:
    """Make the job of one case."""
    return Job(int(parameters["jobs"]), int(parameters["turns"]), surroundings.cores)


def at_once(job: Job) -> dict[str, int]:
    """Return how many jobs may run at once, by the AT_ONCE of a runner."""
    return {"one": 1, "workers": min(job.cores, job.jobs)}


def judge(job: Job, returned: list[Answer]) -> Outcome:
    """Check the answers."""
    right = [job.turns * (job.turns - 1) // 2] * job.jobs
    wrong = "" if [total for total, _ in returned] == right else "a sum is wrong or missing"
    spans = [span for _, span in returned]
    longest_ns = max((span.ended_ns - span.started_ns for span in spans), default=0)
    return Outcome({"longest_job_ns": longest_ns}, spans, wrong)
'''
SCENARIO = '''"""$title: what is the question?

What is measured, and how. What the scenario can't show.
"""

from __future__ import annotations

from runners.harness.contract import Ideal, Metric

SOURCE = "Q1"
METRICS = (
    Metric("elapsed_ns", "Time for all jobs", "ns", "lower"),
    Metric("longest_job_ns", "Longest single job", "ns", "neither"),
)
COLUMNS = {"longest_job_ns": "Longest time of a single job."}
INSIDE_THE_CLOCK = "doing all jobs"
IDEAL = Ideal("none: explain why, or compute the limit that no runner can beat")
'''
SYNC_LOOP = '''"""One loop: one job after another."""

from runners.$scenario.workload import Answer, Job

NAME = "plain loop"
FAMILY = "sync"
AT_ONCE = "one"


def run(job: Job) -> list[Answer]:
    return [job.work(number) for number in range(job.jobs)]
'''
FILES = {
    "__init__.py": INIT,
    "workload.py": WORKLOAD,
    "scenario.py": SCENARIO,
    "sync_loop.py": SYNC_LOOP,
}


def create(name: str, folder: Path = RUNNERS) -> list[Path]:
    """Write the files of SCENARIO or of SCENARIO/RUNNER into *folder*, and return their paths. Raises UserError."""
    scenario, slash, runner = name.partition("/")
    for part in (scenario, runner) if slash else (scenario,):
        if not NAME.fullmatch(part):
            msg = f"{part!r} can't name a scenario or runner: use small letters, digits and _, beginning with a letter"
            raise UserError(msg)
    texts = _runner_texts(scenario, runner, folder) if slash else _scenario_texts(scenario)
    paths = [folder / scenario / file for file in texts]
    for path in paths:
        if path.exists():
            msg = f"{path} already exists: choose another name"
            raise UserError(msg)
    for path, text in zip(paths, texts.values(), strict=True):
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return paths


def _scenario_texts(scenario: str) -> dict[str, str]:
    names = {"scenario": scenario, "title": scenario.replace("_", " ").capitalize()}
    return {file: Template(text).substitute(names) for file, text in FILES.items()}


def _runner_texts(scenario: str, runner: str, folder: Path) -> dict[str, str]:
    """Return a copy of the scenario's baseline under the new name."""
    scenarios = find(folder)
    (known,) = select(scenarios, [scenario], "scenario")
    words = runner.replace("_", " ")
    code = scenarios[known].runners[scenarios[known].baseline].code
    code = re.sub(r'\A""".*?"""', f'"""{words.capitalize()}."""', code, flags=re.DOTALL)
    code = re.sub(r"^NAME = .*\n", "", code, flags=re.MULTILINE)
    return {f"{runner}.py": re.sub(r"^FAMILY", f'NAME = "{words}"\nFAMILY', code, count=1, flags=re.MULTILINE)}
