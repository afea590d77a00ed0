"""Leaves the reason why a job failed where its artifact is made, so that the run can tell it. Our side."""

from __future__ import annotations

import signal
from contextlib import contextmanager
from typing import TYPE_CHECKING, NoReturn

from runners.harness.errors import UserError
from runners.harness.redact import without_paths

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

CUT_OFF = "the job was ended before it had measured everything"


def file_name(cell: str) -> str:
    """Name the file that holds the reason."""
    return f"{cell}.failed.txt"


@contextmanager
def left_in(folder: Path, cell: str) -> Iterator[None]:
    """Leave in *folder* why the block ends, unless it ends well. Of a job that is killed, CUT_OFF is there already."""
    path = folder / file_name(cell)
    folder.mkdir(parents=True, exist_ok=True)
    _write(path, CUT_OFF)
    before = signal.signal(signal.SIGTERM, _interrupt)  # hosted jobs are sent it soon before they are killed
    try:
        yield
    except Exception as error:
        _write(path, str(error) if isinstance(error, UserError) else f"{type(error).__name__}: {error}")
        raise
    finally:
        signal.signal(signal.SIGTERM, before)
    path.unlink()


def _write(path: Path, reason: str) -> None:
    path.write_text(" ".join(without_paths(reason).split()) + "\n", encoding="utf-8")


def _interrupt(*_: object) -> NoReturn:
    raise KeyboardInterrupt
