"""Reads a job's environment variables from GitHub, and writes its outputs and summary."""

import datetime as dt
import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import click

from runners.harness.errors import UserError

FOLDER = click.Path(path_type=Path)
PLAN = click.option("--plan", "plan_file", type=FOLDER, required=True)
LONGEST_LINE = 300
MOST_DAYS = 2
"""A job may begin this many days after its run, as jobs wait for a free machine."""


@dataclass(frozen=True)
class HostedRun:
    """A run of a workflow. Running its jobs again is a new attempt."""

    day: dt.date
    """Day of the plan, UTC."""
    number: int
    planned_in: int
    """The attempt that made the plan. Earlier ones had a different plan."""
    attempt: int
    commit: str
    url: str
    trigger: Literal["dispatch", "schedule"]

    @property
    def attempts(self) -> range:
        """The attempts of the current plan."""
        return range(self.planned_in, self.attempt + 1)

    def name(self, attempt: int) -> str:
        """Return the name of an attempt, in its records and its folder."""
        return f"{self.day}-gh{self.number}-{attempt}"

    def folder(self, attempt: int) -> str:
        """Return an attempt's folder below results/."""
        return f"{self.day}/{self.name(attempt)}"


def read_run() -> HostedRun:
    """Return this job's run. Raises UserError."""
    name = read_variable("RUN_ID")
    match = re.fullmatch(r"(\d{4}-\d{2}-\d{2})-gh(\d+)\.(\d+)", name, re.ASCII)
    if match is None:
        msg = f"RUN_ID is {name[:60]!r}, not the id of a plan"
        raise UserError(msg)
    return HostedRun(
        day=dt.date.fromisoformat(match[1]),
        number=int(match[2]),
        planned_in=int(match[3]),
        attempt=int(read_variable("GITHUB_RUN_ATTEMPT")),
        commit=read_variable("GITHUB_SHA"),
        url=f"{repository_url()}/actions/runs/{read_variable('GITHUB_RUN_ID')}",
        trigger="schedule" if os.environ.get("GITHUB_EVENT_NAME") == "schedule" else "dispatch",
    )


def repository_url() -> str:
    return f"{read_variable('GITHUB_SERVER_URL')}/{read_variable('GITHUB_REPOSITORY')}"


def read_variable(name: str) -> str:
    """Return an environment variable. Raises UserError if it is not set."""
    value = os.environ.get(name, "")
    if not value:
        msg = f"the environment variable {name} is not set: this command is for workflows"
        raise UserError(msg)
    return value


def today() -> dt.date:
    """Return the current day, UTC."""
    return dt.datetime.now(dt.UTC).date()


def set_output(name: str, value: str) -> None:
    """Set an output of the step to a value without line breaks."""
    _append("GITHUB_OUTPUT", f"{name}={value}\n")


def summarise(text: str) -> None:
    """Add Markdown to the run's page."""
    _append("GITHUB_STEP_SUMMARY", text)


def make_inert(text: str | None, most: int = LONGEST_LINE) -> str:
    """Return hostile text as one line that is inert in Markdown, HTML and a job's log, where `::` begins a command."""
    harmless = re.sub(r"[^\w .,:;'/()=%+-]", " ", text or "")
    return " ".join(re.sub(r":(?=[:/])", ": ", harmless).split())[:most]


def _append(name: str, text: str) -> None:
    if path := os.environ.get(name):
        with Path(path).open("a", encoding="utf-8", errors="replace") as stream:
            stream.write(text)
