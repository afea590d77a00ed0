"""The whole way from result files to the site's sources."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from factory import REFERENCE, Plan, build
from sample_site import BUNDLE, DOCS, HERE, letters, put

from generate.data.files import RawFile
from generate.data.selection import Result
from generate.pages.render import PageError
from generate.site import pipeline

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from generate.site.pipeline import Site
    from generate.site.write import Content

PLANS = {
    "2026-01-01/r/a.json": Plan(build=REFERENCE),
    "2026-01-01/r/b.json": Plan(),
    "2026-01-01/r/c.json": Plan(build=build("3.14.0")),
    "2026-01-01/s/d.json": Plan(machine="other", run_id="s"),
    "2025-01-01/t/c.json": Plan(build=build("3.14.0"), run_id="t", seed=1),
}


@pytest.fixture
def results(tmp_path: Path) -> Path:
    put(tmp_path / "results", PLANS, letters())
    return tmp_path / "results"


def site(results: Path, docs: Path = HERE) -> Site:
    return pipeline.build(results, docs, pipeline.Options(BUNDLE, catalogue=letters()))


def contents(files: Mapping[str, Content]) -> dict[str, bytes | str | Path]:
    return {path: one.sha256 if isinstance(one, RawFile) else one for path, one in files.items()}


def test_the_same_files_make_the_same_bytes(results: Path) -> None:
    first, second = site(results), site(results)
    assert contents(first.files) == contents(second.files)
    assert {"docs/data/SHA256SUMS", "docs/scenarios/letters.md", "mkdocs.yml"} <= first.files.keys()


def test_every_run_of_a_result_is_pooled(results: Path) -> None:
    made = site(results, DOCS)
    assert made.results.current_paths == {*PLANS}
    (newest,) = (cell for cell in made.results.current["letters"] if cell.build == "cpython-3.14.0")
    assert {run.run for run in newest.runs} == {"fixture-1", "t"}


def test_no_results_at_all_make_a_site(tmp_path: Path) -> None:
    (tmp_path / "results").mkdir()
    made = site(tmp_path / "results")
    assert made.results.cells() == []
    assert "docs/scenarios/letters.md" in made.files


def test_a_mistake_in_a_page_names_its_line(results: Path, tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs/index.md").write_text("{{ no_such_function() }}")
    with pytest.raises(PageError, match=r"index\.md:1"):
        site(results, tmp_path / "docs")


def test_work_grows_with_the_machines_not_their_square(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    looked_at: list[int] = []
    host = Result.machine_key
    for count in (10, 20):
        results = tmp_path / str(count)
        put(results, {f"{n}.json": Plan(machine=f"m{n}", run_id=f"r{n}", rounds=2) for n in range(count)}, letters())
        current, _ = pipeline.pooled(results, HERE, letters())
        calls = 0

        def counting(cell: Result) -> object:
            nonlocal calls
            calls += 1
            return host.fget(cell)  # type: ignore[attr-defined]  # a property

        with monkeypatch.context() as count_noun:
            count_noun.setattr(Result, "host", property(counting))
            for each in current.machine_keys("letters"):
                current.on_machine(each)
                current.on_one_machine("letters", machine_key=each)
        looked_at.append(calls)
    assert looked_at[1] <= 2.5 * looked_at[0]
