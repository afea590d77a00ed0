"""Commits the files of a run to a branch, while others do the same.

Each attempt of a run adds files to folders of its own, so no two publishers change the same file. This fetches the
branch's tip, adds the files and pushes; if another was faster, it starts again from the new tip. It never rebases or
forces, and never changes published files.
"""

import base64
import os
import random
import tempfile
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

import click

from actions import job, run_plan
from actions.artifacts import compute_digest
from actions.job import HostedRun
from actions.run_plan import Plan
from generate.data import cells_file
from runners.harness import programs
from runners.harness.errors import UserError

TARGET = "results"
ATTEMPTS = 100
"""The last of forty simultaneous publishers retries once for each of the others, and sometimes meets a lock."""
LONGEST_WAIT_S = 3.0
READ_ONLY = ("write access to repository not granted", "the requested url returned error: 403")
PROTECTED = ("protected branch", "rule violations", "hook declined")
REMEDIES = {
    READ_ONLY: "; let the workflow's token write: Settings, Actions, General, Workflow permissions",
    PROTECTED: "; set the variable RESULTS_BRANCH to a branch that accepts pushes, and run this job again",
    ("permission", "denied", "authentication failed", "could not read username", "repository not found"): "",
}
"""By parts of refusals that retrying can't change."""
BOT = "github-actions[bot]"
AUTHOR = ("-c", f"user.name={BOT}", "-c", f"user.email=41898282+{BOT}@users.noreply.github.com")
KEPT = f"{TARGET}/{{name}} is already on {{branch}} with other bytes, and stays as it is"


@dataclass(frozen=True)
class Publication:
    files: Mapping[str, bytes]
    """By path below results/."""
    remote: str
    branch: str
    """Made from the default branch if it does not exist."""
    message: str
    token: str = field(default="", repr=False)
    """For HTTPS."""


@click.command()
@job.PLAN
@click.option("--files", "folder", type=job.FOLDER, required=True, help="A folder like results/.")
@click.option("--branch", required=True)
def command(plan_file: Path, folder: Path, branch: str) -> None:
    """Commit a run's files to a branch of this job's repository, if their digest is COLLECTED_SHA256."""
    run = job.read_run()
    planned = list_planned_files(run_plan.read_plan(plan_file), run)
    files = read_files(folder)
    if job.read_variable("COLLECTED_SHA256") != compute_digest(files):
        msg = f"{folder.name} does not hold what this run collected: its digest is not COLLECTED_SHA256"
        raise UserError(msg)
    if foreign := sorted(files.keys() - planned):
        msg = f"{foreign[0]!r} is not in this run's plan: nothing was published"
        raise UserError(msg)
    message = f"Results of run {run.name(run.attempt)}\n\n{run.url}"
    token = os.environ.get("GITHUB_TOKEN", "")
    commit, names = publish(Publication(files, job.repository_url(), branch, message, token), time.sleep)
    kept = [KEPT.format(name=name, branch=branch) for name in names]
    click.echo("\n".join([*kept, f"{branch} is at {commit}"]))


def list_planned_files(plan: Plan, run: HostedRun) -> frozenset[str]:
    """Return the paths that a run may have below results/."""
    names = [cells_file.FILE, *(name for planned in plan.jobs for name in planned.result_files)]
    return frozenset(f"{run.folder(attempt)}/{name}" for attempt in run.attempts for name in names)


def read_files(folder: Path) -> dict[str, bytes]:
    """Read all files of a folder, by path. The digest decides whether they were collected."""
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def publish(publication: Publication, wait: Callable[[float], object]) -> tuple[str, list[str]]:
    """Publish, waiting a few seconds between attempts. Publishing again changes nothing. Raises UserError.

    Returns the branch's commit, and the paths below results/ that the branch already had with other bytes.
    """
    reason = ""
    with tempfile.TemporaryDirectory() as folder:
        git = _Git(Path(folder).resolve(), publication)
        git("init", "--quiet")
        git("remote", "add", "origin", publication.remote)
        try:
            git("check-ref-format", f"refs/heads/{publication.branch}")
        except _GitError:
            msg = f"{publication.branch[:60]!r} can't name a branch: change the variable RESULTS_BRANCH"
            raise UserError(msg) from None
        for attempt in range(ATTEMPTS):
            if attempt:
                wait(random.uniform(0, LONGEST_WAIT_S))  # noqa: S311 - no secret
            try:
                return _try_once(git, publication)
            except _GitError as error:
                reason = str(error)
                if error.is_final:
                    break
    msg = f"{publication.branch} did not take the results: {reason}"
    raise UserError(msg)


def _try_once(git: "_Git", publication: Publication) -> tuple[str, list[str]]:
    """Add the files to the branch's tip and push. Raises _GitError, or UserError."""
    branch = f"refs/heads/{publication.branch}"
    is_new = not git("ls-remote", "origin", branch)
    git("fetch", "--quiet", "--no-tags", "--depth", "1", "origin", "HEAD" if is_new else branch)
    git("checkout", "--quiet", "--force", "--detach", "FETCH_HEAD")
    kept = []
    for name, data in publication.files.items():
        path = git.folder / TARGET / name
        if path.resolve() != path or not path.is_relative_to(git.folder / TARGET):
            msg = f"{TARGET}/{name} leads elsewhere, or through a link of {publication.branch}: nothing was published"
            raise UserError(msg)
        if not path.exists():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        elif path.read_bytes() != data:
            kept.append(name)
    git("add", "--all")
    if changed := git("status", "--porcelain"):
        git(*AUTHOR, "commit", "--quiet", "--message", publication.message)
    if changed or is_new:
        git("push", "--quiet", "origin", f"HEAD:{branch}")
    return git("rev-parse", "HEAD"), kept


class _GitError(Exception):
    """A git command failed. Unless that is final, retrying may work."""

    def __init__(self, stderr: str) -> None:
        remedies = [remedy for parts, remedy in REMEDIES.items() if any(part in stderr.lower() for part in parts)]
        self.is_final = bool(remedies)
        lines = stderr.strip().splitlines() or ["it gave no reason"]
        remote = [line.removeprefix("remote:").strip() for line in lines if line.startswith("remote:")]
        fatal = [line for line in lines if line.startswith("fatal:")]
        reason = next((line for line in (*remote, *fatal) if line), lines[-1])
        super().__init__(reason + "".join(remedies[:1]))


class _Git:
    """The machine's git. The token is in the environment: arguments are visible in the list of processes."""

    def __init__(self, folder: Path, publication: Publication) -> None:
        self.folder = folder
        self._environment = {**os.environ, "GIT_TERMINAL_PROMPT": "0", "LC_ALL": "C"}
        if publication.token:
            server = urlsplit(publication.remote)
            basic = base64.b64encode(f"x-access-token:{publication.token}".encode()).decode()
            self._environment |= {
                "GIT_CONFIG_COUNT": "1",
                "GIT_CONFIG_KEY_0": f"http.{server.scheme}://{server.netloc}/.extraheader",  # no other host gets it
                "GIT_CONFIG_VALUE_0": f"AUTHORIZATION: basic {basic}",
            }

    def __call__(self, *arguments: str) -> str:
        """Return the output of a command. Raises _GitError."""
        done = programs.run("git", *arguments, environment=self._environment, folder=self.folder)
        if done.returncode:
            raise _GitError(done.stderr)
        return done.stdout.strip()
