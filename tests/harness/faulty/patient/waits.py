"""Notes its process. The third time it also starts a child in its own session, and waits until it may go on."""

import os
import subprocess
import sys
import time
from pathlib import Path

from tests.harness.faulty.misbehaving.workload import Answer, Job

FAMILY = "sync"


def run(job: Job) -> list[Answer]:
    folder = Path.home()
    if not job.way:
        return []
    earlier = len(list(folder.glob("*.process")))
    (folder / f"{os.getpid()}.process").touch()
    if earlier == 2 and not (folder / "go_on").exists():
        child = subprocess.Popen(["sleep", "60"], start_new_session=sys.platform == "linux")  # noqa: S607 - any will do
        (folder / f"{child.pid}.child").touch()
        time.sleep(60)
    return [job.work(1)]
