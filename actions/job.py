"""What GitHub gives a job in environment variables, and what the job hands on or prints. Inputs stand in no script."""

from __future__ import annotations

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
"""From the run's day to the last on which one of its jobs may begin: jobs wait for a free machine."""


@dataclass(frozen=True)
class HostedRun:
    """A run of a workflow, as its plan named it. Who runs jobs of it again gives it a further attempt."""

    day: dt.date
    """Of the plan, in UTC."""
    number: int
    """Actions' own."""
    planned_in: int
    """The attempt that planned: what an earlier one measured was of another plan."""
    attempt: int
    """The current one."""
    commit: str
    url: str
    trigger: Literal["dispatch", "schedule"]

    @property
    def attempts(self) -> range:
        """The attempts that may have measured."""
        return range(self.planned_in, self.attempt + 1)

    def name(self, attempt: int) -> str:
        """Name an attempt: each has an id in its records, and a folder, of its own."""
        return f"{self.day}-gh{self.number}-{attempt}"

    def folder(self, attempt: int) -> str:
        """Return where an attempt's files lie below results/."""
        return f"{self.day}/{self.name(attempt)}"

    def may_begin(self, day: dt.date) -> bool:
        """Say whether a job may still begin on *day*, so that what it measures is accepted."""
        return self.day <= day <= self.day + dt.timedelta(days=MOST_DAYS)


def hosted_run() -> HostedRun:
    """Return the run that this job is of. Raises UserError."""
    name = variable("RUN_ID")
    match = re.fullmatch(r"(\d{4}-\d{2}-\d{2})-gh(\d+)\.(\d+)", name, re.ASCII)
    if match is None:
        msg = f"RUN_ID is {name[:60]!r}, which no plan handed on"
        raise UserError(msg)
    return HostedRun(
        day=dt.date.fromisoformat(match[1]),
        number=int(match[2]),
        planned_in=int(match[3]),
        attempt=int(variable("GITHUB_RUN_ATTEMPT")),
        commit=variable("GITHUB_SHA"),
        url=f"{repository_url()}/actions/runs/{variable('GITHUB_RUN_ID')}",
        trigger="schedule" if os.environ.get("GITHUB_EVENT_NAME") == "schedule" else "dispatch",
    )


def repository_url() -> str:
    """Return the address of the repository that this job runs for."""
    return f"{variable('GITHUB_SERVER_URL')}/{variable('GITHUB_REPOSITORY')}"


def variable(name: str) -> str:
    """Return an environment variable. Raises UserError where it is not set."""
    value = os.environ.get(name, "")
    if not value:
        msg = f"the environment variable {name} is not set: this command is for workflows"
        raise UserError(msg)
    return value


def today() -> dt.date:
    """Return the day, in UTC."""
    return dt.datetime.now(dt.UTC).date()


def hand_on(name: str, value: str) -> None:
    """Give a later job an output. A value is one line: it can't begin another output."""
    _append("GITHUB_OUTPUT", f"{name}={value}\n")


def summarise(text: str) -> None:
    """Add Markdown to the summary on the run's page."""
    _append("GITHUB_STEP_SUMMARY", text)


def plain(text: str | None, most: int = LONGEST_LINE) -> str:
    """Return text of others as one line without what Markdown, HTML or a job's log would act on.

    Reasons quote what artifacts hold, and names may be theirs; `::` would begin a command in the log.
    """
    words = re.sub(r"[^\w .,:;'/()=%+-]", " ", text or "")
    return " ".join(re.sub(r":(?=[:/])", ": ", words).split())[:most]


def _append(name: str, text: str) -> None:
    if path := os.environ.get(name):
        with Path(path).open("a", encoding="utf-8", errors="replace") as stream:
            stream.write(text)
