"""Names in addresses, titles, order and the search."""

import re

import pytest

from generate.data.files import MAX_LETTERS, build_order, slug
from generate.words.names import is_prerelease, list_code_names, list_names, list_names_briefly, strip_markup

CODE = """

import asyncio
import concurrent.futures
from multiprocessing import get_context

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


def test_plain_names_are_their_own_addresses() -> None:
    names = ["Ubuntu 24.04 x", "linux-x86_64", "a.b-", "cpython-3.14.0+patched"]
    assert [*map(slug, names)] == ["ubuntu-24.04-x", "linux-x86-64", "a.b", "cpython-3.14.0-patched"]


@pytest.mark.parametrize("name", ["<&>", "..", "ноутбук", "мой", "../<b>Ünï</b> x", "x" * 200, "\ud800", ""])
def test_any_other_name_gets_a_safe_address_of_its_own(name: str) -> None:
    assert re.fullmatch(r"[a-z0-9.-]+-[0-9a-f]{8}", slug(name))
    assert len(slug(name)) <= MAX_LETTERS + 9
    assert slug(name) != slug(name + "x")


def test_builds_between_releases_have_addresses_of_their_own() -> None:
    names = [f"cpython-3.14.0{end}" for end in ("", "+", "+patched", "++patched", "+t", "t")]
    assert len({slug(name) for name in names}) == len(names)


def test_titles_hold_no_markup() -> None:
    names = ["cpython-3.15.2+PYTHON_JIT=1", "a==b; c", "</b>", "=a", "a\u202eb", "==="]
    assert [*map(strip_markup, names)] == ["cpython-3.15.2+PYTHON_JIT=1", "a b; c", "b", "a", "a b", "unnamed"]


def test_names_are_listed() -> None:
    names = ["CPython 3.13", "CPython 3.14"]
    assert list_names(names) == "CPython 3.13 and CPython 3.14"
    assert list_names_briefly(names) == "CPython 3.13 and 3.14"
    assert list_names_briefly(names[:1]) == names[0]
    assert list_names_briefly(["a 1", "a 2", "b 1"]) == "a 1, a 2 and b 1"


def test_builds_are_in_the_order_of_their_versions() -> None:
    versions = ["<odd>", "3.9.18", "3.13.0", "3.13.0+aiohttp-3.13.5", "3.13.0t", "3.13.0t-gil", "3.15.0a7", "3.15.0b1"]
    builds = [*(f"cpython-{version}" for version in [*versions, "3.15.0rc1", "3.15.0"]), "pypy-3.11.13"]
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
