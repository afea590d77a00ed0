"""The worker's own line to our side: JSON, a line a message, over a loopback connection.

Never stdout, which belongs to the runner. Standard library only, written for Python 3.10.
"""

from __future__ import annotations

import contextlib
import json
import socket
import time
from typing import Any

Message = dict[str, Any]
LONGEST_BYTES = 2**24
"""Of a message; the longest reports of any runner have a hundredth of it."""


class Channel:
    """One connected end. Messages are JSON objects."""

    def __init__(self, connection: socket.socket) -> None:
        """Take over *connection*."""
        self._connection = connection
        self._pending = bytearray()

    @classmethod
    def connect(cls, port: int) -> Channel:
        """Connect to our side on this host."""
        return cls(socket.create_connection(("127.0.0.1", port)))

    def send(self, message: Message) -> None:
        """Send one message. Raises OSError when the other side is gone, TypeError or ValueError for no JSON."""
        self._connection.sendall(json.dumps(message, allow_nan=False).encode() + b"\n")

    def receive(self, deadline_s: float | None = None) -> Message:
        """Wait for one message, until *deadline_s* of the monotonic clock if given.

        Raises EOFError when the other side is gone, TimeoutError at the deadline, ValueError for what is not JSON, or
        is longer than any message.
        """
        read = 0
        while (end := self._pending.find(b"\n", read)) < 0:  # what was looked through once is not again
            read = len(self._pending)
            if read > LONGEST_BYTES:
                msg = f"it goes on after {LONGEST_BYTES} bytes"
                raise ValueError(msg)
            if deadline_s is not None:
                left_s = deadline_s - time.monotonic()
                if left_s <= 0:
                    raise TimeoutError
                self._connection.settimeout(left_s)
            received = self._connection.recv(65536)
            if not received:
                raise EOFError
            self._pending += received
        line = bytes(self._pending[:end])
        del self._pending[: end + 1]
        message = json.loads(line)
        if not isinstance(message, dict):
            msg = f"expected a JSON object, got {type(message).__name__}"
            raise ValueError(msg)  # noqa: TRY004 - bad data, not a bad call
        return message

    def wait_for_the_end(self) -> None:
        """Wait until the other side is gone. What was sent just before a process ends can be lost on Windows."""
        with contextlib.suppress(EOFError, OSError, ValueError):
            while True:
                self.receive()

    def close(self) -> None:
        """Close this end."""
        self._connection.close()
