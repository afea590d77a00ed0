"""Ends what our side has started, when our side dies."""

from __future__ import annotations

import subprocess
import sys

import pytest

from runners.harness.process import orphans

ENDED = 1 if sys.platform == "win32" else -9
"""The status of a process that was ended from outside."""


def sleeper() -> subprocess.Popen[bytes]:
    command = [sys.executable, "-c", "import time; time.sleep(60)"]
    return subprocess.Popen(command, start_new_session=True, creationflags=orphans.NEW_GROUP)  # noqa: S603 - our own


def test_at_the_end_of_its_input_it_ends_the_groups_left_and_no_others() -> None:
    left, ended, stranger = sleeper(), sleeper(), sleeper()
    try:
        lines = f"+{left.pid}\n+{ended.pid}\n-{ended.pid}\n"
        command = [sys.executable, "-I", "-S", orphans.__file__, "0"]
        subprocess.run(command, input=lines, text=True, check=True, timeout=10)  # noqa: S603 - our own file
        assert left.wait(10) == ENDED
        assert ended.poll() is None
        assert stranger.poll() is None
    finally:
        for process in (left, ended, stranger):
            process.kill()
            process.wait()


@pytest.mark.skipif(sys.platform != "linux", reason="a process of another session can be found on Linux alone")
def test_what_has_the_mark_is_ended_with_our_side_wherever_it_is_and_nothing_else() -> None:
    mark = orphans.new_mark()
    marked, stranger = sleeper(), sleeper()
    try:
        orphans.mark_process(marked.pid, mark)
        assert orphans.sweep(mark, {marked.pid}, group=0) == []  # it was there before
        command = [sys.executable, "-I", "-S", orphans.__file__, str(mark)]
        subprocess.run(command, input="", text=True, check=True, timeout=10)  # noqa: S603 - our own file
        assert marked.wait(10) == ENDED
        assert stranger.poll() is None
    finally:
        for process in (marked, stranger):
            process.kill()
            process.wait()


def test_without_a_mark_nothing_is_swept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(orphans, "processes", lambda: pytest.fail("looked"))
    assert orphans.sweep(0, set(), group=0) == []


def test_a_group_that_is_gone_is_no_error() -> None:
    process = sleeper()
    orphans.end_group(process.pid)
    assert process.wait(10) != 0
    orphans.end_group(process.pid)
