"""The way from result files to the site's sources."""

from pathlib import Path

import pytest
from factory import REFERENCE, Plan, build
from sample_site import BUNDLE, DOCS, HERE, letters, write_results

from generate.data.files import ResultFile
from generate.pages.hand_written import PageError
from generate.site import pipeline
from generate.site.pipeline import Site

PLANS = {
    "2026-01-01/r/a.json": Plan(build=REFERENCE),
    "2026-01-01/r/b.json": Plan(),
    "2026-01-01/r/c.json": Plan(build=build("3.14.0")),
    "2026-01-01/s/d.json": Plan(machine="other", run_id="s"),
    "2025-01-01/t/c.json": Plan(build=build("3.14.0"), run_id="t", seed=1),
}


@pytest.fixture
def results(tmp_path: Path) -> Path:
    write_results(tmp_path / "results", PLANS, letters())
    return tmp_path / "results"


def site(results: Path, docs: Path = HERE) -> Site:
    return pipeline.build(results, docs, pipeline.Options(BUNDLE, catalogue=letters()))


def test_same_files_make_the_same_bytes(results: Path) -> None:
    first, second = site(results), site(results)
    contents = (
        {path: content.sha256 if isinstance(content, ResultFile) else content for path, content in each.files.items()}
        for each in (first, second)
    )
    assert next(contents) == next(contents)
    assert {"docs/data/SHA256SUMS", "docs/scenarios/letters.md", "mkdocs.yml"} <= first.files.keys()


def test_all_runs_of_a_result_are_pooled(results: Path) -> None:
    made = site(results, DOCS)
    assert made.results.current_paths == {*PLANS}
    (newest,) = (cell for cell in made.results.current["letters"] if cell.build == "cpython-3.14.0")
    assert {run.run for run in newest.runs} == {"fixture-1", "t"}


def test_no_results_make_a_site(tmp_path: Path) -> None:
    (tmp_path / "results").mkdir()
    made = site(tmp_path / "results")
    assert made.results.results == []
    assert "docs/scenarios/letters.md" in made.files


def test_mistake_in_a_page_names_its_line(results: Path, tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs/index.md").write_text("{{ no_such_function() }}")
    with pytest.raises(PageError, match=r"index\.md:1"):
        site(results, tmp_path / "docs")
