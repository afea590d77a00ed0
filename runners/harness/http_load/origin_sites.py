"""The local origin sites: four servers in one child process, each with its own latency.

A page's address contains its latency. The scenario's module, named when the child is started, reads it (`page_at`) and
defines how many sites there are (`MEANS_S`). The sites count requests and how many are in flight, which checks what a
runner reports. They run on our own Python and listen only on loopback. The child prints its ports, or why it
has none, as a line of JSON on stdout; it answers each line on stdin with its counts, and ends with stdin, so it never
outlives the harness.
"""

from __future__ import annotations

import asyncio
import importlib
import json
import subprocess
import sys
from contextlib import contextmanager, suppress
from typing import IO, TYPE_CHECKING, Any, cast

from aiohttp import web

from runners.harness.catalogue.scenarios import ROOT
from runners.harness.process import orphans

if TYPE_CHECKING:
    from collections.abc import Iterator

END_LIMIT_S = 5.0
BACKLOG = 4096
"""Connections that may wait to be accepted, if the system allows: a full queue costs a client over a second."""


class SitesError(Exception):
    """The sites did not start, or have ended. The message gives the reason."""


class Sites:
    """The running sites. Raises SitesError if they did not start."""

    def __init__(self, stdout: IO[str], stdin: IO[str]) -> None:
        self._stdout = stdout
        self._stdin = stdin
        ports = self._answer()
        self.addresses = tuple(f"http://127.0.0.1:{port}" for port in ports)
        """The sites' base addresses, in order; a page's path starts with a slash."""

    def reset(self) -> None:
        """Reset all counts. Raises SitesError."""
        self._ask("reset")

    def counts(self) -> tuple[list[int], int]:
        """Return each site's requests since the last reset, and the most in flight in all. Raises SitesError."""
        *requests, peak = self._ask("counts")
        return requests, peak

    def _ask(self, question: str) -> list[int]:
        with suppress(OSError):  # if they have ended there is no answer either, and that is reported
            self._stdin.write(question + "\n")
            self._stdin.flush()
        return self._answer()

    def _answer(self) -> list[int]:
        line = self._stdout.readline()
        if not line:
            msg = "they have ended"
            raise SitesError(msg)
        answer: list[int] | str = json.loads(line)
        if isinstance(answer, str):
            raise SitesError(answer)
        return answer


@contextmanager
def sites(module: str) -> Iterator[Sites]:
    """Start the sites with the pages of *module*, and end them on leaving. Raises SitesError."""
    with _child(module) as process:
        stdin = cast("IO[str]", process.stdin)
        try:
            yield Sites(cast("IO[str]", process.stdout), stdin)
        finally:
            with suppress(OSError):  # it may have ended before it read everything
                stdin.close()
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
            start_new_session=True,  # Ctrl-C reaches only the harness, which then ends this
            creationflags=orphans.NEW_GROUP,
        )
    except OSError as error:
        msg = f"they could not be started: {error.strerror}"
        raise SitesError(msg) from None


class _Counter:
    """Counts requests. All sites share one event loop, so nothing interrupts it."""

    def __init__(self, sites: int) -> None:
        self._sites = sites
        self._resets = 0
        self.reset()

    def reset(self) -> None:
        """Set all counts to zero. Requests from before no longer count when they end."""
        self.requests = [0] * self._sites
        self.in_flight = self.peak = 0
        self._resets += 1

    def begin(self, site: int) -> int:
        """Count a request, and return a token for `end`."""
        self.requests[site] += 1
        self.in_flight += 1
        self.peak = max(self.peak, self.in_flight)
        return self._resets

    def end(self, token: int) -> None:
        if token == self._resets:
            self.in_flight -= 1


def _application(pages: Any, site: int, counter: _Counter) -> web.Application:  # noqa: ANN401 - a scenario's module
    async def answer(request: web.Request) -> web.Response:
        try:
            page = pages.page_at(site, request.path)
        except ValueError as error:
            raise web.HTTPNotFound(text=str(error)) from error
        token = counter.begin(site)
        try:
            await asyncio.sleep(page.latency_s)
        finally:
            counter.end(token)
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
    _print(ports)
    while question := await asyncio.to_thread(sys.stdin.readline):
        if question.strip() == "reset":
            counter.reset()
        _print([*counter.requests, counter.peak])


def _print(answer: list[int] | str) -> None:
    sys.stdout.write(json.dumps(answer) + "\n")
    sys.stdout.flush()


def main(module: str) -> None:
    """Serve the pages of *module*; if no port is free, print why."""
    try:
        asyncio.run(_serve(importlib.import_module(module)))
    except OSError as error:
        _print(f"no port of 127.0.0.1 is free: {error.strerror}")


if __name__ == "__main__":
    main(sys.argv[1])
