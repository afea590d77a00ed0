"""How a build is called, and how it was built: absolute times are of such a build, and a reader's may be another. Pure.

In a sentence a build has its name in words (`build_words`); where nothing but builds stands, a label (`build_label`);
on an axis, what there is room for (`short_build`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from generate.words.names import strip_markup
from runners.harness.record.build_names import name_parts, numbers, prerelease, release, short_word

if TYPE_CHECKING:
    from runners.harness.record.model import Build


NO_GIL = "no GIL"
"""What the short name of a build says that runs without one."""
FIRST_WITH_JIT = (3, 13)
"""The first CPython that can be built with a just-in-time compiler."""
_IMPLEMENTATIONS = {"cpython": "CPython", "pypy": "PyPy"}


def describe_build(build: str) -> str:
    """Write a build's name: "CPython 3.14.0", "CPython 3.14.0 free-threaded", "CPython 3.14.0 (aiohttp-3.13.5)"."""
    implementation, version, free_threaded, kinds, variant = name_parts(strip_markup(build))
    kind = " free-threaded" if free_threaded else ""
    words = f"{_IMPLEMENTATIONS.get(implementation, implementation)} {version}{kind}"
    more = [*(f"{each.upper()} on" for each in kinds), *variant]
    return f"{words} ({', '.join(more)})" if more else words


def format_build(build: str) -> str:
    """Return how a build is called where nothing but builds stands: "3.14.7t"; another implementation is named."""
    return strip_markup(build).removeprefix("cpython-")


def abbreviate_build(build: Build, *, is_whole: bool = False) -> str:
    """Name a build as shortly as an axis has room for: "3.14", and what it is beside that in a second line."""
    version = strip_markup(build.version if is_whole else release(build.version) + prerelease(build.version))
    named = version if build.implementation == "CPython" else f"{strip_markup(build.implementation)} {version}"
    gil = ["GIL on" if build.gil_at_start else NO_GIL] if build.free_threaded else []
    different = [strip_markup(short_word(word)) for word in build.variant]
    return "\n".join([named, *gil, *(["JIT"] if build.jit else []), *different])


def describe_optimisation(build: Build) -> str:
    """Say whether a build is optimised as distributions and installers do it: "built without PGO and LTO"."""
    known = {"PGO": build.pgo, "LTO": build.lto}
    if None in known.values():
        return "optimisation not known"
    (are, names), *others = [
        (is_so, [name for name, is_on in known.items() if is_on is is_so])
        for is_so in (True, False)
        if is_so in known.values()
    ]
    words = f"built {'with' if are else 'without'} {' and '.join(names)}"
    return f"{words}, without {others[0][1][0]}" if others else words


def these_were(way: str) -> str:
    """Begin a sentence with how some builds were optimised, as `how_optimised` has it."""
    return f"These Pythons were {way}" if way.startswith("built") else "How these Pythons were optimised is not known"


def describe_build_options(build: Build) -> str:
    """Say all that is known of how a build was made and of what makes it faster or slower."""
    words = [describe_optimisation(build)]
    if build.shared is not None:
        words.append("linked to a shared libpython" if build.shared else "libpython linked in")
    if build.frame_pointers:
        words.append("with frame pointers")
    if build.jit_compiled:
        words.append(f"with a just-in-time compiler, {'on' if build.jit else 'off'}")
    switches = [*build.variables, *(f"-X {option}" for option in build.options)]
    if switches:
        words.append(f"run with {', '.join(switches)}")
    return ", ".join(words)


def describe_jit(build: Build) -> str:
    """Say whether a build's just-in-time compiler was on: "none" of one that can't have or does not contain one."""
    is_older = build.implementation == "CPython" and numbers(build.version) < FIRST_WITH_JIT
    if build.jit_compiled is False or (build.jit_compiled is None and build.jit is None and is_older):
        return "none"
    return {None: "not known", True: "on", False: "off"}[build.jit]
