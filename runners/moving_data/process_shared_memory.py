"""A process, with pickle protocol 5: buffers go through shared memory, and only the rest through the pipe."""

import pickle
from concurrent.futures import ProcessPoolExecutor
from functools import lru_cache
from multiprocessing import get_context
from multiprocessing.shared_memory import SharedMemory
from typing import Any

from runners.moving_data.workload import Job, identity

NAME = "process, shared memory"
FAMILY = "processes"
ONLY = {"data": ("1 MB of bytes",)}
REQUIRES_FORK = True

attach = lru_cache(SharedMemory)  # once for each block


def put(value: Any, memory: Any, start: int) -> tuple[bytes, slice]:  # noqa: ANN401 - bytes and views
    buffers: list[pickle.PickleBuffer] = []
    rest = pickle.dumps(pickle.PickleBuffer(value), protocol=5, buffer_callback=buffers.append)
    content = buffers[0].raw()
    place = slice(start, start + content.nbytes)
    memory[place] = content
    return rest, place


def call(name: str, rest: bytes, place: slice) -> tuple[bytes, slice]:
    memory: Any = attach(name).buf
    with memory[place] as view:
        value = identity(pickle.loads(rest, buffers=[view]))  # noqa: S301 - our own; no copy is made
        return put(value, memory, place.stop)


def run(job: Job) -> None:
    block = SharedMemory(create=True, size=2 * len(job.data))
    memory: Any = block.buf
    try:
        with ProcessPoolExecutor(max_workers=1, mp_context=get_context("fork")) as pool:
            pool.submit(job.function, None).result()  # afterwards its process is there
            for data in job.calls():
                rest, place = pool.submit(call, block.name, *put(data, memory, 0)).result()
                job.answer = bytes(pickle.loads(rest, buffers=[memory[place]]))  # noqa: S301 - our own
    finally:
        del memory
        block.close()
        block.unlink()
