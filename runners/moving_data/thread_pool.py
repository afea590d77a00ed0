"""A thread: it is handed a reference, whatever the data."""

from concurrent.futures import ThreadPoolExecutor

from runners.moving_data.workload import Job

NAME = "thread"
FAMILY = "threads"
ONLY = {"data": ("an int", "a list of 10,000 ints", "1 MB of bytes")}


def run(job: Job) -> None:
    with ThreadPoolExecutor(max_workers=1) as pool:
        pool.submit(job.function, None).result()  # afterwards its thread is there
        for data in job.calls():
            job.answer = pool.submit(job.function, data).result()
