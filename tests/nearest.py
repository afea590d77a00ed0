"""Runs the tests nearest to what changed against a branch: `make try-mine` (BASE=main)."""

import subprocess
import sys
from pathlib import Path, PurePosixPath

ROOT = Path(__file__).resolve().parents[1]
FOLDERS = {
    "generate/templates": "tests/generate/pages",
    "generate/assets": "tests/browser",
    "generate/theme": "tests/browser",
    "generate": "tests/generate",
    "runners/harness": "tests/harness",
    "actions": "tests/actions",
    ".github": "tests/actions",
    "docs/claims": "tests/generate/claims",
    "docs": "tests/generate/pages/test_hand_written.py",
    "requirements": "tests/harness/test_setup.py",
    "Makefile": "tests/harness/test_setup.py",
}
"""Tests by the beginning of a changed path, the most specific first; of a package's own folder if it has one."""


def changed_paths(base: str) -> list[str]:
    """Return what differs from a branch, files that git does not know yet among them. Exits if there is no branch."""
    for branch in (base, "main", "origin/main"):
        if git("rev-parse", "--verify", "--quiet", branch).returncode == 0:
            changed = git("diff", "--name-only", "--merge-base", branch).stdout
            return [*changed.splitlines(), *git("ls-files", "--others", "--exclude-standard").stdout.splitlines()]
    sys.exit(f"there is no branch {base} here: run make try-mine BASE=<branch>")


def git(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["git", *arguments], cwd=ROOT, check=False, capture_output=True, text=True)  # noqa: S603, S607 - fixed words


def nearest_tests(path: str) -> list[str]:
    """Return pytest's arguments for a changed path; none if no test is near it."""
    parts = PurePosixPath(path).parts
    if parts[0] == "tests":
        return [path] if parts[-1].startswith("test_") and (ROOT / path).exists() else []
    if parts[0] == "runners" and parts[1] != "harness":
        is_runner = len(parts) > 2 and parts[2] not in {"workload.py", "scenario.py", "__init__.py"}
        chosen = f"{parts[1]} and {parts[2].removesuffix('.py')}" if is_runner else parts[1]
        return ["tests/runners/test_every_runner.py", "-k", chosen]
    prefix = next((prefix for prefix in FOLDERS if path.startswith(prefix)), "")
    if not prefix:
        return []
    folders = Path(FOLDERS[prefix], *PurePosixPath(path).relative_to(prefix).parts[:-1])
    nearest = next(folder for folder in (folders, *folders.parents) if (ROOT / folder).exists())
    return [nearest.as_posix()]


def main(base: str) -> int:
    choices = {tuple(nearest_tests(path)) for path in changed_paths(base)} - {()}
    together = sorted(choice[0] for choice in choices if len(choice) == 1)
    runs = [("-n", "2", "-m", "not serial", *together)] if together else []
    runs += sorted(choice for choice in choices if len(choice) > 1)
    if not runs:
        print("no test is near this change")
    commands = ([sys.executable, "-m", "pytest", *run] for run in runs)
    return max((subprocess.run(each, cwd=ROOT, check=False).returncode for each in commands), default=0)  # noqa: S603 - our words


if __name__ == "__main__":
    sys.exit(main(sys.argv[1] if len(sys.argv) > 1 else "main"))
