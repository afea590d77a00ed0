"""Prints how well the load generator keeps an open loop's schedule: part of `make bench`. The reader judges it.

The goal is at most 1 ms late with 99 of 100 requests, at 1,000 requests a second. The server only answers, so that any
lateness is the load generator's own.
"""

import asyncio
import subprocess
import sys
import time
from pathlib import Path

from rich.console import Console

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from runners.harness.builds import host
from runners.harness.http_load import generator
from runners.harness.http_load.schedule import Load, broken_schedule, nearest_rank

RATE_PER_S, LASTS_S = 1_000, 5
LIMIT_S = 20.0
LOAD = Load(at_once=500, requests=RATE_PER_S * LASTS_S, timeout_s=1.0, rate_per_s=RATE_PER_S)
ANSWER = b"HTTP/1.0 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
console = Console(width=120)


class Answering(asyncio.Protocol):
    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport

    def data_received(self, _data: bytes) -> None:  # a whole request, which is far shorter than a packet
        self.transport.write(ANSWER)
        self.transport.close()


async def serve() -> None:
    server = await asyncio.get_running_loop().create_server(Answering, "127.0.0.1", 0, backlog=512)
    sys.stdout.write(f"{server.sockets[0].getsockname()[1]}\n")
    sys.stdout.flush()
    await server.serve_forever()


def main() -> None:
    console.rule(f"how late an open loop is at {RATE_PER_S:,} requests a second (99 of 100 at most 1,000 us)")
    console.print(f"load of the machine before: {host.load_average()}, on {host.usable_cores()} cores")
    with subprocess.Popen([sys.executable, __file__, "serve"], stdout=subprocess.PIPE, text=True) as process:  # noqa: S603 - our own file
        assert process.stdout
        try:
            measured = generator.measure(int(process.stdout.readline()), LOAD, time.monotonic() + LIMIT_S)
        finally:
            process.kill()
    ascending = sorted(measured.schedule.late_ns)
    median_us, p99_us, worst_us = (nearest_rank(ascending, percent) / 1000 for percent in (50, 99, 100))
    outcome = broken_schedule(LOAD, generator.columns(measured)) or "kept"
    console.print(
        f"median {median_us:.0f} us, 99th percentile {p99_us:.0f} us, worst {worst_us:.0f} us;"
        f" {len(measured.answers)} of {LOAD.requests} answered; schedule of such a sample: {outcome}"
    )


if __name__ == "__main__":
    if sys.argv[1:] == ["serve"]:
        asyncio.run(serve())
    else:
        main()
