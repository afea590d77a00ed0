"""How many files a run may open, on the systems that give few."""

from __future__ import annotations

import subprocess
import sys

import pytest

from runners.harness.catalogue.scenarios import ROOT

SCRIPT = """
import resource, subprocess, sys
from runners.harness.process import open_files
system, given, highest, wanted = sys.argv[1], *map(int, sys.argv[2:])
resource.setrlimit(resource.RLIMIT_NOFILE, (given, highest))
open_files.ENOUGH = wanted
open_files.allow_enough(system)
show = "import resource; print(resource.getrlimit(resource.RLIMIT_NOFILE)[0])"
subprocess.run([sys.executable, "-c", show], check=True)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="it has no such limit")
@pytest.mark.parametrize(
    ("system", "given", "highest", "allowed"),
    [("darwin", 128, 512, 384), ("darwin", 128, 256, 256), ("darwin", 448, 512, 448), ("linux", 128, 512, 128)],
)
def test_on_macos_alone_what_a_run_starts_may_open_more_files_than_a_shell_gives_up_to_the_hard_limit(
    system: str, given: int, highest: int, allowed: int
) -> None:
    command = [sys.executable, "-c", SCRIPT, system, str(given), str(highest), "384"]
    told = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)  # noqa: S603 - our own program
    assert int(told.stdout) == allowed
