"""How many files a run may open on systems that allow few."""

import subprocess
import sys

import pytest

from runners.harness.catalogue.scenarios import ROOT

SCRIPT = """
import resource, subprocess, sys
from runners.harness.process import open_files
system, soft, hard, enough = sys.argv[1], *map(int, sys.argv[2:])
resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
open_files.ENOUGH = enough
open_files.raise_limit(system)
show = "import resource; print(resource.getrlimit(resource.RLIMIT_NOFILE)[0])"
subprocess.run([sys.executable, "-c", show], check=True)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="it has no such limit")
@pytest.mark.parametrize(
    ("system", "soft", "hard", "allowed"),
    [("darwin", 128, 512, 384), ("darwin", 128, 256, 256), ("linux", 128, 512, 128)],
)
def test_only_macos_raises_the_limit_up_to_the_hard_one(system: str, soft: int, hard: int, allowed: int) -> None:
    command = [sys.executable, "-c", SCRIPT, system, str(soft), str(hard), "384"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)  # noqa: S603 - our own program
    assert int(done.stdout) == allowed
