"""The one module that writes the site's sources."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from factory import make_record, some_scenarios

from generate.data.files import ResultFile
from generate.site.navigation import site_file
from generate.site.write import OutputError, write, writing_to
from runners.harness.catalogue.scenarios import ROOT

if TYPE_CHECKING:
    from pathlib import Path

SITE = {"mkdocs.yml": site_file({})}


def names(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


def raw_file(path: Path) -> ResultFile:
    facts, record = path.stat(), make_record(some_scenarios())
    read = ResultFile(path.name, record, "", local=False, size_bytes=facts.st_size, modified_ns=facts.st_mtime_ns)
    return replace(read, location=path)


def test_old_sources_go_and_other_files_stay(tmp_path: Path) -> None:
    out = tmp_path / "out"
    write(out, {**SITE, "docs/old/a.md": "a", "docs/b.md": "b", "theme/main.html": "m"}, tmp_path / "docs")
    for name in ("site/index.html", "cache/history/1.parquet", "verdicts.json"):
        (out / name).parent.mkdir(parents=True, exist_ok=True)
        (out / name).write_text("stays")
    write(out, {**SITE, "docs/b.md": "c"}, tmp_path / "docs")
    beside = {"site/index.html", "cache/history/1.parquet", "verdicts.json"}
    assert names(out) == {"mkdocs.yml", "docs/b.md"} | beside
    assert (out / "docs/b.md").read_text() == "c"


def test_contents_are_written_as_they_are(tmp_path: Path) -> None:
    source = tmp_path / "source.json"
    source.write_bytes(b"\xff\r\n")
    write(tmp_path / "out", {**SITE, "docs/copy.json": source, "docs/c.bin": b"\x00"}, tmp_path / "docs")
    assert (tmp_path / "out/docs/copy.json").read_bytes() == b"\xff\r\n"
    assert (tmp_path / "out/docs/c.bin").read_bytes() == b"\x00"


def test_failed_generation_leaves_the_old_site(tmp_path: Path) -> None:
    out = tmp_path / "out"
    write(out, {**SITE, "docs/a.md": "old", "docs/b.md": "old"}, tmp_path / "docs")
    with pytest.raises(FileNotFoundError):
        write(out, {**SITE, "docs/a.md": "new", "docs/c": tmp_path / "absent"}, tmp_path / "docs")
    assert names(out) == {"mkdocs.yml", "docs/a.md", "docs/b.md"}
    assert (out / "docs/a.md").read_text() == "old"


KILLED = """
import os, signal, sys
from pathlib import Path
from generate.site import write
from generate.site.navigation import WRITTEN
left = [int(sys.argv[2])]
def counted(step):
    def counting(*arguments):
        if not left[0]:
            os.kill(os.getpid(), signal.SIGKILL)
        left[0] -= 1
        return step(*arguments)
    return counting
write.put, Path.rename, Path.replace = map(counted, (write.put, Path.rename, Path.replace))
write.write(Path(sys.argv[1]), {"mkdocs.yml": WRITTEN, "docs/a.md": "new", "theme/main.html": "new"}, Path("docs"))
"""


@pytest.mark.processes
@pytest.mark.parametrize("steps", [1, *range(3, 8)])
def test_killed_generation_is_replaced_by_the_next(tmp_path: Path, steps: int) -> None:
    out = tmp_path / "out"
    write(out, {**SITE, "docs/a.md": "old", "theme/main.html": "old"}, tmp_path / "docs")
    command = [sys.executable, "-c", KILLED, str(out), str(steps)]
    assert subprocess.run(command, cwd=ROOT, check=False).returncode == -signal.SIGKILL  # noqa: S603 - our own words
    if steps < 3:  # before the first of its files took the place of an old one
        assert (out / "docs/a.md").read_text() == "old"
    write(out, {**SITE, "docs/a.md": "next"}, tmp_path / "docs")
    assert names(out) == {"mkdocs.yml", "docs/a.md"}


@pytest.mark.parametrize("has_links", [True, False])
def test_result_file_is_linked_or_else_copied(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, has_links: bool
) -> None:
    def refuse(*_: object) -> None:
        raise OSError

    if not has_links:
        monkeypatch.setattr(os, "link", refuse)
    source, made = tmp_path / "result.json", tmp_path / "out/docs/data/raw/result.json"
    source.write_text("{}")
    write(tmp_path / "out", {**SITE, "docs/data/raw/result.json": raw_file(source)}, tmp_path / "docs")
    assert made.read_text() == "{}"
    assert made.samefile(source) == has_links


def test_result_file_that_changed_ends_the_generation(tmp_path: Path) -> None:
    source, out = tmp_path / "result.json", tmp_path / "out"
    source.write_text("{}")
    known = raw_file(source)
    write(out, {**SITE, "docs/a.md": "old"}, tmp_path / "docs")
    source.write_text("{ }")
    with pytest.raises(OutputError, match="changed while it was read"):
        write(out, {**SITE, "docs/result.json": known}, tmp_path / "docs")
    assert names(out) == {"mkdocs.yml", "docs/a.md"}


@pytest.mark.parametrize("path", ["docs/../../x", "/x", "site/index.html", "../docs/x"])
def test_path_outside_the_folder_is_refused(tmp_path: Path, path: str) -> None:
    with pytest.raises(OutputError, match="leads out"):
        write(tmp_path / "out", {path: "x"}, tmp_path / "docs")


@pytest.mark.parametrize("sources", ["docs", "docs/deeper", "link"])
def test_hand_written_pages_are_never_overwritten(tmp_path: Path, sources: str) -> None:
    (tmp_path / "docs" / "deeper").mkdir(parents=True)
    (tmp_path / "link").symlink_to(tmp_path / "docs")
    with pytest.raises(OutputError, match="choose another folder"):
        write(tmp_path, {**SITE, "docs/index.md": "x"}, tmp_path / sources)


@pytest.mark.parametrize("name", ["docs/mine.md", "mkdocs.yml", "theme/main.html"])
def test_files_of_others_are_never_replaced(tmp_path: Path, name: str) -> None:
    mine = tmp_path / "out" / name
    mine.parent.mkdir(parents=True, exist_ok=True)
    mine.write_text("mine")
    with pytest.raises(OutputError, match="did not write"):
        write(tmp_path / "out", {**SITE, "docs/index.md": "x"}, tmp_path / "docs")
    assert mine.read_text() == "mine"


def test_system_error_names_the_folder_and_the_file(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("a file\n", encoding="utf-8")
    taken = tmp_path / "taken"
    says = r"^--out .*taken: (Not a directory|File exists) \(.*taken.*\); choose another"
    with pytest.raises(OutputError, match=says), writing_to(taken):
        write(taken, SITE, tmp_path / "docs")
