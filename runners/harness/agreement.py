"""Does our load generator measure what Apache Bench measures? Each server is asked by both in turn.

The source used `ab -c 12 -n 120`; its figures can be set beside ours only if the two agree. Our side.

ab (of httpd 2.4.71, by the times at which its connections come in) makes its first request alone and the others once
that is answered. A server that overlaps its waits thus takes eleven of them for 120 requests where ten would do, and ab
calls it 5 to 8 % slower than it is. So it is asked LONGER times as often here; one at a time, it makes no difference.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from dataclasses import dataclass, replace
from statistics import median
from typing import TYPE_CHECKING, NamedTuple

from runners.blocking_server import requests_per_s
from runners.harness import load
from runners.harness.errors import UserError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from contextlib import AbstractContextManager

    from runners.harness.catalogue import Runner, Scenario
    from runners.harness.load import Load

CASE = "tenth"
ROUNDS = 5
LONGER = 10
"""A server that overlaps its waits is asked this many times the case's requests."""
MARGIN = 0.05
"""How far the two may differ, as a share of what ab says."""
EXEMPT = {
    "http_server_published": "dropped connections come back after whole seconds, in no run as in another",
}
AB_LIMIT_S = 120.0
SERVER_LIMIT_S = 600.0
"""How long one server may be up for all rounds."""
_AB_RATE = re.compile(r"^Requests per second:\s+([\d.]+)", re.MULTILINE)
_AB_COMPLETE = re.compile(r"^Complete requests:\s+(\d+)", re.MULTILINE)
_AB_FAILED = re.compile(r"^Failed requests:\s+(\d+)", re.MULTILINE)


class AbError(UserError):
    """Apache Bench is missing, or did not measure."""


class Meters(NamedTuple):
    """The two ways to measure requests per second: (port, load) -> rate."""

    ours: Callable[[int, Load], float]
    ab: Callable[[int, Load], float]


@dataclass(frozen=True)
class Agreement:
    """What both said of one server, by round."""

    runner: str
    ours_per_s: tuple[float, ...]
    ab_per_s: tuple[float, ...]

    @property
    def ratio(self) -> float:
        """Ours divided by ab's: the median over the rounds."""
        return median(ours / ab for ours, ab in zip(self.ours_per_s, self.ab_per_s, strict=True))

    @property
    def holds(self) -> bool:
        """Whether the two differ by no more than MARGIN."""
        return abs(self.ratio - 1) <= MARGIN


def with_ours(port: int, asked: Load) -> float:
    """Measure with our load generator. Raises AbError when not every request was answered."""
    columns = load.columns(load.measure(port, asked))
    rate_per_s = requests_per_s(columns)
    if columns["completed_count"] != asked.requests or rate_per_s is None:
        msg = f"our load generator had {columns['completed_count']} answers to {asked.requests} requests"
        raise AbError(msg)
    return rate_per_s


def with_ab(port: int, asked: Load) -> float:
    """Measure with Apache Bench. Raises AbError when it is missing, ends badly or not every request was answered."""
    program = shutil.which("ab")
    if program is None:
        msg = "Apache Bench is not installed (Debian: apt install apache2-utils; Fedora: httpd-tools; macOS has it)"
        raise AbError(msg)
    options = ["-q", "-c", str(asked.at_once), "-n", str(asked.requests), "-s", str(round(asked.timeout_s))]
    try:
        done = subprocess.run(  # noqa: S603 - a fixed command
            [program, *options, f"http://127.0.0.1:{port}/"],
            capture_output=True,
            text=True,
            check=False,
            timeout=AB_LIMIT_S,
        )
    except subprocess.TimeoutExpired as error:
        msg = f"ab did not end within {AB_LIMIT_S:.0f} s"
        raise AbError(msg) from error
    if done.returncode:
        msg = f"ab ended with status {done.returncode}: {(done.stderr.strip().splitlines() or ['it said nothing'])[-1]}"
        raise AbError(msg)
    return rate_of(done.stdout, asked.requests)


def rate_of(report: str, requests: int) -> float:
    """Read the requests per second from what ab prints. Raises AbError unless all *requests* were answered."""
    complete, failed, rate = (pattern.search(report) for pattern in (_AB_COMPLETE, _AB_FAILED, _AB_RATE))
    if complete is None or failed is None or rate is None:
        msg = "ab printed no report"
        raise AbError(msg)
    if (int(complete[1]), int(failed[1])) != (requests, 0):
        msg = f"ab had {complete[1]} answers to {requests} requests, {failed[1]} of them wrong"
        raise AbError(msg)
    return float(rate[1])


def compare(
    scenario: Scenario,
    serving: Callable[[Runner], AbstractContextManager[int]],
    meters: Meters = Meters(with_ours, with_ab),  # noqa: B008 - a tuple of functions
    rounds: int = ROUNDS,
) -> Iterator[Agreement]:
    """Start each server of *scenario* with *serving*, which yields its port, and have both meters ask it in turn.

    The one that begins alternates. Raises AbError when one of them could not measure.
    """
    case = scenario.cases[CASE]
    for runner in scenario.runners.values():
        if runner.name in EXEMPT or not runner.takes_part(case):
            continue
        asked = load.load_of(case.parameters, seed=0)
        if runner.at_once != "one":
            asked = replace(asked, requests=asked.requests * LONGER)
        rates: dict[str, list[float]] = {"ours": [], "ab": []}
        with serving(runner) as port:
            load.measure(port, load.load_of({**case.parameters, **case.warm_up}, seed=0))
            for turn in range(rounds):
                for name in ("ours", "ab")[:: 1 if turn % 2 == 0 else -1]:
                    rates[name].append(getattr(meters, name)(port, asked))
        yield Agreement(runner.name, tuple(rates["ours"]), tuple(rates["ab"]))


def check(agreements: Iterator[Agreement], say: Callable[[str], None] = print) -> int:
    """Say what came out, a line a server. Return the exit status: 0 agree, 1 some do not, 2 could not be measured."""
    say(f"{'server':24} {'ours /s':>9} {'ab /s':>9} {'ratio':>7}  within {MARGIN:.0%}")
    everything_holds = True
    try:
        for found in agreements:
            ours, ab = median(found.ours_per_s), median(found.ab_per_s)
            say(f"{found.runner:24} {ours:9.2f} {ab:9.2f} {found.ratio:7.3f}  {'yes' if found.holds else 'NO'}")
            everything_holds &= found.holds
    except AbError as error:
        say(str(error))
        return 2
    for runner, reason in EXEMPT.items():
        say(f"{runner:24} not compared: {reason}")
    return 0 if everything_holds else 1
