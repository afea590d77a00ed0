"""A build's name in a sentence, in a list of builds and on an axis, and how it was built."""

from collections.abc import Sequence

from generate.words import patterns
from generate.words.names import strip_markup
from runners.harness.record.build_names import name_parts, numbers, prerelease, release, short_word, slowed_by
from runners.harness.record.model import Build

FIRST_WITH_JIT = (3, 13)
_KINDS = {"gil": "GIL on", "jit": "JIT on", "debug": "debug"}
_IMPLEMENTATIONS = {"cpython": "CPython", "pypy": "PyPy"}


def describe_build(build: str) -> str:
    """Format a build's name: "CPython 3.14.0", "CPython 3.14.0 free-threaded", "CPython 3.14.0 (aiohttp-3.13.5)"."""
    implementation, version, free_threaded, kinds, variant = name_parts(strip_markup(build))
    kind = " free-threaded" if free_threaded else ""
    words = f"{_IMPLEMENTATIONS.get(implementation, implementation)} {version}{kind}"
    more = [*(_KINDS[each] for each in kinds), *variant]
    return f"{words} ({', '.join(more)})" if more else words


def format_build(build: str) -> str:
    """Format a build's name in a list of builds: "3.14.7t", "pypy-3.11.13"."""
    return strip_markup(build).removeprefix("cpython-")


def abbreviate_builds(builds: Sequence[str]) -> list[str]:
    """Name builds as briefly as tells them apart: "3.14", "3.14t"; "3.14.7" next to another 3.14."""
    short = [_abbreviate(build) for build in builds]
    return [name if short.count(name) == 1 else format_build(build) for build, name in zip(builds, short, strict=True)]


def _abbreviate(build: str) -> str:
    implementation, version, free_threaded, kinds, variant = name_parts(build)
    is_plain = implementation == "cpython" and not kinds and not variant
    return strip_markup(f"{release(version)}{'t' * free_threaded}") if is_plain else format_build(build)


def abbreviate_build(build: Build, *, with_patch: bool = False) -> str:
    """Name a build on an axis: "3.14", "3.14t". Further lines tell it from a final build without options."""
    version = strip_markup(build.version if with_patch else release(build.version)) + "t" * build.free_threaded
    named = version if build.implementation == "CPython" else f"{strip_markup(build.implementation)} {version}"
    early = "" if with_patch else prerelease(build.version)
    gil = "GIL on" if build.free_threaded and build.gil_at_start else ""
    different = [strip_markup(short_word(word)) for word in build.variant]
    kinds = "JIT" * bool(build.jit), "debug" * bool(slowed_by(build))
    return "\n".join(filter(None, [named, early, gil, *kinds, *different]))


def describe_optimisation(build: Build) -> str:
    """Describe how far a build is optimised as distributions do it: "built without PGO and LTO"."""
    if build.pgo is None or build.lto is None:
        return patterns.OPTIMISATION_UNKNOWN
    return patterns.OPTIMISED[build.pgo, build.lto]


def describe_build_options(build: Build) -> str:
    """Describe everything known to make a build faster or slower."""
    words = [describe_optimisation(build)]
    if build.shared is not None:
        words.append("linked to a shared libpython" if build.shared else "libpython linked in")
    if build.frame_pointers:
        words.append("with frame pointers")
    if build.jit_compiled:
        words.append(f"with a just-in-time compiler, {'on' if build.jit else 'off'}")
    switches = [*build.variables, *(f"-X {option}" for option in build.options)]
    return ", ".join([*words, *([f"run with {', '.join(switches)}"] if switches else [])])


def describe_jit(build: Build) -> str:
    """Describe a just-in-time compiler: "on", "off", "not known", or "none" if the build can't have one."""
    is_older = build.implementation == "CPython" and numbers(build.version) < FIRST_WITH_JIT
    if build.jit_compiled is False or (build.jit_compiled is None and build.jit is None and is_older):
        return "none"
    return {None: "not known", True: "on", False: "off"}[build.jit]
