"""Leaves a process and that one's child behind, and says which."""

import subprocess

from tests.harness.faulty.misbehaving.workload import Answer, Job


def run(job: Job) -> list[Answer]:
    if job.goes_wrong:
        shell = ["sh", "-c", "trap '' TERM INT; sleep 60 & echo $!; wait"]
        left = subprocess.Popen(shell, stdout=subprocess.PIPE, text=True)  # noqa: S603 - a constant
        assert left.stdout is not None
        msg = f"{left.pid} {left.stdout.readline().strip()}"
        raise RuntimeError(msg)
    return []
