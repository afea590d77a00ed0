"""A sub-interpreter in a thread of its own; it is handed a copy, pickled unless Python knows how to share it."""

from concurrent.futures import InterpreterPoolExecutor  # type: ignore[attr-defined]  # new in 3.14

from runners.moving_data.workload import Job

NAME = "interpreter"
FAMILY = "interpreters"
ONLY = {
    "data": (
        "an int",
        "a list of 10,000 ints",
        "a dict of 1,000 strings",
        "1 MB of bytes",
        "a list of ten blocks of 100 kB",
    )
}
REQUIRES_PYTHON = "3.14"


def run(job: Job) -> None:
    with InterpreterPoolExecutor(max_workers=1) as pool:
        pool.submit(job.function, None).result()  # afterwards its interpreter is there
        for data in job.calls():
            job.answer = pool.submit(job.function, data).result()
