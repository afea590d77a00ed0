"""Outcomes of the cells of hosted runs, as the data page shows them."""

import json
from pathlib import Path
from typing import Any

import pytest
from factory import Plan
from sample_site import build_site, letters, text_at, write_results

from generate.data import cells_file
from generate.site import pipeline

CELL = {"cell": "m--3.14", "machine": "m", "python": "3.14", "status": "failed", "reason": "it broke", "files": []}
RUN = {"run_id": "2026-01-01-gh1", "url": "https://example.org/1", "note": "", "profile": "full", "cells": [CELL]}


def write(results: Path, run: Any, attempt: int = 1) -> None:  # noqa: ANN401 - any JSON
    folder = results / "2026-01-01" / f"2026-01-01-gh1-{attempt}"
    folder.mkdir(parents=True, exist_ok=True)
    text = run if isinstance(run, str) else json.dumps(run)
    (folder / cells_file.FILE).write_text(text)


def data_page(tmp_path: Path) -> str:
    write_results(tmp_path / "results", {"2026-01-01/r/a.json": Plan()}, letters())
    (tmp_path / "docs").mkdir(exist_ok=True)
    return text_at(build_site(tmp_path / "results", letters(), tmp_path / "docs"), "docs/data.md")


def test_a_cell_without_a_result_is_shown_with_its_reason(tmp_path: Path) -> None:
    good = {**CELL, "machine": "good", "status": "measured", "reason": None}
    hostile = {**CELL, "machine": "hostile", "reason": "<script>alert(1)</script>"}
    write(tmp_path / "results", {**RUN, "cells": [good, CELL, hostile]})
    page = data_page(tmp_path)
    assert "failed: <bdi>it broke</bdi>" in page
    assert "<script>" not in page
    assert "&lt;script&gt;" in page
    assert "<bdi>good</bdi>" not in page


@pytest.mark.parametrize(
    "run", ["{", "[]", "[" * 100_000, {**RUN, "cells": 3}, {**RUN, "more": 1}, {**RUN, "note": "x" * 501}]
)
def test_a_broken_file_is_a_problem_with_its_path(tmp_path: Path, run: object) -> None:
    write(tmp_path, run)
    write_results(tmp_path, {"2026-01-01/r/a.json": Plan()}, letters())
    loaded = pipeline.read_results(tmp_path, tmp_path, letters())
    assert [problem.path for problem in loaded.problems] == ["2026-01-01/2026-01-01-gh1-1/cells.json"]
    assert len(loaded.files) == 1


def test_a_link_is_not_followed(tmp_path: Path) -> None:
    write(tmp_path / "elsewhere", RUN)
    (tmp_path / "results").mkdir()
    (tmp_path / "results" / cells_file.FILE).symlink_to(
        tmp_path / "elsewhere" / "2026-01-01" / "2026-01-01-gh1-1" / cells_file.FILE
    )
    assert cells_file.read(tmp_path / "results") == ([], [(cells_file.FILE, "not a plain file")])


def test_the_newest_attempt_counts(tmp_path: Path) -> None:
    for attempt in range(1, 12):
        write(tmp_path / "results", {**RUN, "cells": [{**CELL, "reason": f"attempt {attempt}"}]}, attempt)
    page = data_page(tmp_path)
    assert "failed: <bdi>attempt 11</bdi>" in page
    assert "attempt 9" not in page
    write(tmp_path / "results", {**RUN, "cells": [{**CELL, "status": "measured"}]}, 12)
    assert "Cells that were not measured" not in data_page(tmp_path)
