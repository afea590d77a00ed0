"""A run with real processes is cut off in the middle of a sample, and gone on with."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest
from planted import eventually, is_alive

from runners.harness.catalogue.scenarios import ROOT
from runners.harness.record import codec, model

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

SAMPLES = 4  # two rounds of a runner and its control


def command(folder: Path, *arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(  # noqa: S603 - our own program
        [sys.executable, "-m", "tests.harness.planted", "run", *arguments],
        cwd=ROOT,
        env={**os.environ, "TMPDIR": str(folder), "PYTHONPATH": os.pathsep.join(map(str, (ROOT, ROOT / "tests")))},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def processes(folder: Path) -> list[int]:
    """Return the workers that were started, and the child of the one that is stuck."""
    return [int(path.stem) for path in (*folder.glob("*.process"), *folder.glob("*.child"))]


@contextmanager
def stuck(folder: Path) -> Iterator[subprocess.Popen[str]]:
    """Begin a run; give it once its third sample is stuck."""
    process = command(folder, "--scenario", "patient", "--rounds", "2", "--out", str(folder / "results"))
    try:
        assert eventually(lambda: list(folder.glob("*.child")) or process.poll() is not None)
        assert process.poll() is None, process.communicate()
        yield process
    finally:
        process.kill()
        process.communicate()


def read(folder: Path) -> tuple[Path, model.Record]:
    (path,) = folder.glob("results/*/*/*.json")
    return path, codec.decode(path.read_bytes())


def go_on_and_end(folder: Path) -> None:
    path, before = read(folder)
    assert not before.complete
    assert sum(len(series.samples.round) for series in before.series) == SAMPLES // 2
    (folder / "go_on").touch()
    process = command(folder, "--resume", str(path))
    told, complaints = process.communicate(timeout=30)
    assert process.returncode == 0, complaints
    _, after = read(folder)
    assert after.complete
    assert after.run.id == before.run.id
    assert [(series.status, sorted(series.samples.round)) for series in after.series] == [("ok", [1, 2])] * 2
    assert str(path) in told


@pytest.mark.skipif(sys.platform == "win32", reason="there is no such signal")
def test_after_kill_9_the_file_is_valid_no_process_is_left_and_resume_completes_it(tmp_path: Path) -> None:
    with stuck(tmp_path) as process:
        started = processes(tmp_path)
        process.send_signal(signal.SIGKILL)
        process.wait(10)
        assert len(started) == 4
        assert eventually(lambda: not any(map(is_alive, started)))
    go_on_and_end(tmp_path)


@pytest.mark.skipif(sys.platform == "win32", reason="there is no such signal")
def test_ctrl_c_says_how_to_go_on_leaves_no_process_and_resume_completes_it(tmp_path: Path) -> None:
    with stuck(tmp_path) as process:
        started = processes(tmp_path)
        process.send_signal(signal.SIGINT)
        _, complaints = process.communicate(timeout=10)
        assert process.returncode == 130
        path, _ = read(tmp_path)
        assert f"cut off; go on with: python -m runners run --resume {path.parent}" in complaints
        assert "Traceback" not in complaints
        assert eventually(lambda: not any(map(is_alive, started)))
    go_on_and_end(tmp_path)
