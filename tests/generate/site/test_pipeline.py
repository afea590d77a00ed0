"""The whole way: cold or warm the same bytes, and a file that a stage breaks on is left out by its name."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from factory import REFERENCE, Plan, build
from sample_site import BUNDLE, HERE, letters, put

from generate.analysis.selection import CellResult
from generate.analysis.summary import Summary
from generate.articles.render import PageError
from generate.claims import by_run
from generate.claims.verdicts import verdicts
from generate.results.model import RawFile, ResultFile
from generate.site import blame, pipeline

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from pathlib import Path

    from generate.analysis.gated import GatedRecord
    from generate.claims.hypotheses import ClaimPart
    from generate.claims.verdicts import PartVerdict
    from generate.results.model import FileHeader
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
    return pipeline.build(results, docs, pipeline.Options(results.parent, BUNDLE, catalogue=letters()))


MOVED = {
    "2026-01-01/r/a.json": Plan(build=REFERENCE),
    "2026-01-01/r/b.json": Plan(speed={"thread_pool": 0.5}),
    "2025-01-01/t/b.json": Plan(run_id="t", speed={"thread_pool": 2.0}),
}
"""A build with two full runs, in which threads are faster, and slower."""


def test_a_run_that_is_history_takes_part_beside_the_current_one(tmp_path: Path) -> None:
    put(tmp_path / "results", MOVED, letters())
    made = site(tmp_path / "results", HERE / "sample_docs")
    (verdict,) = (one for one in made.board.part_verdicts() if len(one.runs) > 1)
    assert verdict.verdict == "too close to call"
    assert {run.run: run.verdict for run in verdict.runs} == {"fixture-1": "holds", "t": "does not hold"}
    entries = json.loads(made.files["docs/data/verdicts.json"])["verdicts"]  # type: ignore[arg-type]  # bytes
    assert [[run["file"] for run in entry["runs"]] for entry in entries if entry["runs"]] == [
        ["2026-01-01/r/b.json", "2025-01-01/t/b.json"]
    ]


def test_another_full_run_that_breaks_the_judging_is_left_out_by_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(tmp_path / "results", MOVED, letters())
    real = verdicts

    def planted(parts: Sequence[ClaimPart], records: Iterable[GatedRecord]) -> list[PartVerdict]:
        records = list(records)
        if any(gated.file.path.startswith("2025") for gated in records):
            raise ZeroDivisionError
        return real(parts, records)

    monkeypatch.setattr(by_run, "verdicts", planted)
    made = site(tmp_path / "results", HERE / "sample_docs")
    assert [problem.path for problem in made.results.problems] == ["2025-01-01/t/b.json"]
    assert all(one.runs == () for one in made.board.part_verdicts())


def plant(monkeypatch: pytest.MonkeyPatch, breaks: Callable[[set[str]], bool], stage: str = "draw") -> None:
    """Make a stage break where the current files are such."""
    real = getattr(pipeline, stage)

    def planted(current: object, *arguments: object) -> object:
        if breaks(set(current.rows)):  # type: ignore[attr-defined]  # what `draw` is given first
            msg = "float division\n::error::by zero"
            raise ZeroDivisionError(msg)
        return real(current, *arguments)

    monkeypatch.setattr(pipeline, stage, planted)


def contents(files: Mapping[str, Content]) -> dict[str, bytes | str | Path]:
    return {path: one.sha256 if isinstance(one, RawFile) else one for path, one in files.items()}


def test_cold_and_warm_the_site_is_the_same_to_the_byte(results: Path) -> None:
    cold, warm = site(results), site(results)
    assert list((results.parent / "cache/history").glob("*.parquet"))
    assert contents(cold.files) == contents(warm.files)
    assert {"docs/data/SHA256SUMS", "docs/scenarios/letters.md", "mkdocs.yml"} <= cold.files.keys()


@pytest.mark.parametrize("others", [set(), {"2026-01-01/s/d.json"}], ids=["one", "two"])
def test_files_that_a_stage_breaks_on_are_left_out_as_problems_that_name_them(
    results: Path, monkeypatch: pytest.MonkeyPatch, others: set[str]
) -> None:
    bad = {"2026-01-01/r/c.json"} | others
    plant(monkeypatch, lambda paths: bool(bad & paths))
    made = site(results)
    message = (
        "the generator breaks on it: ZeroDivisionError: float division\n::error::by zero (generate/site/pipeline.py:"
    )
    assert {one.path for one in made.results.problems} == bad
    assert all(one.message.startswith(message) for one in made.results.problems)
    assert "2025-01-01/t/c.json" in made.results.current_paths  # the one before it is current now
    assert not {f"docs/data/raw/{path}" for path in bad} & made.files.keys()
    assert all(path in str(made.files["docs/data-problems.md"]) for path in bad)


def test_where_no_file_is_to_blame_the_error_is_shown(results: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for breaks in (lambda _: True, lambda paths: len(paths) > 2, bool):
        with monkeypatch.context() as planted:
            plant(planted, breaks)
            with pytest.raises(ZeroDivisionError):
                site(results)


def test_a_mistake_in_a_page_blames_no_result_file(results: Path, tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs/index.md").write_text("{{ no_such_function() }}")
    with pytest.raises(PageError, match=r"index\.md:1"):
        site(results, tmp_path / "docs")


def test_of_many_files_one_is_found_by_halves(results: Path) -> None:
    files = site(results).results.files
    calls = 0

    def make(some: Sequence[FileHeader]) -> None:
        nonlocal calls
        calls += 1
        if files[3] in some:
            raise ZeroDivisionError

    assert [one.path for one in blame.files_to_blame(files, files, make)] == [files[3].path]
    assert calls <= 8


def test_cells_are_compared_by_their_names_not_by_all_that_they_hold(
    results: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> bool:
        pytest.fail("two were compared field by field")

    monkeypatch.setattr(Summary, "__eq__", refuse)
    monkeypatch.setattr(ResultFile, "__eq__", refuse)
    site(results)


def test_the_work_grows_with_the_machines_and_not_with_their_square(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked_at: list[int] = []
    host = CellResult.host
    for count in (10, 20):
        place = tmp_path / str(count)
        put(
            place / "results",
            {f"{n}.json": Plan(machine=f"m{n}", run_id=f"r{n}", rounds=2) for n in range(count)},
            letters(),
        )
        inputs, _ = pipeline.inputs_of(place / "results", HERE, pipeline.Options(place, BUNDLE, catalogue=letters()))
        current = pipeline.make_context(inputs).site
        calls = 0

        def counting(cell: CellResult) -> object:
            nonlocal calls
            calls += 1
            return host.fget(cell)  # type: ignore[attr-defined]  # a property

        with monkeypatch.context() as counted:
            counted.setattr(CellResult, "host", property(counting))
            for each in current.hosts("letters"):
                current.of_host(each)
                current.beside_each_other("letters", host=each)
        looked_at.append(calls)
    assert looked_at[1] <= 2.5 * looked_at[0]
