"""Writes files atomically."""

import os
import secrets
import time
from pathlib import Path

IS_WINDOWS = os.name == "nt"
ATTEMPTS = 20
PAUSE_S = 0.05


def write_atomically(path: Path, data: bytes) -> None:
    """Write *data* to *path* so that a reader, or an interruption, sees the old file or the new one.

    The umask decides who may read it. Raises OSError and keeps the old file.
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
    """Rename, and retry on Windows while a program, often a virus scanner, has the old file open."""
    for attempt in range(ATTEMPTS):
        try:
            temporary.replace(path)
        except PermissionError:  # noqa: PERF203 - rarely more than one turn
            if not IS_WINDOWS or attempt == ATTEMPTS - 1:
                raise
            time.sleep(PAUSE_S)
        else:
            return
