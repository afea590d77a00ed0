"""The names in code that the search finds."""

from __future__ import annotations

from generate.words.code_names import list_code_names

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


def test_modules_what_is_taken_of_them_and_methods_of_two_words_are_names() -> None:
    assert list_code_names(CODE) == {
        *("asyncio", "TaskGroup", "get_running_loop", "create_task", "run_in_executor"),
        *("concurrent.futures", "futures", "ThreadPoolExecutor", "multiprocessing", "get_context"),
    }
