"""A sub-interpreter with a GIL of its own, of a pool that was started before."""

import asyncio
from concurrent.futures import InterpreterPoolExecutor  # type: ignore[attr-defined]  # new in 3.14

from runners.cpu_beside_io.workload import Job, Part

NAME = "interpreter, started before"
FAMILY = "interpreters"
AT_ONCE = "beside"
ONLY = {"work": ("python", "c_keeps")}
REQUIRES_PYTHON = "3.14"


async def main(job: Job) -> list[Part]:
    loop = asyncio.get_running_loop()
    with InterpreterPoolExecutor(max_workers=1) as pool:
        await loop.run_in_executor(pool, int)  # a call that does nothing: after it the interpreter is there
        async with job.heart():
            return await loop.run_in_executor(pool, job.work.compute)


def run(job: Job) -> list[Part]:
    return asyncio.run(main(job))
