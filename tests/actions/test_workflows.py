"""The workflows against what they call: names, choices, pins, permissions, and what jobs hand each other."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import click
import pytest
import yaml
from repository import commit, git
from workflow import FOLDER, MATRIX, WORKFLOWS, need_the_same_matrix

from actions import artifacts, cost, dispatch
from actions.__main__ import main as actions
from generate.downloads.index import CITATION, CODE_LICENSE, DATA_LICENSE
from runners.harness import matrix
from runners.harness.catalogue import scenarios as catalogue
from runners.harness.run.plan import ROUNDS

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

KNOWN = matrix.read()


def inputs() -> dict[str, Any]:
    found: dict[str, Any] = WORKFLOWS["measure.yml"][True]["workflow_dispatch"]["inputs"]  # "on" is true in YAML 1.1
    return found


def test_the_form_s_choices_and_defaults_are_names_that_the_plan_knows() -> None:
    form = inputs()
    assert form["profile"]["options"] == [*dispatch.PROFILES]
    assert {*dispatch.PROFILES} <= {*ROUNDS}
    of_form = {name: field["default"] for name, field in form.items()}
    made = dispatch.planned(of_form, catalogue.find(), matrix.read(MATRIX))
    assert made.cells
    for choice in form["publish"]["options"]:
        dispatch.planned({"publish": choice}, catalogue.find())
    assert form["repeats"]["options"] == [str(number) for number in range(1, matrix.MOST_REPEATS + 1)]


def test_every_input_of_the_form_reaches_the_plan() -> None:
    steps = WORKFLOWS["measure.yml"]["jobs"]["plan"]["steps"]
    environment = next(step["env"] for step in steps if step.get("id") == "plan")
    assert environment.keys() == {f"INPUT_{name.upper()}" for name in inputs()}


def test_the_schedule_measures_everything_in_full_and_once_a_month_the_map() -> None:
    text = (FOLDER / "measure.yml").read_text(encoding="utf-8")
    schedule = WORKFLOWS["measure.yml"][True].get("schedule")
    if schedule is None:
        pytest.skip("measure.yml has no schedule any more, as the README says how to have it")
    weekly, monthly = (entry["cron"] for entry in schedule)
    chosen = f"inputs.profile || (github.event.schedule == '{monthly}' && 'map') || 'full' "
    assert text.count(chosen) == 2  # in the name of the run, and where it is planned
    assert weekly.endswith(" * * 6")
    assert monthly.split()[2:] == ["2", "*", "*"]
    scheduled = dispatch.planned({"profile": "full"}, catalogue.find())
    every = len(KNOWN.machine) * len(KNOWN.pythons) - len(scheduled.excluded)
    assert len(scheduled.cells) == KNOWN.repeats * every


def test_runners_are_tried_on_every_python_that_is_measured_and_they_and_what_goes_wrong_on_three_systems() -> None:
    jobs = WORKFLOWS["check.yml"]["jobs"]
    tried = jobs["runners"]["strategy"]["matrix"]
    assert {*tried["python"]} == {python for python in KNOWN.versions if not python.startswith("pypy")}
    measured = {python for python in matrix.read(MATRIX).versions if not python.startswith("pypy")}
    assert measured <= {*tried["python"]}, "a Python of matrix.toml that check.yml does not try"
    assert {*tried["machine"]} <= {machine.label for machine in KNOWN.machine}
    assert {label.partition("-")[0] for label in tried["machine"]} == {"ubuntu", "macos", "windows"}
    assert jobs["faults"]["strategy"]["matrix"]["machine"] == tried["machine"]
    paths = re.findall(r"tests/\S+", f"{jobs['faults']['steps'][-1]['run']} {jobs['runners']['steps'][-1]['run']}")
    assert {path.rpartition("/")[2] for path in paths} >= {
        "process",
        "test_interruption.py",
        "test_files.py",
        "test_every_runner.py",
    }
    assert all((catalogue.ROOT / path).exists() for path in paths)


def test_a_private_repository_pays_for_no_machine_of_another_system_to_check() -> None:
    for name, job in WORKFLOWS["check.yml"]["jobs"].items():
        machines = job.get("strategy", {}).get("matrix", {}).get("machine", [job["runs-on"]])
        is_paid_for = not {*machines} <= {"ubuntu-24.04"}
        assert ("!github.event.repository.private" in job.get("if", "")) is is_paid_for, name
        assert "needs" not in job, f"{name} would be skipped with what it needs"


def test_every_job_says_what_it_may_and_one_alone_may_write_contents() -> None:
    writers = []
    for name, workflow in WORKFLOWS.items():
        assert workflow["permissions"] == {}, name
        for job, facts in workflow["jobs"].items():
            assert "permissions" in facts, (name, job)
            if facts["permissions"].get("contents") == "write":
                writers.append((name, job))
    assert writers == [("measure.yml", "publish")]


def test_who_measures_or_publishes_has_the_packages_of_measuring_alone() -> None:
    pins = {
        job: step.get("with", {}).get("pins", "")
        for job, facts in WORKFLOWS["measure.yml"]["jobs"].items()
        for step in facts.get("steps", ())
        if step.get("uses") == "./.github/actions/setup"
    }
    few = "requirements/measure.txt"
    assert pins == {"plan": few, "measure": few, "collect": "", "publish": few}


def test_uv_is_the_one_that_is_pinned() -> None:
    action = yaml.safe_load((FOLDER.parent / "actions" / "setup" / "action.yml").read_text(encoding="utf-8"))
    uv = next(step["with"] for step in action["runs"]["steps"] if "setup-uv" in step.get("uses", ""))
    for name in ("uv.txt", "site.txt", "measure.txt"):
        pins = (catalogue.ROOT / "requirements" / name).read_text(encoding="utf-8")
        assert re.findall(r"^uv==(\S+)", pins, re.MULTILINE) == [uv["version"]], f"{name} has another uv"
    assert uv["github-token"] == ""


def scripts(workflow: str, job: str) -> list[str]:
    """Return what the steps of a job run."""
    return [step.get("run", "") for step in WORKFLOWS[workflow]["jobs"][job].get("steps", ())]


def test_every_command_that_a_workflow_calls_is_there() -> None:
    jobs = [(name, job) for name, workflow in WORKFLOWS.items() for job in workflow["jobs"]]
    text = "\n".join(script for place in jobs for script in scripts(*place))
    calls = re.findall(r"python -m actions (\w+)(.*)", text)
    context = click.Context(actions)
    assert {name for name, _ in calls} == {*actions.list_commands(context)}
    for name, rest in calls:
        command = actions.get_command(context, name)
        assert command is not None
        options = {param.opts[0]: param for param in command.params}
        given = {*re.findall(r"(--\w+)", rest)}
        assert given <= {*options}, name
        assert {option for option, param in options.items() if param.required} <= given, name


def test_what_a_step_hands_on_reaches_who_asks_for_it() -> None:
    jobs = WORKFLOWS["measure.yml"]["jobs"]
    for job, module in (("plan", "dispatch"), ("collect", "collect")):
        source = (catalogue.ROOT / "actions" / f"{module}.py").read_text(encoding="utf-8")
        handed_on = {*re.findall(r'hand_on\("(\w+)"', source)}
        for name, value in jobs[job]["outputs"].items():
            assert name == "artifact" or (value == f"${{{{ steps.{job}.outputs.{name} }}}}" and name in handed_on)
    environment = jobs["publish"]["steps"][-1]["env"]
    assert environment["COLLECTED_SHA256"] == "${{ needs.collect.outputs.collected_sha256 }}"


def test_what_is_asked_of_publish_decides_whether_anything_is_published() -> None:
    jobs = WORKFLOWS["measure.yml"]["jobs"]
    assert jobs["plan"]["outputs"]["publish"] == "${{ steps.plan.outputs.publish }}"
    assert "needs.plan.outputs.publish == 'true'" in jobs["publish"]["if"]
    assert {"plan", "collect"} <= {*jobs["publish"]["needs"]}


def test_a_cell_that_failed_keeps_no_site_from_being_built_and_deployed() -> None:
    for name in ("build", "deploy"):  # called by measure, they come after jobs that may have failed
        assert WORKFLOWS["publish.yml"]["jobs"][name]["if"].startswith("${{ !cancelled()")
    assert "needs.build.result == 'success'" in WORKFLOWS["publish.yml"]["jobs"]["deploy"]["if"]


def test_a_run_of_which_a_cell_is_missing_is_red_and_published_all_the_same() -> None:
    jobs = WORKFLOWS["measure.yml"]["jobs"]
    assert "needs.collect.outputs.missing != '0'" in jobs["missing"]["if"]
    assert all("missing" not in job.get("needs", []) for job in jobs.values())


def test_what_the_plan_says_of_a_job_is_what_the_workflow_asks_for() -> None:
    job = WORKFLOWS["measure.yml"]["jobs"]["measure"]
    (step,) = [step for step in job["steps"] if "JOB" in step.get("env", {})]
    limits = (job["timeout-minutes"], step["timeout-minutes"])
    assert limits == ("${{ matrix.job_minutes }}", "${{ matrix.step_minutes }}")
    plan = dispatch.planned({"pythons": "3.13"}, catalogue.find())
    of_jobs = dispatch.matrix_of(plan, KNOWN.minutes)
    for used in re.findall(r"\$\{\{ matrix\.(\w+) \}\}", (FOLDER / "measure.yml").read_text(encoding="utf-8")):
        assert all(used in of_job for of_job in of_jobs), used


def test_the_name_of_a_run_says_what_was_asked() -> None:
    assert {*re.findall(r"inputs\.(\w+)", WORKFLOWS["measure.yml"]["run-name"])} == {*inputs()}


def test_whatever_the_site_is_made_of_starts_it_anew() -> None:
    started = WORKFLOWS["publish.yml"][True]["push"]["paths"]
    folders = {path.removesuffix("/**") for path in started}
    assert all((catalogue.ROOT / folder).exists() for folder in folders)
    assert {"docs", "generate", "results", "runners", "requirements", "mkdocs.yml", ".github/actions"} <= folders
    beside_the_site = {path.relative_to(catalogue.ROOT) for path in (DATA_LICENSE, CITATION, CODE_LICENSE)}
    assert {path.as_posix() for path in beside_the_site if path.parts[0] not in folders} <= folders
    assert "LICENSE" in folders


def step(name: str, workflow: str = "publish.yml", job: str = "build") -> str:
    steps = WORKFLOWS[workflow]["jobs"][job]["steps"]
    return next(str(step["run"]) for step in steps if step.get("name") == name)


def in_bash(folder: Path, script: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a script as GitHub does."""
    bash = shutil.which("bash")
    if bash is None or sys.platform != "linux":
        pytest.skip("steps of jobs on Linux")
    command = [bash, "--noprofile", "--norc", "-eo", "pipefail", "-c", script]
    own = {"PATH": os.environ["PATH"], **environment}
    return subprocess.run(command, cwd=folder, env=own, capture_output=True, text=True, check=False)  # noqa: S603 - ours


RESULTS = "refs/remotes/origin/results"


@pytest.fixture
def days(tmp_path: Path) -> Callable[[], set[str]]:
    """Return what gives the days that the site has, once the step has put the results' branch beside main."""
    git("init", "--quiet", "--initial-branch=main", cwd=tmp_path)

    def of_site() -> set[str]:
        done = in_bash(tmp_path, step("results of their own branch"), RESULTS=RESULTS)
        assert (done.returncode, done.stderr) == (0, "")
        return {path.parts[-3] for path in tmp_path.glob("results/*/r/a.json")}

    return of_site


def test_the_site_takes_days_from_the_results_branch_and_all_else_from_main(
    tmp_path: Path, days: Callable[[], set[str]]
) -> None:
    commit(tmp_path, {"docs/a.md": "old", "results/README.md": "old", "results/2026-01-01/r/a.json": "a"})
    commit(tmp_path, {"results/2026-01-02/r/a.json": "b"})
    in_bash(tmp_path, f"git update-ref {RESULTS} HEAD; git reset --quiet --hard HEAD^")
    commit(tmp_path, {"docs/a.md": "new", "results/README.md": "new", "results/2026-01-03/r/a.json": "c"})
    assert days() == {"2026-01-01", "2026-01-02", "2026-01-03"}
    assert {(tmp_path / path).read_text() for path in ("docs/a.md", "results/README.md")} == {"new"}


@pytest.mark.parametrize("script", [f"git update-ref {RESULTS} HEAD", ""], ids=["without a day", "not there"])
def test_a_results_branch_without_a_day_or_none_leaves_the_site_with_main_s(
    tmp_path: Path, days: Callable[[], set[str]], script: str
) -> None:
    commit(tmp_path, {"results/README.md": "old"})
    in_bash(tmp_path, script)
    commit(tmp_path, {"results/2026-01-01/r/a.json": "a"})
    assert days() == {"2026-01-01"}


def test_a_day_leaves_the_site_when_both_branches_have_lost_it(tmp_path: Path, days: Callable[[], set[str]]) -> None:
    commit(tmp_path, {f"results/2026-01-0{day}/r/a.json": "a" for day in (1, 2)})
    in_bash(tmp_path, f"git update-ref {RESULTS} HEAD; git rm -r --quiet results/2026-01-01")
    commit(tmp_path, {"README.md": "without the first day"})
    assert days() == {"2026-01-01", "2026-01-02"}
    in_bash(tmp_path, f"git reset --quiet --hard; git update-ref {RESULTS} HEAD")
    assert days() == {"2026-01-02"}


def test_the_site_s_checkout_brings_the_results_branch_where_there_is_to_be_one() -> None:
    checkout = WORKFLOWS["publish.yml"]["jobs"]["build"]["steps"][0]["with"]
    assert (checkout["ref"], checkout["fetch-depth"]) == ("main", "${{ vars.RESULTS_BRANCH && '0' || '1' }}")


@pytest.mark.parametrize(("status", "passes"), [(0, True), (1, False), (2, False), (3, True)])
@pytest.mark.parametrize(("workflow", "job"), [("publish.yml", "build"), ("check.yml", "contributed")])
def test_results_that_can_t_be_used_fail_no_site(
    tmp_path: Path, workflow: str, job: str, status: int, *, passes: bool
) -> None:
    (line,) = [line for script in scripts(workflow, job) for line in script.splitlines() if "-m generate ||" in line]
    (tmp_path / "python").write_text(f"#!/bin/sh\nexit {status}\n")
    (tmp_path / "python").chmod(0o755)
    done = in_bash(tmp_path, line, PATH=f"{tmp_path}:{os.environ['PATH']}")
    assert (done.returncode == 0) is passes


OLD, NEW = "results/2025-01-01/r0/old.json", 'results/2026-01-01/r1/a "b"\n.json'


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
def test_new_results_of_a_pull_request_are_checked_and_nothing_beside_or_in_place_of_results_is_taken(
    tmp_path: Path, files: dict[str, str | None], refusal: str, checked: list[str]
) -> None:
    git("init", "--quiet", "--initial-branch=main", cwd=tmp_path)
    commit(tmp_path, {OLD: "old", "docs/a.md": "a", ".gitignore": "python\nseen\n"})
    commit(tmp_path, files)
    (tmp_path / "python").write_text("#!/bin/sh\nprintf '%s\\0' \"$@\" >seen\n")
    (tmp_path / "python").chmod(0o755)
    done = in_bash(tmp_path, step("new results", "check.yml", "contributed"), PATH=f"{tmp_path}:{os.environ['PATH']}")
    assert (done.returncode, done.stdout.partition("\n::error::")[0]) == (bool(refusal), refusal)
    seen = tmp_path / "seen"
    asked = ["-m", "generate", "check", "--strict", *checked] if checked else []
    assert (seen.read_text().split("\0")[:-1] if seen.exists() else []) == asked


@pytest.mark.parametrize("place", ["results/2026-01-01", "results/2026-01-01/r1/a.json", "results/a.json"])
@pytest.mark.parametrize("mode", ["120000", "160000", "100755"], ids=["link", "submodule", "program"])
def test_a_result_that_is_no_plain_file_is_refused(tmp_path: Path, place: str, mode: str) -> None:
    git("init", "--quiet", "--initial-branch=main", cwd=tmp_path)
    commit(tmp_path, {OLD: "old"})
    entry = git("rev-parse", "HEAD" if mode == "160000" else f"HEAD:{OLD}", cwd=tmp_path).strip()
    git("update-index", "--add", "--cacheinfo", f"{mode},{entry},{place}", cwd=tmp_path)
    git("commit", "--quiet", "--message=it", cwd=tmp_path)
    done = in_bash(tmp_path, step("new results", "check.yml", "contributed"), PATH=f"{tmp_path}:{os.environ['PATH']}")
    assert done.returncode == 1
    assert f" {mode} " in done.stdout
    assert done.stdout.endswith("::error::results are plain files: no links, no submodules, nothing that runs\n")


@pytest.mark.parametrize(("million_bytes", "status"), [(900, 0), (901, 1)])
def test_a_site_that_pages_would_not_take_is_reported_before_it_is_put_there(
    tmp_path: Path, million_bytes: int, status: int
) -> None:
    site = tmp_path / "build" / "site"
    site.mkdir(parents=True)
    with (site / "sparse").open("wb") as stream:
        stream.truncate(million_bytes * 1_000_000 - site.stat().st_size)
    done = in_bash(tmp_path, step("size"))
    assert done.returncode == status, done.stderr
    assert f"the site has {million_bytes}MB; Pages takes 1000MB" in done.stdout
    for words in ("::error::", "results/ (.github/workflows/README.md, How it grows)"):
        assert (words in done.stdout) == bool(status)
    assert "\n## How it grows\n" in (FOLDER / "README.md").read_text(encoding="utf-8")


def test_the_table_of_workflows_has_every_workflow_and_input() -> None:
    table = (FOLDER / "README.md").read_text(encoding="utf-8")
    for name in WORKFLOWS:
        assert f"]({name})" in table
    for name, field in inputs().items():
        row = next(line for line in table.splitlines() if line.startswith(f"| {name} |"))
        assert not field["default"] or str(field["default"]) in row


def test_the_machines_and_pythons_of_runs_are_what_they_have_to_be() -> None:
    known = matrix.read(MATRIX)
    assert known.reference in known.pythons
    assert all(one.reason for one in known.exclude)
    assert not any(machine.label.endswith("latest") for machine in known.machine)


def test_the_figures_of_the_readme_and_the_form_are_those_of_the_plan() -> None:
    need_the_same_matrix()
    text = (FOLDER / "README.md").read_text(encoding="utf-8")
    form = {name: field["default"] for name, field in inputs().items()}
    one = {"machines": "ubuntu-24.04", "pythons": "3.13"}
    for inputs_, words in (
        (one, "a quick run of one build"),
        (form, "a quick run as the form stands"),
        ({**one, "profile": "full"}, "a full run of one build"),
        ({"profile": "map"}, "the map, once a month"),
        ({"profile": "full"}, "the schedule"),
    ):
        plan = dispatch.planned(inputs_, catalogue.find())
        minutes = [cost.expected_minutes(plan, job, KNOWN.minutes) for job in plan.jobs]
        assert f"| {words} | {len(plan.cells)} | {len(plan.jobs)} | {sum(minutes):,.0f} |" in text
    assert f"{sum(minutes) / 60:.0f} hours of jobs" in inputs()["machines"]["description"]


@pytest.mark.parametrize(
    ("required", "outcome", "words"),
    [
        ("1", pytest.fail.Exception, "copy it there, and mend the figures of README.md, "),
        ("0", pytest.skip.Exception, "copy it there"),
    ],
)
def test_a_matrix_that_is_not_its_copy_fails_here_and_skips_in_a_fork_that_changed_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, required: str, outcome: type[BaseException], words: str
) -> None:
    monkeypatch.setenv("REQUIRE_SAME_MATRIX", required)
    own, copy = tmp_path / "matrix.toml", matrix.FILE.read_text(encoding="utf-8")
    monkeypatch.setattr("workflow.MATRIX", own)
    own.write_text(f"# only a remark is another\n{copy}", encoding="utf-8")
    need_the_same_matrix()
    own.write_text(copy.replace('"3.10", ', ""), encoding="utf-8")
    with pytest.raises(outcome, match=words):
        need_the_same_matrix()


def test_the_check_wants_the_same_matrix_save_in_forks_and_private_copies() -> None:
    (step,) = [step for step in WORKFLOWS["check.yml"]["jobs"]["all"]["steps"] if step.get("run") == ".ci/run"]
    here = "!github.event.repository.fork && !github.event.repository.private"
    assert step["env"] == {"REQUIRE_SAME_MATRIX": f"${{{{ {here} && '1' || '0' }}}}"}
    script = (catalogue.ROOT / ".ci" / "run").read_text(encoding="utf-8")
    assert 'export REQUIRE_SAME_MATRIX="${REQUIRE_SAME_MATRIX:-1}" ' in script


def of_artifacts(job: str, action: str) -> list[dict[str, Any]]:
    steps = WORKFLOWS["measure.yml"]["jobs"][job]["steps"]
    return [step["with"] for step in steps if f"/{action}-artifact@" in step.get("uses", "")]


def test_every_artifact_is_named_by_the_attempt_and_who_takes_it_is_reported_its_name() -> None:
    jobs = WORKFLOWS["measure.yml"]["jobs"]
    attempt = "${{ github.run_attempt }}"
    for job, name in (("plan", "run-plan"), ("measure", "run-${{ matrix.id }}"), ("collect", "collected")):
        assert [step["name"] for step in of_artifacts(job, "upload")] == [f"{name}.{attempt}"]
    for job, name in (("plan", "run-plan"), ("collect", "collected")):
        assert jobs[job]["outputs"]["artifact"] == f"{name}.{attempt}"
    taken = {job: [step.get("name") for step in of_artifacts(job, "download")] for job in jobs if "steps" in jobs[job]}
    of_plan, of_collect = (f"${{{{ needs.{job}.outputs.artifact }}}}" for job in ("plan", "collect"))
    assert {job: names for job, names in taken.items() if names} == {
        "measure": [of_plan],
        "collect": [of_plan, None],
        "publish": [of_plan, of_collect],
    }


def test_what_a_job_measured_is_uploaded_however_the_job_ends() -> None:
    steps = WORKFLOWS["measure.yml"]["jobs"]["measure"]["steps"]
    (upload,) = [step for step in steps if "/upload-artifact@" in step.get("uses", "")]
    assert upload["if"] == "${{ always() }}"


def test_a_site_s_artifact_has_a_name_that_no_job_before_could_take(tmp_path: Path) -> None:
    build, deploy = (WORKFLOWS["publish.yml"]["jobs"][name] for name in ("build", "deploy"))
    (naming,) = [step for step in build["steps"] if step.get("id") == "name"]
    (upload,) = [step for step in build["steps"] if "/upload-pages-artifact@" in step.get("uses", "")]
    named = "${{ steps.name.outputs.artifact }}"
    assert upload["with"]["name"] == build["outputs"]["artifact"] == named
    assert deploy["steps"][0]["with"]["artifact_name"] == "${{ needs.build.outputs.artifact }}"
    output = tmp_path / "output"
    for _ in range(2):
        done = in_bash(tmp_path, naming["run"], GITHUB_RUN_ATTEMPT="2", GITHUB_OUTPUT=str(output))
        assert (done.returncode, done.stderr) == (0, "")
    names = output.read_text().splitlines()
    assert all(re.fullmatch(r"artifact=pages-2-[0-9a-f]{16}", name) for name in names)
    assert len({*names}) == 2


def test_the_names_of_artifacts_are_those_that_collecting_looks_for() -> None:
    (upload,) = of_artifacts("measure", "upload")
    name = upload["name"].replace("${{ matrix.id }}", "macos-26--job2").replace("${{ github.run_attempt }}", "2")
    match = artifacts.OF_A_JOB.fullmatch(name)
    assert match is not None
    assert match.groups() == ("macos-26--job2", "2")
    assert artifacts.PLAN.fullmatch("run-plan.2")
    assert of_artifacts("collect", "download")[1]["pattern"] == f"{artifacts.PREFIX}*"


def test_what_the_cells_left_is_not_unpacked_before_python_reads_it_and_a_broken_zip_costs_its_cell_alone() -> None:
    download = of_artifacts("collect", "download")[1]
    assert download["skip-decompress"] is True
    assert download["digest-mismatch"] == "warn"
