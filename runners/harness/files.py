"""Writes files whole or not at all."""

from __future__ import annotations

import os
import secrets
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

IS_WINDOWS = os.name == "nt"
ATTEMPTS = 20
PAUSE_S = 0.05


def write_atomically(path: Path, data: bytes) -> None:
    """Put *data* at *path* so that a reader, or a cut, meets the old file or the new one and nothing between.

    Who may read it is the umask's to say. Raises OSError, and leaves what was there.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{secrets.token_hex(8)}.new")
    try:
        with temporary.open("xb") as stream:
            stream.write(data)
        _replace(temporary, path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def _replace(temporary: Path, path: Path) -> None:
    """Rename. On Windows that fails while somebody, often a virus scanner, has the old file open: try again a while."""
    for attempt in range(ATTEMPTS):
        try:
            temporary.replace(path)
        except PermissionError:  # noqa: PERF203 - hardly ever more than one turn
            if not IS_WINDOWS or attempt == ATTEMPTS - 1:
                raise
            time.sleep(PAUSE_S)
        else:
            return
