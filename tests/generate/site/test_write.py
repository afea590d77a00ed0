"""The one module that writes the site's sources."""

import os
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from factory import make_record, some_scenarios

from generate.data.files import ResultFile
from generate.site.navigation import site_file
from generate.site.write import OutputError, write, writing_to
from runners.harness.catalogue.scenarios import ROOT

SITE = {"mkdocs.yml": site_file({})}


def names(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


def raw_file(path: Path) -> ResultFile:
    facts, record = path.stat(), make_record(some_scenarios())
    read = ResultFile(path.name, record, "", local=False, size_bytes=facts.st_size, modified_ns=facts.st_mtime_ns)
    return replace(read, location=path)


@pytest.fixture
def out(tmp_path: Path) -> Path:
    """Return a folder with two sources."""
    write(tmp_path / "out", {**SITE, "docs/a.md": "old", "theme/main.html": "old"}, tmp_path / "docs")
    return tmp_path / "out"


def test_old_sources_go_and_other_files_stay(out: Path, tmp_path: Path) -> None:
    others = {"site/index.html", "cache/history/1.parquet", "verdicts.json"}
    for name in others:
        (out / name).parent.mkdir(parents=True, exist_ok=True)
        (out / name).write_text("stays")
    (source := tmp_path / "source.json").write_bytes(b"\xff\r\n")
    write(out, {**SITE, "docs/b.md": "b", "docs/c.bin": b"\x00", "docs/copy.json": source}, tmp_path / "docs")
    assert names(out) == {"mkdocs.yml", "docs/b.md", "docs/c.bin", "docs/copy.json"} | others
    written = [(out / "docs" / name).read_bytes() for name in ("b.md", "c.bin", "copy.json")]
    assert written == [b"b", b"\x00", b"\xff\r\n"]


@pytest.mark.parametrize(("exists", "error"), [(False, FileNotFoundError), (True, OutputError)])
def test_missing_or_changed_result_file_leaves_the_old_site(
    out: Path, tmp_path: Path, error: type[Exception], *, exists: bool
) -> None:
    (source := tmp_path / "result.json").write_text("{}")
    known = raw_file(source) if exists else tmp_path / "absent"
    source.write_text("{ }")
    with pytest.raises(error, match=r"changed while it was read|absent"):
        write(out, {**SITE, "docs/a.md": "new", "docs/c": known}, tmp_path / "docs")
    assert names(out) == {"mkdocs.yml", "docs/a.md", "theme/main.html"}
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
def test_killed_generation_is_replaced_by_the_next(out: Path, tmp_path: Path, steps: int) -> None:
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
    (taken := tmp_path / "taken").write_text("a file\n")
    with pytest.raises(OutputError, match=r"^--out .*taken: .*\(.*taken.*\); choose another"), writing_to(taken):
        write(taken, SITE, tmp_path / "docs")
