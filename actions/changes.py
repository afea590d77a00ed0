"""Chooses the systems and Pythons that check.yml tries, by the changed files."""

from collections.abc import Iterable

import click
import msgspec

from actions import job
from runners.harness import matrix, programs

SYSTEMS = ("ubuntu-24.04", "macos-26", "windows-2025")
NEWEST = "3.14"
"""The only Python for changes that can't affect a runner."""
MEASURING = ("runners/", "requirements/", ".github/actions/", ".github/workflows/check.yml")


@click.command()
@click.option("--base", required=True, help="The commit before the changes; may be unknown to this repository.")
def command(base: str) -> None:
    """Set the matrix for the changes since a commit. It is empty if they are only prose."""
    chosen = choose_combinations(list_changed_paths(base), matrix.read().versions)
    job.set_output("matrix", msgspec.json.encode({"include": chosen}).decode())
    job.set_output("prose", "false" if chosen else "true")
    click.echo(f"{len(chosen)} combinations of systems and Pythons")


def list_changed_paths(base: str) -> list[str] | None:
    """Return the paths that changed between *base* and HEAD; None if git can't tell, as after a forced push."""
    done = programs.run("git", "diff", "--name-only", "--no-renames", "-z", base, "HEAD", "--")
    return done.stdout.split("\0")[:-1] if done.returncode == 0 else None


def choose_combinations(paths: Iterable[str] | None, versions: Iterable[str]) -> list[dict[str, str]]:
    """Return the systems and Pythons to try: none for prose, all if measuring code may have changed."""
    if paths is not None and all(map(_is_prose, paths)):
        return []
    is_measuring = paths is None or any(path.startswith(MEASURING) for path in paths)
    pythons = [version for version in versions if not version.startswith("pypy")] if is_measuring else [NEWEST]
    return [{"machine": system, "python": python} for system in SYSTEMS for python in pythons]


def _is_prose(path: str) -> bool:
    return path.startswith("docs/") or (path.endswith(".md") and not path.startswith(("generate/", "tests/")))
