"""The application for ASGI servers, whose workers import it. Its settings are environment variables."""

import asyncio
import os
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

from runners.workers import _startup
from runners.workers.workload import compute

Message = MutableMapping[str, Any]

WAIT_S = float(os.environ.get("WAIT_S", "0"))
TURNS = int(os.environ.get("TURNS", "0"))


async def app(
    scope: Message, receive: Callable[[], Awaitable[Message]], send: Callable[[Message], Awaitable[None]]
) -> None:
    """Answer a request, or report that the worker has started."""
    if scope["type"] == "lifespan":
        await receive()
        await send({"type": "lifespan.startup.complete"})
        _startup.report()
        await receive()
        return
    await asyncio.sleep(WAIT_S)
    compute(TURNS)
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"0")]})
    await send({"type": "http.response.body"})
