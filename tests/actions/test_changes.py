"""The jobs of check.yml for a change."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner
from repository import commit, git
from workflow import MATRIX

from actions.__main__ import main
from actions.changes import NEWEST, SYSTEMS, choose_combinations
from runners.harness import matrix

VERSIONS = matrix.read(MATRIX).versions
PYTHONS = [version for version in VERSIONS if not version.startswith("pypy")]


@pytest.mark.parametrize(
    ("paths", "pythons"),
    [
        (["docs/index.md", "README.md", ".github/workflows/README.md", "docs/claims/S1.toml"], []),
        ([], []),
        (["docs/index.md", "generate/check.py"], [NEWEST]),
        (["generate/templates/scenario.md"], [NEWEST]),
        (["docs.py"], [NEWEST]),
        (["runners/primes/workload.py", "docs/index.md"], PYTHONS),
        (["requirements/runners.txt"], PYTHONS),
        ([".github/workflows/check.yml"], PYTHONS),
        (None, PYTHONS),
    ],
)
def test_changes_choose_systems_and_pythons(paths: list[str] | None, pythons: list[str]) -> None:
    chosen = choose_combinations(paths, VERSIONS)
    assert chosen == [{"machine": system, "python": python} for system in SYSTEMS for python in pythons]
    assert NEWEST in PYTHONS
    assert {*SYSTEMS} <= {machine.label for machine in matrix.read(MATRIX).machine}


@pytest.mark.parametrize(("base", "count"), [("HEAD^", 0), ("HEAD^^", 3), ("0" * 40, 3 * len(PYTHONS))])
def test_changes_since_a_commit_set_the_outputs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, base: str, count: int
) -> None:
    git("init", "--quiet", "--initial-branch=main", cwd=tmp_path)
    commit(tmp_path, {"a": "a"})
    commit(tmp_path, {"generate/a.py": "a"})
    commit(tmp_path, {"docs/ä\n.md": "a"})
    output = tmp_path / "output"
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GITHUB_OUTPUT", str(output))
    assert CliRunner().invoke(main, ["changes", f"--base={base}"]).exit_code == 0
    values = dict(line.split("=", 1) for line in output.read_text().splitlines())
    assert len(json.loads(values["matrix"])["include"]) == count
    assert values["prose"] == ("false" if count else "true")
