"""The layers that pyproject.toml lists hold, and an import that breaks one fails `make lint`."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from outside import ROOT

PACKAGES = ("runners", "generate", "actions")


def lint_imports(folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(  # noqa: S603 - our own linter
        [Path(sys.executable).with_name("lint-imports"), "--no-cache"],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture
def copied(tmp_path: Path) -> Path:
    """Copy the packages and the contracts, so that an import can be planted."""
    for package in PACKAGES:
        shutil.copytree(ROOT / package, tmp_path / package, ignore=shutil.ignore_patterns("__pycache__", "assets"))
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    return tmp_path


def test_the_imports_go_one_way() -> None:
    done = lint_imports(ROOT)
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize(
    ("importer", "imported"),
    [
        ("generate/statistics/intervals.py", "generate.pages.tables"),
        ("generate/results/load.py", "actions.dispatch"),
        ("runners/harness/run/plan.py", "generate.results.load"),
        ("runners/harness/record/model.py", "runners.harness.run.plan"),
        ("runners/harness/process/launcher.py", "runners.download"),
        ("runners/power/threads.py", "runners.harness.observe"),
        ("runners/power/threads.py", "runners.primes"),
        ("runners/power/workload.py", "runners.power.scenario"),
        ("runners/harness/measure.py", "runners.power.scenario"),
        ("runners/harness/contract.py", "click"),
        ("actions/publish.py", "numpy"),
    ],
)
def test_an_import_that_breaks_a_layer_is_refused(copied: Path, importer: str, imported: str) -> None:
    path = copied / importer
    path.write_text(f"{path.read_text(encoding='utf-8')}\nimport {imported}\n", encoding="utf-8")
    done = lint_imports(copied)
    assert done.returncode != 0
    assert imported.replace("/", ".") in done.stdout


def test_what_contributing_points_to_is_there() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    links = re.findall(r"\[(?:`(\w+)`|[^\]`]+)\]\(([^)#:]+)\)", text)
    assert len([name for name, _ in links if name]) > 20
    for name, path in links:
        place = ROOT / path
        assert place.exists(), path
        if name:
            defined = re.compile(rf"^(?:    )?(?:def |class )?{name}\b", re.MULTILINE)
            assert defined.search(place.read_text(encoding="utf-8")), name
