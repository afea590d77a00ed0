"""The local origin sites: four servers in one child process, each with its own latency.

A page's address contains its latency. The scenario's module, named when the child is started, reads it (`page_at`) and
defines how many sites there are (`MEANS_S`). The sites count requests and how many are in flight, which checks what a
runner reports. They run on our own Python and listen only on loopback. The child answers each line on stdin (`ports`,
`counts` or `reset`) with a line of JSON on stdout, and ends with stdin, so it never outlives the harness.
"""

import asyncio
import importlib
import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import IO, Any, cast

from aiohttp import web

from runners.harness.catalogue.scenarios import ROOT
from runners.harness.process import orphans

BACKLOG = 4096
"""Connections that may wait to be accepted, if the system allows: a full queue costs a client over a second."""


class SitesError(Exception):
    """The sites have ended, or did not start."""


class Sites:
    """The running sites. Raises SitesError if they did not start."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process
        self.addresses = tuple(f"http://127.0.0.1:{port}" for port in self._ask("ports"))
        """The sites' base addresses, in order; a page's path starts with a slash."""

    def reset(self) -> None:
        """Reset all counts. Raises SitesError."""
        self._ask("reset")

    def counts(self) -> tuple[list[int], int]:
        """Return each site's requests since the last reset, and the most in flight in all. Raises SitesError."""
        *requests, peak = self._ask("counts")
        return requests, peak

    def _ask(self, question: str) -> list[int]:
        stdin, stdout = cast("IO[str]", self._process.stdin), cast("IO[str]", self._process.stdout)
        with suppress(OSError):  # if they have ended there is no answer either, and that is reported
            stdin.write(question + "\n")
            stdin.flush()
        line = stdout.readline()
        if not line:
            raise SitesError
        answer: list[int] = json.loads(line)
        return answer


@contextmanager
def sites(module: str) -> Iterator[Sites]:
    """Start the sites with the pages of *module*, and end them on leaving. Raises SitesError."""
    with subprocess.Popen(  # noqa: S603 - our own module
        [sys.executable, "-m", "runners.harness.http_load.origin_sites", module],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        start_new_session=True,  # Ctrl-C reaches only the harness, which then ends this
        creationflags=orphans.NEW_GROUP,
    ) as process:
        try:
            yield Sites(process)
        finally:
            process.kill()
            with suppress(OSError):  # it may have ended before it read everything
                cast("IO[str]", process.stdin).close()


class _Counter:
    """Counts requests. All sites share one event loop, so nothing interrupts it."""

    def __init__(self, sites: int) -> None:
        self.in_flight = 0
        self.requests = [0] * sites
        self.reset()

    def reset(self) -> None:
        """Start again from the requests that are in flight now."""
        self.requests = [0] * len(self.requests)
        self.peak = self.in_flight

    def begin(self, site: int) -> None:
        """Count a request, until it is no longer in flight."""
        self.requests[site] += 1
        self.in_flight += 1
        self.peak = max(self.peak, self.in_flight)


def _application(pages: Any, site: int, counter: _Counter) -> web.Application:  # noqa: ANN401 - a scenario's module
    async def answer(request: web.Request) -> web.Response:
        try:
            page = pages.page_at(site, request.path)
        except ValueError as error:
            raise web.HTTPNotFound(text=str(error)) from error
        counter.begin(site)
        try:
            await asyncio.sleep(page.latency_s)
        finally:
            counter.in_flight -= 1
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
    while question := (await asyncio.to_thread(sys.stdin.readline)).strip():
        if question == "reset":
            counter.reset()
        answer = ports if question == "ports" else [*counter.requests, counter.peak]
        sys.stdout.write(json.dumps(answer) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    asyncio.run(_serve(importlib.import_module(sys.argv[1])))
