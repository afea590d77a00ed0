"""The local origin sites: four servers in a process of their own, each with its own latency.

Which page waits how long is in its address; the scenario's module, with whose name the child is started, can read it
(`page_at`) and says how many sites there are (`MEANS_S`). The sites count the requests and how many were in flight at
once, so that what a runner says of itself can be checked. Runs on our own Python; nothing listens on anything but
loopback. The child prints its ports, or why it has none, as a line of JSON on stdout, answers each line on its stdin
with its counts, and ends when its stdin does, so it never outlives our side.
"""

from __future__ import annotations

import asyncio
import importlib
import json
import subprocess
import sys
from contextlib import contextmanager, suppress
from typing import IO, TYPE_CHECKING, Any

from aiohttp import web

from runners.harness.catalogue.scenarios import ROOT
from runners.harness.process import orphans

if TYPE_CHECKING:
    from collections.abc import Iterator

END_LIMIT_S = 5.0
BACKLOG = 4096
"""Connections that may wait to be accepted, if the system allows: a full queue costs a client a second and more."""


class SitesError(Exception):
    """The sites do not start, or have ended. The message says why."""


class Sites:
    """The running sites."""

    def __init__(self, answers: IO[str], orders: IO[str]) -> None:
        """Take over the two ends of the child; waits until it is ready. Raises SitesError when it does not start."""
        self._answers = answers
        self._orders = orders
        ports = self._answer()
        self.addresses = tuple(f"http://127.0.0.1:{port}" for port in ports)
        """Base addresses of the four sites, in order; a page's path begins with a slash."""

    def reset(self) -> None:
        """Set all counts to nothing. Raises SitesError."""
        self._ask("reset")

    def counts(self) -> tuple[list[int], int]:
        """Return what came since the last reset: requests by site, and the most in flight at once over all sites.

        Raises SitesError.
        """
        *requests, peak = self._ask("counts")
        return requests, peak

    def _ask(self, order: str) -> list[int]:
        with suppress(OSError):  # where they have ended there is no answer either, which is what is then reported
            self._orders.write(order + "\n")
            self._orders.flush()
        return self._answer()

    def _answer(self) -> list[int]:
        line = self._answers.readline()
        if not line:
            msg = "they have ended"
            raise SitesError(msg)
        answer: list[int] | str = json.loads(line)
        if isinstance(answer, str):
            raise SitesError(answer)
        return answer


@contextmanager
def sites(module: str) -> Iterator[Sites]:
    """Start the sites with the pages of *module*; they end on leaving. Raises SitesError when they do not start."""
    with _child(module) as process:
        assert process.stdin is not None  # noqa: S101 - it was opened with pipes
        assert process.stdout is not None  # noqa: S101
        try:
            yield Sites(process.stdout, process.stdin)
        finally:
            with suppress(OSError):  # it may have ended, with an order still on its way
                process.stdin.close()
            try:
                process.wait(END_LIMIT_S)
            except subprocess.TimeoutExpired:
                process.kill()


def _child(module: str) -> subprocess.Popen[str]:
    try:
        return subprocess.Popen(  # noqa: S603 - our own module
            [sys.executable, "-m", "runners.harness.http_load.origin_sites", module],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=ROOT,
            start_new_session=True,  # an interrupt from the keyboard is for our side, which then ends this one
            creationflags=orphans.NEW_GROUP,
        )
    except OSError as error:
        msg = f"they could not be started: {error.strerror}"
        raise SitesError(msg) from None


class _Counter:
    """Counts requests. The four sites share one event loop, so nothing interrupts it."""

    def __init__(self, sites: int) -> None:
        self._sites = sites
        self._resets = 0
        self.reset()

    def reset(self) -> None:
        """Begin anew: a request of before, whose client was ended before its answer, no longer counts."""
        self.requests = [0] * self._sites
        self.in_flight = self.peak = 0
        self._resets += 1

    def begin(self, site: int) -> int:
        """Count a request; return what `end` is to be told."""
        self.requests[site] += 1
        self.in_flight += 1
        self.peak = max(self.peak, self.in_flight)
        return self._resets

    def end(self, begun: int) -> None:
        if begun == self._resets:
            self.in_flight -= 1


def _application(pages: Any, site: int, counter: _Counter) -> web.Application:  # noqa: ANN401 - a scenario's module
    async def answer(request: web.Request) -> web.Response:
        try:
            page = pages.page_at(site, request.path)
        except ValueError as error:
            raise web.HTTPNotFound(text=str(error)) from error
        begun = counter.begin(site)
        try:
            await asyncio.sleep(page.latency_s)
        finally:
            counter.end(begun)
        return web.Response(body=page.body)

    application = web.Application()
    application.router.add_get("/{path:.*}", answer)
    return application


async def _serve(pages: Any) -> None:  # noqa: ANN401 - a scenario's module
    counter = _Counter(len(pages.MEANS_S))
    ports = []
    for site in range(len(pages.MEANS_S)):
        runner = web.AppRunner(_application(pages, site, counter), access_log=None)
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", 0, backlog=BACKLOG).start()
        ports.append(runner.addresses[0][1])
    _say(ports)
    while order := await asyncio.to_thread(sys.stdin.readline):
        if order.strip() == "reset":
            counter.reset()
        _say([*counter.requests, counter.peak])


def _say(answer: list[int] | str) -> None:
    sys.stdout.write(json.dumps(answer) + "\n")
    sys.stdout.flush()


def main(module: str) -> None:
    """Serve the pages of *module*; where no port can be had, print why in the place of the ports."""
    try:
        asyncio.run(_serve(importlib.import_module(module)))
    except OSError as error:
        _say(f"no port of 127.0.0.1 can be had: {error.strerror}")


if __name__ == "__main__":
    main(sys.argv[1])
