"""The layers that pyproject.toml lists hold, and an import that breaks one fails `make lint`."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

from outside import ROOT

PACKAGES = ("runners", "generate", "actions")
PLANTED = [
    ("generate.data.estimates", "generate.words.numbers"),
    ("generate.data.read", "actions.dispatch"),
    ("generate.words.numbers", "generate.comparison"),
    ("generate.comparison", "generate.layout"),
    ("generate.layout", "generate.compare"),
    ("generate.compare", "generate.claims.board"),
    ("generate.show", "generate.check"),
    ("generate.charts.svg", "generate.claims.board"),
    ("generate.claims.marks", "generate.downloads.feed"),
    ("generate.downloads.feed", "generate.pages.pieces"),
    ("generate.pages.values", "generate.site.write"),
    ("generate.site.write", "generate.__main__"),
    ("runners.harness.run.plan", "generate.data.read"),
    ("runners.harness.record.model", "runners.harness.run.plan"),
    ("runners.harness.process.launcher", "runners.download"),
    ("runners.power.threads", "runners.harness.observe"),
    ("runners.power.workload", "runners.power.scenario"),
    ("runners.power.threads", "runners.power.scenario"),
    ("runners.harness.measure", "runners.power.scenario"),
    ("runners.harness.contract", "click"),
    ("actions.publish", "numpy"),
    ("generate.compare", "duckdb"),
]
"""Who imports what it may not."""


def lint_imports(folder: Path) -> subprocess.CompletedProcess[str]:
    command = [str(Path(sys.executable).with_name("lint-imports")), "--no-cache"]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)  # noqa: S603 - our own linter


def test_the_imports_go_one_way() -> None:
    done = lint_imports(ROOT)
    assert done.returncode == 0, done.stdout


def test_an_import_that_breaks_a_layer_is_refused(tmp_path: Path) -> None:
    for package in PACKAGES:
        shutil.copytree(ROOT / package, tmp_path / package, ignore=shutil.ignore_patterns("__pycache__", "assets"))
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    for importer, imported in PLANTED:
        with (tmp_path / importer.replace(".", "/")).with_suffix(".py").open("a", encoding="utf-8") as file:
            file.write(f"\nimport {imported}\n")
    done = lint_imports(tmp_path)
    assert done.returncode != 0
    rejected = set(re.findall(r"^-? +(\S+) -> (\S+) \(l\.\d+\)$", done.stdout, re.MULTILINE))
    assert rejected >= {*PLANTED}


def test_links_in_contributing_lead_somewhere() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    links = re.findall(r"\[(?:`(\w+)`|[^\]`]+)\]\(([^)#:]+)\)", text)
    assert len([name for name, _ in links if name]) >= 15
    for name, path in links:
        place = ROOT / path
        assert place.exists(), path
        if name:
            defined = re.compile(rf"^(?:    )?(?:def |class )?{name}\b", re.MULTILINE)
            assert defined.search(place.read_text(encoding="utf-8")), name
