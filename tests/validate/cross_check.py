"""Does our load generator measure what others do? Each server is asked by ours, Apache Bench and wrk in turn. Our side.

The source used `ab -c 12 -n 120`; its figures can be set beside ours only if the two agree.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from statistics import median
from typing import TYPE_CHECKING

import other_generators

from runners.harness.http_load import generator

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from contextlib import AbstractContextManager

    from other_generators import Meter

    from runners.harness.catalogue.scenarios import Runner, Scenario

CASE = "tenth"
ROUNDS = 5
LONGER = 10
"""A server that overlaps its waits is asked this many times the case's requests: see meters.py."""
MARGIN = 0.05
"""How far ours may differ from another, as a share of what that one says."""
EXEMPT = {
    "http_server_published": "dropped connections come back after whole seconds, in no run as in another",
}
SERVER_LIMIT_S = 600.0
"""How long one server may be up for all rounds."""


@dataclass(frozen=True)
class Agreement:
    """What all said of one server, by meter and round."""

    runner: str
    rates_per_s: Mapping[str, tuple[float, ...]]

    @property
    def ratios(self) -> dict[str, float]:
        """Ours divided by each other's: the median over the rounds."""
        ours = self.rates_per_s["ours"]
        return {
            name: median(mine / other for mine, other in zip(ours, rates, strict=True))
            for name, rates in self.rates_per_s.items()
            if name != "ours"
        }

    @property
    def holds(self) -> bool:
        """Whether ours differs from no other by more than MARGIN."""
        return all(abs(ratio - 1) <= MARGIN for ratio in self.ratios.values())


def compare(
    scenario: Scenario,
    serving: Callable[[Runner], AbstractContextManager[int]],
    by: Mapping[str, Meter] | None = None,
    rounds: int = ROUNDS,
) -> Iterator[Agreement]:
    """Start each server of *scenario* with *serving*, which yields its port, and have all meters ask it in turn.

    The one that begins changes from round to round. *by*: ours and others; those installed where it is None. Raises
    MeterError when one of them could not measure.
    """
    meters_ = dict(by or other_generators.available())
    case = scenario.cases[CASE]
    for runner in scenario.runners.values():
        if runner.name in EXEMPT or not runner.takes_part(case):
            continue
        asked = generator.load_of(case.parameters, seed=0)
        if runner.at_once != "one":
            asked = replace(asked, requests=asked.requests * LONGER)
        rates: dict[str, list[float]] = {name: [] for name in meters_}
        warm_up = generator.load_of({**case.parameters, **case.warm_up}, seed=0)
        with serving(runner) as port:
            for turn in range(rounds):
                names = [*meters_]
                first = turn % len(names)
                for name in names[first:] + names[:first]:
                    generator.measure(port, warm_up)  # wrk goes away from requests that the server is still to answer
                    rates[name].append(meters_[name](port, asked))
        yield Agreement(runner.name, {name: tuple(found) for name, found in rates.items()})


def check(agreements: Iterator[Agreement], say: Callable[[str], None] = print) -> int:
    """Say what came out, a line a server. Return the exit status: 0 agree, 1 some do not, 2 could not be measured."""
    everything_holds = True
    try:
        for number, found in enumerate(agreements):
            if number == 0:
                heads = "".join(f"{f'{name} /s':>10} {'ratio':>7}" for name in found.ratios)
                say(f"{'server':24} {'ours /s':>9} {heads}  within {MARGIN:.0%}")
            others = "".join(
                f"{median(found.rates_per_s[name]):10.2f} {ratio:7.3f}" for name, ratio in found.ratios.items()
            )
            ours = median(found.rates_per_s["ours"])
            say(f"{found.runner:24} {ours:9.2f} {others}  {'yes' if found.holds else 'NO'}")
            everything_holds &= found.holds
    except other_generators.MeterError as error:
        say(str(error))
        return 2
    for runner, reason in EXEMPT.items():
        say(f"{runner:24} not compared: {reason}")
    return 0 if everything_holds else 1
