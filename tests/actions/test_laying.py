"""What is laid beside a branch's files: nothing published changes, and a cell's files are of one measurement."""

from __future__ import annotations

from actions.laying import laid
from runners.harness.record.cells_file import Outcome, Outcomes, encoded

RUN = "2026-01-01/run"
A, REFERENCE, B = (f"{RUN}/{name}" for name in ("a.json", "a.reference.json", "b.json"))
CELLS = f"{RUN}/cells.json"


def told(*cells: Outcome) -> bytes:
    return encoded(Outcomes("run", "https://example.org", "", "quick", list(cells)))


def cell(name: str, status: str, reason: str | None = None) -> Outcome:
    assert status in {"measured", "failed"}
    return Outcome(name, "m", "3.13", "measured" if status == "measured" else "failed", reason, [f"{name}.json"])


def test_where_nothing_is_there_all_is_laid() -> None:
    files = {A: b"a", B: b"b", CELLS: told(cell("a", "measured"))}
    assert laid(files, {}) == (files, [])


def test_the_same_bytes_again_are_no_other_measurement() -> None:
    assert laid({A: b"a", REFERENCE: b"r"}, {A: b"a"}) == ({A: b"a", REFERENCE: b"r"}, [])


def test_a_cell_that_came_back_otherwise_keeps_its_files_and_the_rest_is_laid() -> None:
    found = laid({A: b"new", B: b"b"}, {A: b"old"})
    assert found == ({B: b"b"}, [A])


def test_no_file_of_one_measurement_is_laid_beside_one_of_another() -> None:
    assert laid({A: b"new", REFERENCE: b"new"}, {A: b"old"}) == ({}, [A])
    assert laid({A: b"new"}, {REFERENCE: b"old"}) == ({}, [REFERENCE])


def test_what_did_not_come_back_this_time_is_left_alone() -> None:
    assert laid({B: b"b"}, {A: b"old", REFERENCE: b"old"}) == ({B: b"b"}, [])
    assert laid({A: b"old"}, {A: b"old", REFERENCE: b"old"}) == ({A: b"old"}, [])


def test_of_a_cell_that_keeps_its_files_the_list_says_what_it_said() -> None:
    before = told(cell("a", "measured", "its job ended early: old"), cell("b", "failed", "gone"))
    after = told(cell("a", "measured", "its job ended early: new"), cell("b", "measured"))
    found = laid({A: b"new", B: b"b", CELLS: after}, {A: b"old", CELLS: before})
    assert found.files[CELLS] == told(cell("a", "measured", "its job ended early: old"), cell("b", "measured"))


def test_a_list_that_can_not_be_read_gives_way() -> None:
    after = told(cell("a", "measured"))
    assert laid({A: b"new", CELLS: after}, {A: b"old", CELLS: b"{"}).files == {CELLS: after}
