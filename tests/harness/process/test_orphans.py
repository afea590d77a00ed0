"""Whatever the harness has started is killed if the harness dies."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

import pytest

from runners.harness.process import orphans

KILLED = 1 if sys.platform == "win32" else -9


@contextmanager
def sleepers(count: int) -> Iterator[list[subprocess.Popen[bytes]]]:
    command = [sys.executable, "-c", "import time; time.sleep(60)"]
    with ExitStack() as stack:
        started = []
        for _ in range(count):
            process = subprocess.Popen(command, start_new_session=True, creationflags=orphans.NEW_GROUP)  # noqa: S603 - our own
            stack.callback(process.wait)
            stack.callback(process.kill)
            started.append(process)
        yield started


def supervise(mark: int, orders: str) -> None:
    command = [sys.executable, "-I", "-S", orphans.__file__, str(mark)]
    subprocess.run(command, input=orders, text=True, check=True, timeout=10)  # noqa: S603 - our own file


def test_groups_left_at_the_end_of_input_are_killed() -> None:
    with sleepers(3) as (left, ended, stranger):
        supervise(0, f"+{left.pid}\n+{ended.pid}\n-{ended.pid}\n")
        assert left.wait(10) == KILLED
        orphans.kill_group(left.pid)  # which is gone
        assert ended.poll() is None
        assert stranger.poll() is None


@pytest.mark.skipif(sys.platform != "linux", reason="processes of another session are found only on Linux")
def test_marked_processes_are_killed_wherever_they_are() -> None:
    mark = orphans.new_mark()
    with sleepers(2) as (marked, stranger):
        orphans.mark_process(marked.pid, mark)
        assert orphans.sweep(mark, {marked.pid}, group=0) == []  # it was there before
        supervise(mark, "")
        assert marked.wait(10) == KILLED
        assert stranger.poll() is None
