"""What an interpreter says of itself, as JSON on stdout: `python facts.py`.

Runs on the measured build: standard library only, written for Python 3.10.
"""

from __future__ import annotations

import json
import platform
import re
import sys
import sysconfig
from importlib import metadata
from typing import Any

SPEED_OPTIONS = (
    "--enable-optimizations",
    "--enable-shared",
    "--with-lto",
    "--enable-experimental-jit",
    "--with-tail-call-interp",
)
SPEED_FLAGS = ("-O", "-march", "-fno-omit-frame-pointer")
PGO = ("--enable-optimizations", "-fprofile-use", "-fprofile-instr-use")
LTO = ("--with-lto", "-flto")


def words(*names: str) -> list[str]:
    """Return the words of the first of the configuration's variables that has any."""
    texts = (str(sysconfig.get_config_var(name) or "") for name in names)
    return next((text.replace("'", "").split() for text in texts if text), [])


def how_it_was_built() -> dict[str, Any]:
    """Return what makes a build of the same source faster or slower; None where the interpreter does not say.

    `flags` are the options it was configured with that do, and the compiler's.
    """
    given, compiled = words("CONFIG_ARGS"), words("PY_CORE_CFLAGS", "PY_CFLAGS")
    chosen = [option for option in given if option.startswith(SPEED_OPTIONS)]
    flags = [flag for flag in compiled if flag.startswith(SPEED_FLAGS)]
    jit = getattr(sys, "_jit", None)
    every = [*given, *compiled]
    return {
        "flags": " ".join(dict.fromkeys(chosen + flags)),
        "pgo": any(word.startswith(PGO) for word in every) if every else None,
        "lto": any(word.startswith(LTO) for word in every) if every else None,
        "jit_compiled": bool(jit.is_available()) if jit else None,
        "shared": bool(sysconfig.get_config_var("Py_ENABLE_SHARED")) if given else None,
        "frame_pointers": "-fno-omit-frame-pointer" in compiled if compiled else None,
    }


def source_of(package: metadata.Distribution) -> str | None:
    """Return the repository's commit, or the file, that a package was installed from; None: from an index."""
    try:
        direct = json.loads(package.read_text("direct_url.json") or "{}")
    except ValueError:
        return None
    place = str(direct.get("url", ""))
    commit = direct.get("vcs_info", {}).get("commit_id")
    if commit:
        return "/".join(place.removesuffix(".git").split("/")[-2:]) + f"@{commit}"
    return place.rpartition("/")[2] or None


def needs_of(package: metadata.Distribution) -> list[str]:
    """Return the packages that a package needs here, whatever their versions, in order of name."""
    plain = [text for text in package.requires or [] if "extra ==" not in text]
    names = (re.match(r"[A-Za-z0-9._-]+", text) for text in plain)
    return sorted({re.sub(r"[-_.]+", "-", name[0]).lower() for name in names if name})


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
        **how_it_was_built(),
        "platform": sysconfig.get_platform(),
        "packages": {
            name.lower(): (package.version, source_of(package), needs_of(package))
            for package in metadata.distributions()
            if (name := package.metadata["Name"])
        },
    }
    json.dump(facts, sys.stdout)


if __name__ == "__main__":
    main()
