"""Ways to measure a server's requests per second: our own load generator, Apache Bench, wrk. Our side.

ab (of httpd 2.4.71, by the times at which its connections come in) makes its first request alone and the others once
that is answered. A server that overlaps its waits thus takes eleven of them for 120 requests where ten would do, and ab
calls it 5 to 8 % slower than it is. Who compares should ask such a server for many more.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from typing import TYPE_CHECKING

from runners.blocking_server import requests_per_s
from runners.harness.errors import UserError
from runners.harness.http_load import generator

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from runners.harness.http_load.generator import Load

    Meter = Callable[[int, Load], float]
    """(port, load) -> requests per second. Raises MeterError."""

LIMIT_S = 120.0
WRK_S = 4
"""wrk measures for a time, not for a number of requests."""
INSTALL = {
    "ab": "Debian: apt install apache2-utils; Fedora: httpd-tools; macOS has it",
    "wrk": "Debian: apt install wrk; Fedora, Homebrew: wrk",
}
_AB_RATE = re.compile(r"^Requests per second:\s+([\d.]+)", re.MULTILINE)
_AB_COMPLETE = re.compile(r"^Complete requests:\s+(\d+)", re.MULTILINE)
_AB_FAILED = re.compile(r"^Failed requests:\s+(\d+)", re.MULTILINE)
_WRK_RATE = re.compile(r"^Requests/sec:\s+([\d.]+)", re.MULTILINE)
_WRK_WRONG = re.compile(r"^\s*(Non-2xx or 3xx responses: .*|Socket errors: .*timeout [1-9].*)$", re.MULTILINE)


class MeterError(UserError):
    """A meter is missing, or did not measure."""


def with_ours(port: int, asked: Load) -> float:
    """Measure with our load generator. Raises MeterError when not every request was answered."""
    columns = generator.columns(generator.measure(port, asked))
    rate_per_s = requests_per_s(columns)
    if columns["completed_count"] != asked.requests or rate_per_s is None:
        msg = f"our load generator had {columns['completed_count']} answers to {asked.requests} requests"
        raise MeterError(msg)
    return rate_per_s


def with_ab(port: int, asked: Load) -> float:
    """Measure with Apache Bench. Raises MeterError when it ends badly or not every request was answered."""
    options = ["-q", "-c", str(asked.at_once), "-n", str(asked.requests), "-s", str(round(asked.timeout_s))]
    return ab_rate(_output("ab", *options, f"http://127.0.0.1:{port}/"), asked.requests)


def with_wrk(port: int, asked: Load) -> float:
    """Measure with wrk, a new connection a request. Raises MeterError where it ends badly or answers were wrong."""
    options = ["-t", "1", "-c", str(asked.at_once), "-d", f"{WRK_S}s", "--timeout", f"{round(asked.timeout_s)}s"]
    return wrk_rate(_output("wrk", *options, "-H", "Connection: close", f"http://127.0.0.1:{port}/"))


METERS: Mapping[str, Meter] = {"ours": with_ours, "ab": with_ab, "wrk": with_wrk}


def available() -> dict[str, Meter]:
    """Return our own and those that are installed. Raises MeterError where no other is."""
    found = {name: meter for name, meter in METERS.items() if name == "ours" or shutil.which(name)}
    if len(found) == 1:
        how = ", ".join(f"{name} ({way})" for name, way in INSTALL.items())
        msg = f"neither ab nor wrk is installed; there is nothing to compare with: {how}"
        raise MeterError(msg)
    return found


def _output(name: str, *options: str) -> str:
    program = shutil.which(name)
    if program is None:
        msg = f"{name} is not installed ({INSTALL[name]})"
        raise MeterError(msg)
    try:
        done = subprocess.run([program, *options], capture_output=True, text=True, check=False, timeout=LIMIT_S)  # noqa: S603 - a fixed command
    except subprocess.TimeoutExpired as error:
        msg = f"{name} did not end within {LIMIT_S:.0f} s"
        raise MeterError(msg) from error
    if done.returncode:
        last = (done.stderr.strip().splitlines() or done.stdout.strip().splitlines() or ["it said nothing"])[-1]
        msg = f"{name} ended with status {done.returncode}: {last}"
        raise MeterError(msg)
    return done.stdout


def ab_rate(report: str, requests: int) -> float:
    """Read the requests per second from what ab prints. Raises MeterError unless all *requests* were answered."""
    complete, failed, rate = (pattern.search(report) for pattern in (_AB_COMPLETE, _AB_FAILED, _AB_RATE))
    if complete is None or failed is None or rate is None:
        msg = "ab printed no report"
        raise MeterError(msg)
    if (int(complete[1]), int(failed[1])) != (requests, 0):
        msg = f"ab had {complete[1]} answers to {requests} requests, {failed[1]} of them wrong"
        raise MeterError(msg)
    return float(rate[1])


def wrk_rate(report: str) -> float:
    """Read the requests per second from what wrk prints. Raises MeterError where answers were wrong or timed out."""
    rate, wrong = _WRK_RATE.search(report), _WRK_WRONG.search(report)
    if rate is None or float(rate[1]) == 0:
        msg = "wrk had no answer"
        raise MeterError(msg)
    if wrong is not None:
        msg = f"wrk had wrong answers: {wrong[1]}"
        raise MeterError(msg)
    return float(rate[1])
