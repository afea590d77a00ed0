"""A service with many live objects, whose requests leave more of them for a while."""

from __future__ import annotations

from collections import deque

CYCLES = 10
"""Sessions of each request that refer to themselves, so that only the collector can free them."""


class Session:
    """Two objects that the collector visits, this one and a list, and a string that it doesn't."""

    __slots__ = ("items", "name")

    def __init__(self, number: int) -> None:
        """Begin with one item."""
        self.name = str(number)
        self.items: list[object] = [number]


class Service:
    """Keeps its sessions for ever, and those of the latest requests until enough others have come."""

    def __init__(self, sessions: int, by_request: int, requests_kept: int) -> None:
        """Make the sessions that live as long as the service."""
        self.sessions = [Session(number) for number in range(sessions)]
        self.by_request = by_request
        self.latest: deque[list[Session]] = deque(maxlen=requests_kept)

    def handle(self, number: int) -> int:
        """Make the sessions of a request, and return how many there are; those of an old request go."""
        made = [Session(number) for _ in range(self.by_request)]
        for session in made[:CYCLES]:
            session.items.append(session)
        self.latest.append(made)
        return len(made)
