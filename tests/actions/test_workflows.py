"""The workflows and what they call: names, choices, pins, permissions, and the artifacts of jobs."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import click
import pytest
import yaml
from repository import commit, git
from workflow import FOLDER, MATRIX, WORKFLOWS

from actions import artifacts, dispatch
from actions.__main__ import main as actions
from runners.harness import matrix
from runners.harness.catalogue import scenarios as catalogue
from runners.harness.run.plan import ROUNDS

STEPS = [step for each in WORKFLOWS.values() for job in each["jobs"].values() for step in job.get("steps", ())]


def test_choices_and_defaults_of_the_form_are_known() -> None:
    form = WORKFLOWS["measure.yml"][True]["workflow_dispatch"]["inputs"]  # "on" is true in YAML 1.1
    assert form["profile"]["options"] == [*dispatch.PROFILES]
    assert {*dispatch.PROFILES} <= {*ROUNDS}
    defaults = {name: field["default"] for name, field in form.items()}
    made = dispatch.make_plan(defaults, catalogue.find(), matrix.read(MATRIX))
    assert made.cells
    for choice in form["publish"]["options"]:
        dispatch.make_plan({"publish": choice}, catalogue.find())
    assert form["repeats"]["options"] == [str(number) for number in range(1, matrix.MOST_REPEATS + 1)]


def test_only_the_publishing_job_may_write_contents() -> None:
    writers = []
    for name, workflow in WORKFLOWS.items():
        assert workflow["permissions"] == {}, name
        for job, facts in workflow["jobs"].items():
            assert "permissions" in facts, (name, job)
            if facts["permissions"].get("contents") == "write":
                writers.append((name, job))
    assert writers == [("measure.yml", "publish")]


def test_uv_is_pinned_in_one_version() -> None:
    action = yaml.safe_load((FOLDER.parent / "actions" / "setup" / "action.yml").read_text(encoding="utf-8"))
    uv = next(step["with"] for step in action["runs"]["steps"] if "setup-uv" in step.get("uses", ""))
    for name in ("uv.txt", "site.txt", "measure.txt"):
        pins = (catalogue.ROOT / "requirements" / name).read_text(encoding="utf-8")
        assert re.findall(r"^uv==(\S+)", pins, re.MULTILINE) == [uv["version"]], f"{name} has another uv"
    assert uv["github-token"] == ""


def test_every_called_command_exists() -> None:
    calls = re.findall(r"python -m actions (\w+)(.*)", "\n".join(step.get("run", "") for step in STEPS))
    context = click.Context(actions)
    assert {name for name, _ in calls} == {*actions.list_commands(context)}
    for name, rest in calls:
        command = actions.get_command(context, name)
        assert command is not None
        options = {param.opts[0]: param for param in command.params}
        given = {*re.findall(r"(--\w+)", rest)}
        assert given <= {*options}, name
        assert {option for option, param in options.items() if param.required} <= given, name


def run_step(folder: Path, name: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run the step of a name as GitHub does."""
    (script,) = (step["run"] for step in STEPS if step.get("name") == name)
    bash = shutil.which("bash")
    if bash is None or sys.platform != "linux":
        pytest.skip("steps of jobs on Linux")
    command = [bash, "--noprofile", "--norc", "-eo", "pipefail", "-c", script]
    own = {"PATH": os.environ["PATH"], **environment}
    return subprocess.run(command, cwd=folder, env=own, capture_output=True, text=True, check=False)  # noqa: S603 - ours


def test_site_adds_days_of_the_results_branch(tmp_path: Path) -> None:
    branch = "refs/remotes/origin/results"

    def days() -> set[str]:
        done = run_step(tmp_path, "results of their own branch", RESULTS=branch)
        assert (done.returncode, done.stderr) == (0, "")
        return {path.parts[-3] for path in tmp_path.glob("results/*/r/a.json")}

    git("init", "--quiet", "--initial-branch=main", cwd=tmp_path)
    commit(tmp_path, {"results/2026-01-01/r/a.json": "a"})
    assert days() == {"2026-01-01"}, "there is no such branch yet"
    commit(tmp_path, {"docs/a.md": "old", "results/README.md": "old", "results/2026-01-01/r/a.json": "a"})
    commit(tmp_path, {"results/2026-01-02/r/a.json": "b"})
    git("update-ref", branch, "HEAD", cwd=tmp_path)
    git("reset", "--quiet", "--hard", "HEAD^", cwd=tmp_path)
    commit(tmp_path, {"docs/a.md": "new", "results/README.md": "new", "results/2026-01-03/r/a.json": "c"})
    assert days() == {"2026-01-01", "2026-01-02", "2026-01-03"}
    assert {(tmp_path / path).read_text() for path in ("docs/a.md", "results/README.md")} == {"new"}


OLD, NEW = "results/2025-01-01/r0/old.json", 'results/2026-01-01/r1/a "b"\n.json'


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """Make a repository with a result, and a `python` that notes its arguments."""
    git("init", "--quiet", "--initial-branch=main", cwd=tmp_path)
    commit(tmp_path, {OLD: "old", "docs/a.md": "a", ".gitignore": "python\nseen\n"})
    (tmp_path / "python").write_text("#!/bin/sh\nprintf '%s\\0' \"$@\" >seen\n")
    (tmp_path / "python").chmod(0o755)
    return tmp_path


def check_new_results(checkout: Path) -> tuple[subprocess.CompletedProcess[str], list[str]]:
    """Check the last commit as a pull request; return the arguments of the command as well."""
    path = f"{checkout}:{os.environ['PATH']}"
    done = run_step(checkout, "new results", PATH=path)
    seen = checkout / "seen"
    return done, seen.read_text().split("\0")[:-1] if seen.exists() else []


@pytest.mark.parametrize(
    ("files", "refusal", "checked"),
    [
        ({"docs/a.md": "changed", "results/README.md": "", "results/result.schema.json": ""}, "", []),
        ({NEW: ""}, "", [NEW]),
        ({"results/r1/a.json": "", "results/local/a.json": ""}, "", ["results/local/a.json", "results/r1/a.json"]),
        ({"results/2026-01-01/r1/a.py": ""}, "", ["results/2026-01-01/r1/a.py"]),
        ({OLD: "changed"}, OLD, []),
        ({OLD: None, NEW: "old"}, OLD, []),
        ({NEW: "", "docs/a.md": "changed"}, "docs/a.md", []),
        ({NEW: "", "results/README.md": ""}, "results/README.md", []),
    ],
)
def test_pull_request_may_only_add_checked_results(
    checkout: Path, files: dict[str, str | None], refusal: str, checked: list[str]
) -> None:
    commit(checkout, files)
    done, arguments = check_new_results(checkout)
    assert (done.returncode, done.stdout.partition("\n::error::")[0]) == (bool(refusal), refusal)
    assert arguments == (["-m", "generate", "check", "--strict", *checked] if checked else [])


@pytest.mark.parametrize("place", ["results/2026-01-01", "results/2026-01-01/r1/a.json", "results/a.json"])
@pytest.mark.parametrize("mode", ["120000", "160000", "100755"], ids=["link", "submodule", "program"])
def test_result_that_is_no_plain_file_is_refused(checkout: Path, place: str, mode: str) -> None:
    entry = git("rev-parse", "HEAD" if mode == "160000" else f"HEAD:{OLD}", cwd=checkout)
    git("update-index", "--add", "--cacheinfo", f"{mode},{entry},{place}", cwd=checkout)
    git("commit", "--quiet", "--message=it", cwd=checkout)
    done, arguments = check_new_results(checkout)
    assert (done.returncode, arguments) == (1, [])
    assert f" {mode} " in done.stdout
    assert "::error::results are plain files" in done.stdout


@pytest.mark.parametrize(("million_bytes", "status"), [(900, 0), (901, 1)])
def test_site_too_large_for_pages_fails(tmp_path: Path, million_bytes: int, status: int) -> None:
    site = tmp_path / "build" / "site"
    site.mkdir(parents=True)
    with (site / "sparse").open("wb") as stream:
        stream.truncate(million_bytes * 1_000_000 - site.stat().st_size)
    done = run_step(tmp_path, "size")
    assert done.returncode == status, done.stderr
    assert f"the site has {million_bytes}MB" in done.stdout
    assert ("::error::" in done.stdout) == bool(status)


def test_collecting_finds_the_names_of_artifacts() -> None:
    jobs = WORKFLOWS["measure.yml"]["jobs"]
    (upload,) = (each["with"]["name"] for each in jobs["measure"]["steps"] if "/upload-" in each.get("uses", ""))
    name = upload.replace("${{ matrix.id }}", "macos-26--job2").replace("${{ github.run_attempt }}", "2")
    match = artifacts.JOB.fullmatch(name)
    assert match is not None
    assert match.groups() == ("macos-26--job2", "2")
    assert artifacts.PLAN.fullmatch("run-plan.2")
    downloads = [each["with"] for each in jobs["collect"]["steps"] if "/download-" in each.get("uses", "")]
    assert downloads[1]["pattern"] == f"{artifacts.PREFIX}*"
    assert downloads[1]["skip-decompress"], "Python reads what is planned"
