"""The connection between a worker and the harness: JSON objects, one per line, over loopback.

It is never stdout, which belongs to the runner. Standard library only, written for Python 3.10.
"""

from __future__ import annotations

import contextlib
import json
import os
import socket
import time
from typing import Any

Message = dict[str, Any]
MAX_MESSAGE_BYTES = 2**24


class Channel:
    def __init__(self, connection: socket.socket) -> None:
        self._connection = connection
        self._pending = bytearray()

    @classmethod
    def connect(cls, port: str, token: str) -> Channel:
        """Connect a worker to the harness, by the two arguments that it was started with."""
        channel = cls(socket.create_connection(("127.0.0.1", int(port))))
        if hasattr(os, "register_at_fork"):  # a forked child must not keep it open after this process has died
            os.register_at_fork(after_in_child=channel.close)
        channel.send({"token": token})
        return channel

    def send(self, message: Message) -> None:
        """Send one message. Raises OSError if the other side is gone, TypeError or ValueError if it is not JSON."""
        self._connection.sendall(json.dumps(message, allow_nan=False).encode() + b"\n")

    def receive(self, deadline_s: float | None = None) -> Message:
        """Wait for one message, until *deadline_s* on the monotonic clock if given.

        Raises EOFError if the other side is gone, TimeoutError at the deadline, and ValueError for anything that is
        not a JSON object or is too long.
        """
        searched = 0
        while (end := self._pending.find(b"\n", searched)) < 0:  # search each byte only once
            searched = len(self._pending)
            if searched > MAX_MESSAGE_BYTES:
                msg = f"a message is longer than {MAX_MESSAGE_BYTES} bytes"
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

    def wait_until_closed(self) -> None:
        """Wait until the other side is gone: Windows can lose what a process sends just before it ends."""
        with contextlib.suppress(EOFError, OSError, ValueError):
            while True:
                self.receive()

    def close(self) -> None:
        self._connection.close()
