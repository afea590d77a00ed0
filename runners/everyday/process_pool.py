"""A pool of processes, one for each core; an item is handed over, and its answer back, pickled."""

from concurrent.futures import ProcessPoolExecutor

from runners.everyday.workload import Answer, Job

NAME = "process pool"
FAMILY = "processes"
AT_ONCE = "workers"
ONLY = {"kind": ("compress", "read", "resize")}


def run(job: Job) -> list[Answer]:
    with ProcessPoolExecutor(max_workers=job.cores) as pool:
        return list(pool.map(job.work, job.items))
