"""What an interpreter says of itself, as JSON on stdout: `python facts.py`.

Runs on the measured build: standard library only, written for Python 3.10.
"""

from __future__ import annotations

import json
import platform
import sys
import sysconfig
from importlib import metadata

SPEED_OPTIONS = (
    "--enable-optimizations",
    "--enable-shared",
    "--with-lto",
    "--enable-experimental-jit",
    "--with-tail-call-interp",
)
SPEED_FLAGS = ("-O", "-march", "-fno-omit-frame-pointer")


def flags() -> str:
    """Return the options it was configured with that make it faster or slower, and the compiler flags that do."""
    given = str(sysconfig.get_config_var("CONFIG_ARGS") or "").replace("'", "").split()
    compiled = str(sysconfig.get_config_var("PY_CORE_CFLAGS") or sysconfig.get_config_var("PY_CFLAGS") or "").split()
    chosen = [option for option in given if option.startswith(SPEED_OPTIONS)]
    return " ".join(dict.fromkeys(chosen + [flag for flag in compiled if flag.startswith(SPEED_FLAGS)]))


def main() -> None:
    """Print the facts."""
    gil = getattr(sys, "_is_gil_enabled", None)
    jit = getattr(sys, "_jit", None)
    facts = {
        "implementation": platform.python_implementation(),
        "version": platform.python_version(),
        "free_threaded": bool(sysconfig.get_config_var("Py_GIL_DISABLED")),
        "gil_at_start": bool(gil()) if gil else True,
        "jit": bool(jit.is_enabled()) if jit else None,
        "compiler": platform.python_compiler(),
        "flags": flags(),
        "platform": sysconfig.get_platform(),
        "packages": {
            name.lower(): found.version for found in metadata.distributions() if (name := found.metadata["Name"])
        },
    }
    json.dump(facts, sys.stdout)


if __name__ == "__main__":
    main()
