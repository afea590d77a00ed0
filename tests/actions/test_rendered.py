"""A file is taken in only if the site can be made with it, and is refused by name if it can't."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from artifacts import CELL, collected, files, put, record, statuses
from factory import altered

from actions import rendered
from generate.downloads import index
from generate.site import pipeline
from runners.harness.record.codec import encode

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

OTHER = "ubuntu-24.04--3.13"


def test_with_good_files_a_site_can_be_made(tmp_path: Path) -> None:
    put(tmp_path / "artifacts")
    found = collected(tmp_path, rendered.as_a_site)
    assert found.refused == []
    assert set(statuses(found).values()) == {"measured"}


@pytest.mark.parametrize(
    "value",
    [
        0,
        -1,
        2**62,
        pytest.param(1e308, marks=pytest.mark.filterwarnings("ignore:overflow encountered:RuntimeWarning")),
        5e-324,
    ],
)
def test_with_odd_numbers_a_site_can_still_be_made_or_the_file_is_refused(tmp_path: Path, value: float) -> None:
    put(tmp_path / "artifacts")
    odd = altered(
        record("3.14t"), lambda _: True, lambda tree: tree["samples"]["values"].update(elapsed_ns=[value] * 12)
    )
    (tmp_path / "artifacts" / f"run-{CELL}.1" / f"{CELL}.json").write_bytes(encode(odd))
    found = collected(tmp_path, rendered.as_a_site)
    assert statuses(found)[OTHER] == "measured"
    rendered.as_a_site(tmp_path / "out")


def test_pages_and_downloads_are_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[str] = []

    def noting(name: str, real: Callable[..., object]) -> Callable[..., object]:
        def noted(*arguments: object) -> object:
            seen.append(name)
            return real(*arguments)

        return noted

    monkeypatch.setattr(rendered, "everything", noting("pages", pipeline.everything))
    monkeypatch.setattr(rendered, "downloads", noting("downloads", index.downloads))
    rendered.as_a_site(tmp_path)
    assert seen == ["pages", "downloads"]


def test_a_file_that_breaks_the_site_is_refused_by_name_and_the_others_are_kept(tmp_path: Path) -> None:
    def breaking(results: Path) -> None:
        if (results / f"{CELL}.json").exists():
            raise ZeroDivisionError

    put(tmp_path / "artifacts")
    found = collected(tmp_path, breaking)
    assert found.refused == [f"{CELL}/{CELL}.json: no site can be made with it: ZeroDivisionError: "]
    assert statuses(found) == {CELL: "failed", OTHER: "measured"}
    assert files(tmp_path / "out" / "run") == {"cells.json", f"{CELL}.reference.json", f"{OTHER}.json"}


def test_a_file_that_was_refused_is_not_beside_the_next_that_is_tried(tmp_path: Path) -> None:
    seen: list[set[str]] = []

    def breaking(results: Path) -> None:
        seen.append(files(results))
        if f"{CELL}.reference.json" in files(results):
            raise ZeroDivisionError

    put(tmp_path / "artifacts")
    found = collected(tmp_path, breaking)
    assert seen[-2:] == [{f"{CELL}.reference.json"}, {f"{CELL}.json"}]
    assert found.refused == [f"{CELL}/{CELL}.reference.json: no site can be made with it: ZeroDivisionError: "]


def test_a_cell_s_files_are_tried_together_where_nothing_breaks(tmp_path: Path) -> None:
    seen: list[set[str]] = []
    put(tmp_path / "artifacts")
    collected(tmp_path, lambda results: seen.append(files(results)))
    assert seen == [set(), {f"{OTHER}.json"}, {f"{CELL}.reference.json", f"{CELL}.json"}]


def test_what_the_checkout_itself_breaks_costs_no_result_and_is_told(tmp_path: Path) -> None:
    def breaking(_: Path) -> None:
        msg = "docs/index.md:3"
        raise ValueError(msg)

    put(tmp_path / "artifacts")
    found = collected(tmp_path, breaking)
    assert set(statuses(found).values()) == {"measured"}
    (told,) = found.refused
    assert told.startswith("docs: no site can be made even of no results")
    assert told.endswith("ValueError: docs/index.md:3")
