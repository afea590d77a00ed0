"""A pool of threads of the library's own size: as many as there are cores, and four, at most 32."""

from concurrent.futures import ThreadPoolExecutor

from runners.everyday.workload import Answer, Job

NAME = "thread pool, default size"
FAMILY = "threads"
AT_ONCE = "default executor"
ONLY = {"kind": ("compress", "json", "read", "resize", "query")}


def run(job: Job) -> list[Answer]:
    with ThreadPoolExecutor() as pool:
        return list(pool.map(job.work, job.items))
