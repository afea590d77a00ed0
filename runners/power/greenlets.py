"""A greenlet for each power: they take turns only where they wait, and these never wait."""

from gevent import monkey

monkey.patch_all()

import gevent  # noqa: E402 - what is imported before the patch would go on blocking

from runners.power.workload import Answer, Job  # noqa: E402

NAME = "gevent greenlets"
FAMILY = "gevent"
AT_ONCE = "one"


def run(job: Job) -> list[Answer]:
    greenlets = [gevent.spawn(job.work, number) for number in job.numbers]
    gevent.joinall(greenlets, raise_error=True)
    return [greenlet.value for greenlet in greenlets]
