"""Names of builds, and versions."""

import msgspec
import pytest
from factory import build

from runners.harness.record import build_names
from runners.harness.record.build_names import build_name

TAGS = "cp313-cp313-manylinux2014_x86_64.manylinux_2_17_x86_64"


@pytest.mark.parametrize(
    ("word", "called"),
    [
        (f"aiohttp-3.15.0.dev0-{TAGS}.whl 4d3f832c", "aiohttp-3.15.0.dev0-4d3f832c"),
        (f"aiohttp-3.14.5+slow.1-{TAGS}.whl 1ffa3a52", "aiohttp-3.14.5-slow.1-1ffa3a52"),
        ("aiohttp-4.0-1-py3-none-any.whl 1a2b3c4d", "aiohttp-4.0-1a2b3c4d"),
        (f"aiohttp-4.0+{'a' * 40}-{TAGS}.whl 1a2b3c4d", f"aiohttp-4.0-{'a' * 28}-1a2b3c4d"),
        ("aiohttp-4.0-py3-none-any.whl", "aiohttp-4.0-py3-none-any.whl"),
    ],
)
def test_wheel_is_called_by_package_version_and_digest(word: str, called: str) -> None:
    name = build_name(msgspec.structs.replace(build("3.13.0"), variant=(word,)))
    assert name == f"cpython-3.13.0+{called}"
    assert build_names.name_parts(name).variant == (called,)


def test_builds_of_one_version_have_different_names() -> None:
    assert build_name(build("3.14.0rc1")) == "cpython-3.14.0rc1"
    free = msgspec.structs.replace(build("3.14.0"), free_threaded=True, gil_at_start=False, implementation="PyPy")
    assert build_name(free) == "pypy-3.14.0t"
    assert build_name(msgspec.structs.replace(free, gil_at_start=True)) == "pypy-3.14.0t-gil"
    assert build_name(msgspec.structs.replace(build("3.15.0"), jit=True)) == "cpython-3.15.0-jit"


@pytest.mark.parametrize(
    ("version", "numbers", "mark"),
    [
        ("3.14.0rc1", (3, 14, 0), "rc1"),
        ("3.15.0a1+", (3, 15, 0), "a1"),
        ("3.13-dev", (3, 13), ""),
        ("3.13.2+", (3, 13, 2), ""),
        ("pypy", (), ""),
    ],
)
def test_version_has_numbers_and_a_mark(version: str, numbers: tuple[int, ...], mark: str) -> None:
    assert (build_names.numbers(version), build_names.prerelease(version)) == (numbers, mark)


@pytest.mark.parametrize("version", ["3.14.0", "3.15.0a1+"])
@pytest.mark.parametrize("free_threaded", [False, True])
@pytest.mark.parametrize("jit", [False, True])
@pytest.mark.parametrize("variant", [(), ("aiohttp==3.13.5", "PYTHON_JIT=1")])
def test_name_parts_invert_a_name(version: str, *, free_threaded: bool, jit: bool, variant: tuple[str, ...]) -> None:
    facts = {"free_threaded": free_threaded, "gil_at_start": True, "jit": jit, "variant": variant}
    parts = build_names.name_parts(build_name(msgspec.structs.replace(build(version), **facts)))
    kinds = tuple(kind for kind, is_so in (("gil", free_threaded), ("jit", jit)) if is_so)
    assert parts == ("cpython", version, free_threaded, () if variant else kinds, variant)
