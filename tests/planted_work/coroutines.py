"""Coroutines that wait, compute, block, or are limited by something that they share."""

import asyncio
import hashlib
import time
from collections.abc import Iterator

import mixed

BUFFER = hashlib.shake_128(b"planted").digest(2_000_000) * 3


def numbers() -> Iterator[int]:
    yield from range(60)


def many() -> Iterator[int]:
    yield from range(2_000)


async def call_api(number: int) -> int:
    await asyncio.sleep(0.08)
    return number * 2


async def time_out(number: int) -> str:
    try:
        await asyncio.wait_for(asyncio.Event().wait(), 0.07)
    except TimeoutError:
        return f"timed out {number}"
    return "woken"


async def run_program(number: int) -> int:
    process = await asyncio.create_subprocess_exec("sleep", "0.2")
    return await process.wait() + number


async def call_and_parse(number: int) -> int:
    await asyncio.sleep(0.05)
    return sum(i * number for i in range(5_000))


async def compute_only(number: int) -> int:
    return mixed.compute(6.25, number)


async def return_at_once(number: int) -> int:
    return number + 1


async def hash_on_loop(number: int) -> str:
    return hashlib.sha256(memoryview(BUFFER)[number:]).hexdigest()


async def block_on_loop(number: int) -> int:
    time.sleep(0.03)  # noqa: ASYNC251
    return number


async def hash_in_thread(number: int) -> str:
    digest = await asyncio.to_thread(hashlib.sha256, memoryview(BUFFER)[number:])
    return digest.hexdigest()
