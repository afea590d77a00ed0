"""Prints an interpreter's facts as JSON: `python facts.py`.

Runs on the measured build: standard library only, written for Python 3.10.
"""

import json
import platform
import re
import sys
import sysconfig
from importlib import metadata
from typing import Any

SPEED_OPTIONS = (
    *("--enable-optimizations", "--enable-shared", "--with-lto"),
    *("--enable-experimental-jit", "--with-tail-call-interp"),
)
SPEED_FLAGS = ("-O", "-march", "-fno-omit-frame-pointer")
SLOWED = (
    *("--with-pydebug", "--with-trace-refs", "--with-assertions", "--enable-pystats", "--enable-profiling"),
    *("--with-address-san", "--with-memory-san", "--with-thread-san", "--with-undefined-behavior-san"),
    *("-fsanitize=", "-fprofile-generate", "-fprofile-instr-generate", "-fprofile-arcs", "--coverage", "-pg", "-O0"),
)
"""Options and flags of builds for debugging or profiling."""
PGO = ("--enable-optimizations", "-fprofile-use", "-fprofile-instr-use")
LTO = ("--with-lto", "-flto")


def config_options(*names: str) -> list[str]:
    """Return the words of the first of these configuration variables that is set."""
    texts = (str(sysconfig.get_config_var(name) or "") for name in names)
    return next((text.replace("'", "").split() for text in texts if text), [])


def build_facts() -> dict[str, Any]:
    """Return what makes builds of the same source differ in speed; None if the interpreter doesn't report it."""
    configured, compiled = config_options("CONFIG_ARGS"), config_options("PY_CORE_CFLAGS", "PY_CFLAGS")
    options = [option for option in configured if option.startswith(SPEED_OPTIONS + SLOWED)]
    if hasattr(sys, "gettotalrefcount"):  # a debug build, however it was configured
        options.append("--with-pydebug")
    flags = [flag for flag in compiled if flag.startswith(SPEED_FLAGS + SLOWED)]
    jit = getattr(sys, "_jit", None)
    words = [*configured, *compiled]
    return {
        "flags": " ".join(dict.fromkeys(options + flags)),
        "pgo": any(word.startswith(PGO) for word in words) if words else None,
        "lto": any(word.startswith(LTO) for word in words) if words else None,
        "jit_compiled": bool(jit.is_available()) if jit else None,
        "shared": bool(sysconfig.get_config_var("Py_ENABLE_SHARED")) if configured else None,
        "frame_pointers": "-fno-omit-frame-pointer" in compiled if compiled else None,
    }


def package_source(package: metadata.Distribution) -> str | None:
    """Return the commit or the file that a package was installed from, or None if it came from an index."""
    try:
        direct = json.loads(package.read_text("direct_url.json") or "{}")
    except ValueError:
        return None
    url = str(direct.get("url", ""))
    commit = direct.get("vcs_info", {}).get("commit_id")
    if commit:
        return "/".join(url.removesuffix(".git").split("/")[-2:]) + f"@{commit}"
    return url.rpartition("/")[2] or None


def package_needs(package: metadata.Distribution) -> list[str]:
    """Return the names of the packages that this one requires here, sorted."""
    requirements = [text for text in package.requires or [] if "extra ==" not in text]
    names = (re.match(r"[A-Za-z0-9._-]+", text) for text in requirements)
    return sorted({re.sub(r"[-_.]+", "-", name[0]).lower() for name in names if name})


def main() -> None:
    gil = getattr(sys, "_is_gil_enabled", None)
    jit = getattr(sys, "_jit", None)
    facts = {
        "implementation": platform.python_implementation(),
        "version": platform.python_version(),
        "free_threaded": bool(sysconfig.get_config_var("Py_GIL_DISABLED")),
        "gil_at_start": bool(gil()) if gil else True,
        "jit": bool(jit.is_enabled()) if jit else None,
        "compiler": platform.python_compiler(),
        **build_facts(),
        "platform": sysconfig.get_platform(),
        "packages": {
            name.lower(): (package.version, package_source(package), package_needs(package))
            for package in metadata.distributions()
            if (name := package.metadata["Name"])
        },
    }
    json.dump(facts, sys.stdout)


if __name__ == "__main__":
    main()
