"""A run with real processes is interrupted during a sample, and resumed."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from planted import HOME, eventually, is_alive

from runners.harness import commands
from runners.harness.catalogue.scenarios import ROOT
from runners.harness.record import codec, model

LIMIT_S = 60.0


def start(folder: Path, *arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(  # noqa: S603 - our own program
        [sys.executable, "-m", "tests.harness.planted", "run", *arguments],
        cwd=ROOT,
        env={**os.environ, HOME: str(folder), "PYTHONPATH": os.pathsep.join(map(str, (ROOT, ROOT / "tests")))},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def read(folder: Path) -> tuple[Path, model.Record]:
    (path,) = folder.glob("results/*/*/*.json")
    return path, codec.decode(path.read_bytes())


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such signals")
@pytest.mark.parametrize(("cut", "status"), [("SIGKILL", -9), ("SIGINT", 130)])
def test_interrupted_run_leaves_no_process_and_resumes(tmp_path: Path, cut: str, status: int) -> None:
    process = start(tmp_path, "--scenario", "patient", "--rounds", "2", "--out", str(tmp_path / "results"))
    try:
        assert eventually(lambda: list(tmp_path.glob("*.child")) or process.poll() is not None, LIMIT_S)
        assert process.poll() is None, process.communicate()
        started = [int(path.stem) for path in (*tmp_path.glob("*.process"), *tmp_path.glob("*.child"))]
        assert len(started) == 4  # the workers of three samples, and the child of the one that hangs
        process.send_signal(signal.Signals[cut])
        _, stderr = process.communicate(timeout=LIMIT_S)
    finally:
        process.kill()
        process.wait()
    path, before = read(tmp_path)
    assert process.returncode == status
    resume = commands.module_command("runners", "run", "--resume", path.parent)
    assert (resume in stderr) is (cut == "SIGINT")
    assert "Traceback" not in stderr
    assert not before.complete
    assert sum(len(series.samples.round) for series in before.series) == 2  # of two rounds of a runner and its control
    assert eventually(lambda: not any(map(is_alive, started)))
    (tmp_path / "go_on").touch()
    resumed = start(tmp_path, "--resume", str(path))
    stdout, stderr = resumed.communicate(timeout=LIMIT_S)
    assert resumed.returncode == 0, stderr
    assert str(path) in stdout
    _, after = read(tmp_path)
    assert (after.complete, after.run.id) == (True, before.run.id)
    assert [(series.status, sorted(series.samples.round)) for series in after.series] == [("ok", [1, 2])] * 2
