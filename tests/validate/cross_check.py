"""Does our load generator measure what others do? Each server is asked by ours, Apache Bench and wrk in turn.

The source used `ab -c 12 -n 120`; its figures compare with ours only if the two meters agree. ab (of httpd 2.4.71)
makes its first request by itself and the others once that is answered. A server that overlaps its waits thus takes
eleven of them for 120 requests instead of ten, and ab calls it 5 to 8 % slower than it is: we ask it for many more.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from dataclasses import replace
from statistics import median
from typing import TYPE_CHECKING

from runners.blocking_server.scenario import requests_per_s
from runners.harness.errors import UserError
from runners.harness.http_load import generator

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from contextlib import AbstractContextManager

    from runners.harness.catalogue.scenarios import Runner, Scenario
    from runners.harness.http_load.generator import Load

    Meter = Callable[[int, Load], float]
    """(port, load) -> requests per second. Raises MeterError."""

CASE = "tenth"
ROUNDS = 5
LONGER = 10
"""A server that overlaps its waits is asked this many times the case's requests."""
EXEMPT = {"http_server_published"}
"""Dropped connections come back after whole seconds, in no run as in another."""
LIMIT_S = 120.0
WRK_S = 4
"""wrk measures for a time, not for a number of requests."""
INSTALL = {
    "ab": "Debian: apt install apache2-utils; Fedora: httpd-tools; macOS has it",
    "wrk": "Debian: apt install wrk; Fedora, Homebrew: wrk",
}
_NUMBER = r":\s+([\d.]+)"
_WRK_WRONG = re.compile(r"^\s*(Non-2xx or 3xx responses: .*|Socket errors: .*timeout [1-9].*)$", re.MULTILINE)


class MeterError(UserError):
    """A meter did not measure."""


def compare(
    scenario: Scenario,
    serving: Callable[[Runner], AbstractContextManager[int]],
    meters: Mapping[str, Meter],
    rounds: int = ROUNDS,
) -> Iterator[tuple[str, dict[str, float]]]:
    """Start each server of *scenario* with *serving*, which yields its port, and have all *meters* ask it in turn.

    The one that begins changes from round to round. Gives, by server, the rate of the meter "ours" divided by each
    other's: the median over the rounds. Raises MeterError.
    """
    case = scenario.cases[CASE]
    warm_up = generator.load_from({**case.parameters, **case.warm_up})
    for runner in scenario.runners.values():
        if runner.name in EXEMPT or not runner.takes_part(case):
            continue
        load = generator.load_from(case.parameters)
        if runner.at_once != "one":
            load = replace(load, requests=load.requests * LONGER)
        rates_per_s: dict[str, list[float]] = {name: [] for name in meters}
        with serving(runner) as port:
            for turn in range(rounds):
                names = [*meters]
                first = turn % len(names)
                for name in names[first:] + names[:first]:
                    generator.measure(port, warm_up)  # wrk goes away from requests that the server is still to answer
                    rates_per_s[name].append(meters[name](port, load))
        ours = rates_per_s.pop("ours")
        yield (
            runner.name,
            {
                name: median(mine / other for mine, other in zip(ours, others, strict=True))
                for name, others in rates_per_s.items()
            },
        )


def available() -> dict[str, Meter]:
    """Return our own meter and those that are installed."""
    meters: dict[str, Meter] = {"ours": with_ours, "ab": with_ab, "wrk": with_wrk}
    return {name: meter for name, meter in meters.items() if name == "ours" or shutil.which(name)}


def with_ours(port: int, load: Load) -> float:
    """Measure with our load generator. Raises MeterError when not every request was answered."""
    columns = generator.columns(generator.measure(port, load))
    rate_per_s = requests_per_s(columns)
    if columns["completed_count"] != load.requests or rate_per_s is None:
        msg = f"our load generator had {columns['completed_count']} answers to {load.requests} requests"
        raise MeterError(msg)
    return rate_per_s


def with_ab(port: int, load: Load) -> float:
    """Measure with Apache Bench. Raises MeterError when it ends badly or not every request was answered."""
    options = ["-q", "-c", str(load.at_once), "-n", str(load.requests), "-s", str(round(load.timeout_s))]
    return ab_rate(_output("ab", *options, f"http://127.0.0.1:{port}/"), load.requests)


def with_wrk(port: int, load: Load) -> float:
    """Measure with wrk, a new connection a request. Raises MeterError where it ends badly or answers were wrong."""
    options = ["-t", "1", "-c", str(load.at_once), "-d", f"{WRK_S}s", "--timeout", f"{round(load.timeout_s)}s"]
    return wrk_rate(_output("wrk", *options, "-H", "Connection: close", f"http://127.0.0.1:{port}/"))


def _output(name: str, *options: str) -> str:
    try:
        done = subprocess.run([name, *options], capture_output=True, text=True, check=False, timeout=LIMIT_S)  # noqa: S603 - a fixed command
    except subprocess.TimeoutExpired as error:
        msg = f"{name} did not end within {LIMIT_S:.0f} s"
        raise MeterError(msg) from error
    if done.returncode:
        msg = f"{name} ended with status {done.returncode}: {(done.stderr or done.stdout).strip()}"
        raise MeterError(msg)
    return done.stdout


def ab_rate(report: str, requests: int) -> float:
    """Read the requests per second from what ab prints. Raises MeterError unless all *requests* were answered."""
    heads = ("Complete requests", "Failed requests", "Requests per second")
    found = [re.search(f"^{head}{_NUMBER}", report, re.MULTILINE) for head in heads]
    complete, failed, rate_per_s = (float(match[1]) if match else -1 for match in found)
    if (complete, failed) != (requests, 0) or rate_per_s <= 0:
        msg = f"ab had {complete:.0f} answers to {requests} requests, {failed:.0f} of them wrong (-1: it says nothing)"
        raise MeterError(msg)
    return rate_per_s


def wrk_rate(report: str) -> float:
    """Read the requests per second from what wrk prints. Raises MeterError where answers were wrong or timed out."""
    rate, wrong = re.search(f"^Requests/sec{_NUMBER}", report, re.MULTILINE), _WRK_WRONG.search(report)
    if rate is None or float(rate[1]) == 0 or wrong is not None:
        msg = f"wrk had wrong answers: {wrong[1]}" if wrong else "wrk had no answer"
        raise MeterError(msg)
    return float(rate[1])
