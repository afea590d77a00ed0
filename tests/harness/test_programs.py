"""Programs run to completion, or are killed with everything that they have started."""

import subprocess
import sys
from contextlib import nullcontext
from pathlib import Path

import pytest
from planted import eventually, is_alive

from runners.harness import programs

STARTS_ANOTHER = """
import pathlib, subprocess, sys
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
pathlib.Path(sys.argv[1]).write_text(str(child.pid))
child.wait()
"""


def test_output_and_status_are_kept() -> None:
    ran = programs.run(sys.executable, "-c", "import sys; print('a\\u00e9'); sys.stderr.write('b'); sys.exit(3)")
    assert (ran.returncode, ran.stdout.strip(), ran.stderr) == (3, "a\u00e9", "b")


@pytest.mark.skipif(sys.platform == "win32", reason="it has no groups of processes")
@pytest.mark.parametrize("error", [subprocess.TimeoutExpired((), 1.0), KeyboardInterrupt()])
def test_time_out_or_interrupt_kills_children_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: BaseException
) -> None:
    child = tmp_path / "child"

    def communicate(*_: object, **__: object) -> None:
        assert eventually(lambda: child.is_file() and child.read_text().isdigit())
        raise error

    monkeypatch.setattr(subprocess.Popen, "communicate", communicate)
    with nullcontext() if isinstance(error, subprocess.TimeoutExpired) else pytest.raises(KeyboardInterrupt):
        ran = programs.run(sys.executable, "-c", STARTS_ANOTHER, child, limit_s=1.0)
        assert (ran.returncode, ran.stderr) == (-1, "it took over 1 s")
    assert eventually(lambda: not is_alive(int(child.read_text())))
