"""A thread for each part of the work."""

from __future__ import annotations

from threading import Barrier, Thread
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from runners.sharing.workload import Answer


def in_threads(work: Callable[[range], Answer], parts: Sequence[range]) -> list[Answer]:
    """Do *work* on every part in a thread of its own. They wait for each other before they begin."""
    answers: list[Answer] = []
    all_started = Barrier(len(parts))

    def begin(part: range) -> None:
        all_started.wait()
        answers.append(work(part))

    threads = [Thread(target=begin, args=(part,)) for part in parts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return answers
