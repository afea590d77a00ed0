"""What a worker does: it answers with one number more. Kept small, since workers import it inside the clock."""

from __future__ import annotations

import os
from _thread import get_ident

TYPE_CHECKING = False  # typing would be most of what a worker imports
if TYPE_CHECKING:
    from collections.abc import Callable
    from multiprocessing.connection import Connection

    Answer = tuple[int, int, int, int]
    """The number, the worker's process and thread, and when its modules were imported; 0 if it has none."""


def answer(number: int) -> Answer:
    return number + 1, os.getpid(), get_ident(), 0


def serve(pipe: Connection[Answer, int | None], answer: Callable[[int], Answer]) -> None:
    """Answer until None comes: the work of a process."""
    while (number := pipe.recv()) is not None:
        pipe.send(answer(number))
