"""Prints how well the load generator keeps an open loop's schedule: part of `make bench`. The reader judges it.

The goal is at most 1 ms late with 99 of 100 requests, at 1,000 requests a second. One server only answers, so that any
lateness is the load generator's own; the other is the scenario's baseline with nothing to do.
"""

from __future__ import annotations

import asyncio
import subprocess
import sys
import time
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from runners.harness.builds import host
from runners.harness.catalogue import scenarios as catalogue
from runners.harness.http_load import generator
from runners.harness.http_load.schedule import Load, broken_schedule, nearest_rank
from runners.harness.process.launcher import Launcher
from runners.harness.run import protocol

if TYPE_CHECKING:
    from collections.abc import Iterator

    from runners.harness.contract import Parameters

RATE_PER_S, LASTS_S = 1_000, 5
LIMIT_S = 20.0
LOAD = Load(at_once=500, requests=RATE_PER_S * LASTS_S, timeout_s=1.0, rate_per_s=RATE_PER_S)
CASE = "1,000 requests/s"
ANSWER = b"HTTP/1.0 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
console = Console(width=120)


class Answering(asyncio.Protocol):
    """Answers any request, and closes the connection."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Keep the connection."""
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport

    def data_received(self, _data: bytes) -> None:
        """Answer at once: the request is far shorter than a packet."""
        self.transport.write(ANSWER)
        self.transport.close()


async def serve() -> None:
    """Serve on a free port, which is printed, until the process is killed."""
    server = await asyncio.get_running_loop().create_server(Answering, "127.0.0.1", 0, backlog=512)
    sys.stdout.write(f"{server.sockets[0].getsockname()[1]}\n")
    sys.stdout.flush()
    await server.serve_forever()


@contextmanager
def trivial_server() -> Iterator[int]:
    """Run a server that only answers in its own process, and yield its port."""
    with subprocess.Popen([sys.executable, __file__, "serve"], stdout=subprocess.PIPE, text=True) as process:  # noqa: S603 - our own file
        assert process.stdout
        try:
            yield int(process.stdout.readline())
        finally:
            process.kill()


@contextmanager
def idle_baseline() -> Iterator[int]:
    """Run the scenario's baseline with nothing to do, and yield its port."""
    scenario = catalogue.find()["open_loop"]
    idle: Parameters = {**scenario.cases[CASE].parameters, "wait_s": 0, "turns": 0}
    request = protocol.request(scenario, CASE, scenario.baseline, python=Path(sys.executable), seed=1)
    with Launcher() as launcher, protocol.serving(launcher, replace(request, parameters={**idle})) as port:
        yield port


def print_lateness(server: str, port: int) -> None:
    """Put the load on the server at *port*, and print how late requests were."""
    try:
        measured = generator.measure(port, LOAD, time.monotonic() + LIMIT_S)
    except TimeoutError:
        console.print(f"{server}: not over after {LIMIT_S:.0f} s")
        return
    ascending = sorted(measured.schedule.late_ns)
    median_us, p99_us, worst_us = (nearest_rank(ascending, percent) / 1000 for percent in (50, 99, 100))
    outcome = broken_schedule(LOAD, generator.columns(measured)) or "kept"
    console.print(
        f"{server}: median {median_us:.0f} us, 99th percentile {p99_us:.0f} us, worst {worst_us:.0f} us;"
        f" {len(measured.answers)} of {LOAD.requests} answered; schedule of such a sample: {outcome}"
    )


def main() -> None:
    """Print the lateness with each server."""
    console.rule(f"how late an open loop is at {RATE_PER_S:,} requests a second (99 of 100 at most 1,000 us)")
    console.print(f"load of the machine before: {host.load_average()}, on {host.usable_cores()} cores")
    for name, server in (("a server that only answers", trivial_server), ("aiohttp, nothing to do", idle_baseline)):
        with server() as port:
            print_lateness(name, port)


if __name__ == "__main__":
    if sys.argv[1:] == ["serve"]:
        asyncio.run(serve())
    else:
        main()
