"""Does our load generator measure what others do? Each server is asked by ours, Apache Bench and wrk in turn.

The source used `ab -c 12 -n 120`; its figures compare with ours only if the two meters agree. ab (of httpd 2.4.71)
makes its first request by itself and the others once that is answered. A server that overlaps its waits thus takes
eleven of them for 120 requests instead of ten, and ab calls it 5 to 8 % slower than it is: we ask it for many more.
"""

import re
import shutil
import subprocess
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager
from dataclasses import replace
from itertools import cycle, islice
from operator import truediv
from statistics import median

from runners.harness.catalogue.scenarios import Runner, Scenario
from runners.harness.errors import UserError
from runners.harness.http_load import generator
from runners.harness.http_load.generator import Load
from runners.harness.metrics import requests_per_s

Meter = Callable[[int, Load], float | None]
"""(port, load) -> requests per second; None if not every request was answered."""

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


def compare(
    scenario: Scenario,
    serving: Callable[[Runner], AbstractContextManager[int]],
    meters: Mapping[str, Meter],
    rounds: int = ROUNDS,
) -> Iterator[tuple[str, dict[str, float]]]:
    """Start each server of *scenario* with *serving*, which yields its port, and have all *meters* ask it in turn.

    The first one changes from round to round. Yields, by server, the rate of the meter "ours" divided by each other's:
    the median over the rounds. Raises UserError if a meter did not measure.
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
                for name in islice(cycle(meters), turn, turn + len(meters)):
                    generator.measure(port, warm_up)  # wrk leaves requests that the server is still to answer
                    rate_per_s = meters[name](port, load)
                    if rate_per_s is None:
                        msg = f"{name} did not have every request to {runner.name} answered"
                        raise UserError(msg)
                    rates_per_s[name].append(rate_per_s)
        ours = rates_per_s.pop("ours")
        yield runner.name, {name: median(map(truediv, ours, others)) for name, others in rates_per_s.items()}


def available() -> dict[str, Meter]:
    """Return our own meter and those that are installed."""
    meters: dict[str, Meter] = {"ours": with_ours, "ab": with_ab, "wrk": with_wrk}
    return {name: meter for name, meter in meters.items() if name == "ours" or shutil.which(name)}


def with_ours(port: int, load: Load) -> float | None:
    columns = generator.columns(generator.measure(port, load))
    return requests_per_s(columns) if columns["completed_count"] == load.requests else None


def with_ab(port: int, load: Load) -> float | None:
    options = ["-q", "-c", str(load.at_once), "-n", str(load.requests), "-s", str(round(load.timeout_s))]
    return read_ab(_run("ab", *options, f"http://127.0.0.1:{port}/"), load.requests)


def with_wrk(port: int, load: Load) -> float | None:
    """Measure with wrk, a new connection a request."""
    options = ["-t", "1", "-c", str(load.at_once), "-d", f"{WRK_S}s", "--timeout", f"{round(load.timeout_s)}s"]
    return read_wrk(_run("wrk", *options, "-H", "Connection: close", f"http://127.0.0.1:{port}/"))


def _run(*command: str) -> str:
    return subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True, timeout=LIMIT_S).stdout  # noqa: S603 - a fixed command


def read_ab(report: str, requests: int) -> float | None:
    """Read the requests per second from ab's report; None unless all *requests* were answered."""
    lines = rf"Complete requests:\s+{requests}$.*^Failed requests:\s+0$.*^Requests per second:\s+([\d.]+)"
    match = re.search(lines, report, re.MULTILINE | re.DOTALL)
    return float(match[1]) if match else None


def read_wrk(report: str) -> float | None:
    """Read the requests per second from wrk's report; None if there were none, or answers were wrong or timed out."""
    rate = re.search(r"^Requests/sec:\s+([\d.]+)", report, re.MULTILINE)
    wrong = re.search(r"^\s*(Non-2xx or 3xx responses|Socket errors: .*timeout [1-9])", report, re.MULTILINE)
    return None if wrong or not rate else float(rate[1]) or None
