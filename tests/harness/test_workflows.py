"""The workflows against what they call: names, choices, pins and permissions."""

from __future__ import annotations

import re
import subprocess
import sys
from typing import Any

import pytest
import yaml

from runners.harness import catalogue, matrix
from runners.harness.actions import actions
from runners.harness.plan import ROUNDS

FOLDER = catalogue.ROOT / ".github" / "workflows"
FILES = sorted([*FOLDER.glob("*.yml"), *(catalogue.ROOT / ".github" / "actions").rglob("*.yml")])
WORKFLOWS = {path.name: yaml.safe_load(path.read_text(encoding="utf-8")) for path in FOLDER.glob("*.yml")}
KNOWN = matrix.read()
USES = re.compile(r"uses: (\S+)(.*)")


def inputs() -> dict[str, Any]:
    found: dict[str, Any] = WORKFLOWS["measure.yml"][True]["workflow_dispatch"]["inputs"]  # "on" is true in YAML 1.1
    return found


def test_the_form_s_choices_and_defaults_are_names_that_the_plan_knows() -> None:
    form = inputs()
    assert form["profile"]["options"] == [*ROUNDS]
    made = matrix.planned({name: field["default"] for name, field in form.items()}, catalogue.find())
    assert made.cells
    for choice in form["publish"]["options"]:
        matrix.planned({"publish": choice}, catalogue.find())


def test_every_input_of_the_form_reaches_the_plan() -> None:
    steps = WORKFLOWS["measure.yml"]["jobs"]["plan"]["steps"]
    told = next(step["env"] for step in steps if step.get("id") == "plan")
    assert told.keys() == {f"INPUT_{name.upper()}" for name in inputs()}


def test_the_schedule_measures_everything_in_full() -> None:
    text = (FOLDER / "measure.yml").read_text(encoding="utf-8")
    assert "inputs.profile || 'full'" in text
    scheduled = matrix.planned({"profile": "full"}, catalogue.find())
    assert len(scheduled.cells) + len(scheduled.excluded) == len(KNOWN.machine) * len(KNOWN.pythons)


def test_runners_are_tried_on_every_python_that_is_measured_and_on_three_systems() -> None:
    tried = WORKFLOWS["check.yml"]["jobs"]["runners"]["strategy"]["matrix"]
    assert {*tried["python"]} == {python for python in KNOWN.pythons if not python.startswith("pypy")}
    assert {*tried["machine"]} <= {machine.label for machine in KNOWN.machine}
    assert {label.partition("-")[0] for label in tried["machine"]} == {"ubuntu", "macos", "windows"}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_every_foreign_action_is_pinned_to_a_commit_and_says_its_version(path: Any) -> None:  # noqa: ANN401 - a path
    for name, rest in USES.findall(path.read_text(encoding="utf-8")):
        if not name.startswith("./"):
            assert re.fullmatch(r"[\w.-]+/[\w./-]+@[0-9a-f]{40}", name), name
            assert re.fullmatch(r" # v\d+\.\d+\.\d+", rest), name


def test_every_job_says_what_it_may_and_one_alone_may_write_contents() -> None:
    writers = []
    for name, workflow in WORKFLOWS.items():
        assert workflow["permissions"] == {}, name
        for job, facts in workflow["jobs"].items():
            assert "permissions" in facts, (name, job)
            if facts["permissions"].get("contents") == "write":
                writers.append((name, job))
    assert writers == [("measure.yml", "publish")]


def test_nothing_that_anybody_typed_stands_in_a_script() -> None:
    for workflow in WORKFLOWS.values():
        for job in workflow["jobs"].values():
            for step in job.get("steps", ()):
                assert "${{" not in step.get("run", ""), step


def test_who_measures_needs_nothing_of_the_site() -> None:
    wanted = (catalogue.ROOT / "requirements" / "measure.in").read_text(encoding="utf-8").split("\n")[1:]
    done = subprocess.run(
        [sys.executable, "-c", "import sys, runners.harness.__main__; print(*sys.modules)"],
        cwd=catalogue.ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    loaded = {name.partition(".")[0] for name in done.stdout.split()}
    assert {"click", "msgspec"} <= {*wanted} & loaded
    assert not {"numpy", "pandas", "plotly", "mkdocs", "duckdb", "jinja2", "generate"} & loaded


def test_every_command_that_a_workflow_calls_is_there() -> None:
    text = "\n".join(path.read_text(encoding="utf-8") for path in FILES)
    called = {*re.findall(r"python -m runners actions (\w+)", text)}
    assert called == {*actions.commands}


def test_the_table_of_workflows_has_every_workflow_and_input() -> None:
    table = (FOLDER / "README.md").read_text(encoding="utf-8")
    for name in WORKFLOWS:
        assert f"]({name})" in table
    for name, field in inputs().items():
        row = next(line for line in table.splitlines() if line.startswith(f"| {name} |"))
        assert not field["default"] or str(field["default"]) in row
