"""Gives an answer that no file of results has room for: words in the place of a number."""

from typing import Any

from tests.harness.faulty.misbehaving.workload import Answer, Job

FAMILY = "sync"
AT_ONCE = "one"


class Words(int):
    """Adds up to words."""

    def __radd__(self, _other: Any) -> Any:  # noqa: ANN401 - whatever sum() has
        return "words"


def run(job: Job) -> list[Answer]:
    return [job.work(number)._replace(doubled=Words()) for number in job.numbers[:1]]
