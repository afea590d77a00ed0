"""Names in addresses, titles, order and the search."""

from __future__ import annotations

import re

import pytest

from generate.data.selection import MAX_LETTERS, build_order, slug
from generate.words.names import is_prerelease, list_code_names, list_names, list_names_briefly, strip_markup

CODE = """
from __future__ import annotations

import asyncio
import concurrent.futures
from multiprocessing import get_context
from typing import TYPE_CHECKING
from runners.primes.workload import Job


async def main(job: Job) -> None:
    loop = asyncio.get_running_loop()
    async with asyncio.TaskGroup() as group:
        group.create_task(job.wait_a_while())
    with concurrent.futures.ThreadPoolExecutor(job.workers_count) as pool:
        await loop.run_in_executor(pool, job.one_task.long_name, [].append)
    get_context("spawn").Process().join()
    loop.__class__._private_name()
"""


@pytest.mark.parametrize(
    ("name", "address"), [("Ubuntu 24.04 x", "ubuntu-24.04-x"), ("linux-x86_64", "linux-x86-64"), ("a.b-", "a.b")]
)
def test_plain_name_is_its_own_address(name: str, address: str) -> None:
    assert slug(name) == address


@pytest.mark.parametrize("name", ["<&>", "..", "ноутбук", "мой", "../<b>Ünï</b> x", "x" * 200, "\ud800", ""])
def test_any_other_name_gets_a_safe_address_of_its_own(name: str) -> None:
    assert re.fullmatch(r"[a-z0-9.-]+-[0-9a-f]{8}", slug(name))
    assert len(slug(name)) <= MAX_LETTERS + 9
    assert slug(name) != slug(name + "x")


def test_builds_between_releases_have_addresses_of_their_own() -> None:
    names = [f"cpython-3.14.0{end}" for end in ("", "+", "+patched", "++patched", "+t", "t")]
    assert len({slug(name) for name in names}) == len(names)
    assert slug("cpython-3.14.0+patched") == "cpython-3.14.0-patched"


@pytest.mark.parametrize(
    ("name", "title"),
    [
        ("cpython-3.15.2+PYTHON_JIT=1", "cpython-3.15.2+PYTHON_JIT=1"),
        ("CPU beside I/O", "CPU beside I/O"),
        ("a==b", "a b"),
        ("</b>", "b"),
        ("=a", "a"),
        ("a\u202eb", "a b"),
        ("===", "unnamed"),
    ],
)
def test_titles_hold_no_markup(name: str, title: str) -> None:
    assert strip_markup(name) == title


@pytest.mark.parametrize(
    ("names", "listed", "briefly"),
    [
        (["CPython 3.14"], "CPython 3.14", "CPython 3.14"),
        (["CPython 3.13", "CPython 3.14"], "CPython 3.13 and CPython 3.14", "CPython 3.13 and 3.14"),
        (["a 1", "a 2", "b 1"], "a 1, a 2 and b 1", "a 1, a 2 and b 1"),
    ],
)
def test_names_are_listed(names: list[str], listed: str, briefly: str) -> None:
    assert (list_names(names), list_names_briefly(names)) == (listed, briefly)


def test_builds_are_in_the_order_of_their_versions() -> None:
    builds = [
        "cpython-<odd>",
        "cpython-3.9.18",
        "cpython-3.13.0",
        "cpython-3.13.0+aiohttp-3.13.5",
        "cpython-3.13.0t",
        "cpython-3.13.0t-gil",
        "cpython-3.15.0a7",
        "cpython-3.15.0b1",
        "cpython-3.15.0rc1",
        "cpython-3.15.0",
        "pypy-3.11.13",
    ]
    assert sorted([*builds[1::2], *builds[::2]], key=build_order) == builds


def test_prereleases_are_known_by_their_names() -> None:
    leading = ["cpython-3.15.0rc2", "cpython-3.15.0rc2t", "cpython-3.15.0a7", "cpython-<odd>"]
    released = ["cpython-3.14.0", "cpython-3.14.0t", "cpython-3.14.0+aiohttp-3.13.5", "pypy-3.11.13"]
    assert [build for build in [*leading, *released] if is_prerelease(build)] == leading


def test_search_finds_modules_their_names_and_long_methods() -> None:
    assert list_code_names(CODE) == {
        *("asyncio", "TaskGroup", "get_running_loop", "create_task", "run_in_executor"),
        *("concurrent.futures", "futures", "ThreadPoolExecutor", "multiprocessing", "get_context"),
    }
