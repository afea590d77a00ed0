"""What is printed reaches a file in whatever encoding the system gives it."""

from __future__ import annotations

import io
import os
import re
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from factory import make, some_scenarios

from runners.harness import output
from runners.harness.catalogue.scenarios import ROOT
from runners.harness.record.codec import encode

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(
    ("encoding", "written"),
    [
        ("utf-8", "1.5\N{NO-BREAK SPACE}µs … ≥"),
        ("cp1252", "1.5\N{NO-BREAK SPACE}µs … ?"),
        ("cp932", "1.5 us … ?"),
        ("ascii", "1.5 us ... ?"),
    ],
)
def test_what_an_encoding_lacks_is_written_in_letters_that_it_has(
    monkeypatch: pytest.MonkeyPatch, encoding: str, written: str
) -> None:
    file = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(file, encoding=encoding))
    output.print_every_letter()
    print("1.5\N{NO-BREAK SPACE}µs … \u22fd", end="", flush=True)  # noqa: T201 - it is what is tested
    assert file.getvalue().decode(encoding) == written.replace("≥", "\u22fd")


@pytest.mark.parametrize("encoding", ["cp932", "cp936", "cp949", "cp950"])
def test_the_tables_of_a_run_can_go_into_a_file_on_an_east_asian_windows(tmp_path: Path, encoding: str) -> None:
    (tmp_path / "a.json").write_bytes(encode(make(some_scenarios())))
    told = subprocess.run(  # noqa: S603 - our own program
        [sys.executable, "-m", "generate", "show", tmp_path],
        cwd=ROOT,
        env={**os.environ, "PYTHONIOENCODING": encoding},
        capture_output=True,
        check=False,
    )
    assert (told.returncode, told.stderr) == (0, b"")
    assert re.search(r"\d m?s  ", told.stdout.decode(encoding))
