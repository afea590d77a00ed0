"""The way from result files to the site's sources."""

import importlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from factory import REFERENCE, Plan, build
from sample_site import BUNDLE, DOCS, HERE, letters, write_results

from generate.data.files import ResultFile
from generate.pages.hand_written import PageError
from generate.site import pipeline
from generate.site.pipeline import Site
from generate.words.patterns import FILE_BREAKS
from runners.harness.record.model import Record

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


STEPS: dict[str, tuple[str, Callable[..., Record]]] = {
    "the gate": ("generate.data.gate.CheckedRecord", lambda file, *_, **__: file.record),
    "pooling": ("generate.data.results.summarise", lambda result, *_: result.record),
    "pages": ("generate.pages.machines_and_builds._result_page", lambda _, cell, *__: cell.record),
}
"""Functions of three steps, and the record that each is called with."""


def break_at(monkeypatch: pytest.MonkeyPatch, step: str, is_broken: Callable[[Record], bool]) -> None:
    """Let a step fail for some records, as a fault of ours would."""
    place, record_of = STEPS[step]
    module, _, name = place.rpartition(".")
    function: Callable[..., object] = getattr(importlib.import_module(module), name)

    def failing(*arguments: Any, **named: Any) -> object:  # noqa: ANN401 - those of any step
        if is_broken(record_of(*arguments, **named)):
            raise KeyError(step)
        return function(*arguments, **named)

    monkeypatch.setattr(place, failing)


@pytest.mark.parametrize("step", STEPS)
def test_file_that_breaks_a_step_is_named_and_left_out(
    results: Path, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    break_at(monkeypatch, step, lambda record: record.machine.label == "other")
    made = site(results)
    (problem,) = made.results.problems
    assert problem.path == "2026-01-01/s/d.json"
    assert problem.message.startswith(FILE_BREAKS.format(f"KeyError: '{step}'"))
    assert made.results.current_paths == {*PLANS} - {problem.path}


@pytest.mark.parametrize("is_broken", [lambda _: True, lambda record: record.run.id != "s"], ids=["all", "most"])
def test_fault_of_ours_is_raised(
    results: Path, monkeypatch: pytest.MonkeyPatch, is_broken: Callable[[Record], bool]
) -> None:
    break_at(monkeypatch, "pooling", is_broken)
    with pytest.raises(KeyError):
        site(results)


def test_fault_that_needs_no_file_is_raised(results: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pipeline, "judge_claims", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        site(results)


def test_mistake_in_a_page_names_its_line(results: Path, tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs/index.md").write_text("{{ no_such_function() }}")
    with pytest.raises(PageError, match=r"index\.md:1"):
        site(results, tmp_path / "docs")
