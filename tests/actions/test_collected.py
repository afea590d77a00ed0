"""The digest of what was collected: another name or another byte is another digest."""

from __future__ import annotations

from typing import TYPE_CHECKING

from artifacts import PLAN

from actions import collected

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


def changed(folder: Path, change: Callable[[Path], object]) -> bool:
    (folder / "deeper").mkdir(parents=True)
    (folder / "deeper" / "a.json").write_text("a")
    (folder / "b.json").write_text("b")
    before = collected.digest(folder)
    change(folder)
    return collected.digest(folder) != before


def test_the_digest_follows_names_and_bytes(tmp_path: Path) -> None:
    assert changed(tmp_path / "1", lambda folder: (folder / "b.json").write_text("c"))
    assert changed(tmp_path / "2", lambda folder: (folder / "b.json").rename(folder / "c.json"))
    assert changed(tmp_path / "3", lambda folder: (folder / "c.json").write_text(""))
    assert changed(tmp_path / "4", lambda folder: (folder / "b.json").unlink())


def test_the_digest_is_the_same_wherever_the_files_lie(tmp_path: Path) -> None:
    assert not changed(tmp_path / "1", lambda folder: (folder / "empty").mkdir())
    assert not changed(tmp_path / "2", lambda _: None)
    assert collected.digest(tmp_path / "1") == collected.digest(tmp_path / "2")


def test_a_run_has_the_files_of_its_plan_in_its_own_folder() -> None:
    folder = "2026-01-01/2026-01-01-gh1001.1"
    files = ("cells.json", "ubuntu-24.04--3.13.json", "ubuntu-24.04--3.14t.json", "ubuntu-24.04--3.14t.reference.json")
    assert collected.names(PLAN, "2026-01-01-gh1001.1") == {f"{folder}/{name}" for name in files}
