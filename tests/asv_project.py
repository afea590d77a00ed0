"""Lays out a project of airspeed velocity with as many result files as ours, on which `asv publish` is timed.

Its files are smaller than ours: of each benchmark one value with its interval, not the raw samples.
"""

from __future__ import annotations

import json
import random
import subprocess
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

NAMES = [f"suite.time_case_{number}" for number in range(60)]
"""As many benchmarks as a full result file of ours has series."""
CELLS = [(f"host-{machine}", python) for machine in range(20) for python in ("3.12", "3.13", "3.14")]
COLUMNS = ["result", "params", "version", "started_at", "duration", "stats_ci_99_a", "stats_ci_99_b", "stats_q_25"]
DAY_S = 86_400


def lay(folder: Path, files: int) -> None:
    """Make *folder* hold a repository with commits enough, the index of the benchmarks, and *files* result files."""
    commits = _repository(folder / "repository", -(-files // len(CELLS)))
    benchmark = {"code": "", "param_names": [], "params": [], "type": "time", "unit": "seconds", "version": "1"}
    places = {"repo": "repository", "branches": ["main"], "results_dir": "results", "html_dir": "html"}
    _write(folder / "asv.conf.json", {"version": 1, "project": "as many", "environment_type": "virtualenv", **places})
    _write(folder / "results/benchmarks.json", {name: {**benchmark, "name": name} for name in NAMES} | {"version": 2})
    cells = [(age, commit, *cell) for age, commit in enumerate(commits) for cell in CELLS]
    for age, commit, machine, python in cells[:files]:
        facts = {"machine": machine, "arch": "x86_64", "cpu": "", "os": "Linux", "ram": "1"}
        _write(folder / f"results/{machine}/machine.json", {**facts, "version": 1})
        draw = random.Random(f"{commit} {machine} {python}")  # noqa: S311 - values to plot
        rows = {name: [[draw.uniform(1, 2)], [], "1", age, 1.0, [1.0], [2.0], [1.2]] for name in NAMES}
        environment = f"virtualenv-py{python}"
        run = {"commit_hash": commit, "env_name": environment, "date": 1000 * DAY_S * (18_000 + age), "python": python}
        empty: dict[str, object] = {name: {} for name in ("requirements", "env_vars", "durations")}
        values = {"params": {**facts, "python": python}, "result_columns": COLUMNS, "results": rows, "version": 2}
        _write(folder / f"results/{machine}/{commit[:8]}-{environment}.json", {**run, **empty, **values})


def _write(path: Path, content: object) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(content), encoding="utf-8")


def _repository(folder: Path, count: int) -> list[str]:
    """Make a repository with *count* commits on main; return their hashes, the oldest first."""
    folder.mkdir(parents=True, exist_ok=True)
    commit = "commit refs/heads/main\nmark :{0}\ncommitter a <a@example.org> {1} +0000\ndata 1\nc\n"
    stream = "".join(commit.format(number, DAY_S * (18_000 + number)) for number in range(1, count + 1))
    git = ["git", "-C", str(folder)]
    subprocess.run([*git, "init", "--quiet", "--initial-branch=main"], check=True)  # noqa: S603 - our own words
    subprocess.run([*git, "fast-import", "--quiet", "--force"], input=stream.encode(), check=True)  # noqa: S603 - likewise
    listed = subprocess.run([*git, "rev-list", "--reverse", "main"], capture_output=True, text=True, check=True)  # noqa: S603
    return listed.stdout.split()
