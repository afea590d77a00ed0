"""Tells a server's main process when all of its workers have started, however they were started."""

import os
import socket
from collections.abc import Callable
from threading import Thread

VARIABLE = "STARTUP_PORT"
"""Environment variable with the port at which workers report."""


def when_started(workers: int, call: Callable[[], object]) -> None:
    """Call *call* once *workers* of them have called `report`. Processes that begin from now on know where."""
    listener = socket.create_server(("127.0.0.1", 0))
    os.environ[VARIABLE] = str(listener.getsockname()[1])

    def wait() -> None:
        with listener:
            for _ in range(workers):
                listener.accept()[0].close()
        call()

    Thread(target=wait, daemon=True).start()


def report() -> None:
    """Report that this worker has started."""
    socket.create_connection(("127.0.0.1", int(os.environ[VARIABLE]))).close()
