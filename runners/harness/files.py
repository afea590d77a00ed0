"""Writes files whole or not at all."""

from __future__ import annotations

import os
import tempfile
import time
from pathlib import Path

IS_WINDOWS = os.name == "nt"
ATTEMPTS = 20
PAUSE_S = 0.05


def write_atomically(path: Path, data: bytes) -> None:
    """Put *data* at *path* so that a reader, or a cut, meets the old file or the new one and nothing between."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    temporary = Path(name)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
        temporary.chmod(0o644)
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
