"""What the load generator leaves of a comparison of servers' rates: how near its limit it was, what is beyond. Pure."""

from __future__ import annotations

import math
import statistics
from typing import TYPE_CHECKING

from generate.analysis.sanity_rules import BUSY_LOAD_SHARE, LOAD_SHARE
from generate.text.numbers import format_share
from runners.harness.contract import Metric

if TYPE_CHECKING:
    from generate.analysis.gated import GatedRecord
    from generate.claims.evidence import Evidence
    from runners.harness.record.model import Series

_LOAD = Metric("load_cpu_ns", "", "ns", "neither")
_TIME = Metric("elapsed_ns", "", "ns", "lower")


def highest_share(evidence: Evidence) -> float | None:
    """Return the larger share of a core that the load generator used in what is compared; None where that is no matter.

    It is where rates are compared, and the load generator may be what was measured: where it used so much of a core
    that the samples pass the gate only because the server computed all the time.
    """
    shares = _shares(evidence)
    return max(shares) if shares and max(shares) > LOAD_SHARE else None


def beyond_reach(evidence: Evidence) -> str:
    """Say why the load generator, by what the baseline asks of it, can't ask as much as would confirm a part.

    Empty where it can. What it takes for a request is held to be what it took beside the baseline.
    """
    shares, least = _shares(evidence), evidence.hypothesis.expected.low
    if not shares or not math.isfinite(least) or shares[-1] * least <= BUSY_LOAD_SHARE:
        return ""
    return (
        f"our set-up could only refute it: the load generator used {format_share(shares[-1])} of a core at the rate "
        f"of the baseline, and would pass its limit of {format_share(BUSY_LOAD_SHARE)} before {least:g} times that"
    )


def _shares(evidence: Evidence) -> list[float]:
    """Return the load generator's share of a core with the candidate and the baseline; nothing but of rates."""
    hypothesis = evidence.hypothesis
    if hypothesis.baseline is None or hypothesis.metric.better != "higher" or not hypothesis.is_of_ratios:
        return []
    used = [_share(of, of.view.series[key]) for key, of in hypothesis.by_record(evidence.gated)]
    return [share for share in used if share] if all(used) else []


def _share(gated: GatedRecord, series: Series) -> float | None:
    """Return the share of a core that the load generator used: median over the rounds; None where there was none."""
    load, elapsed = gated.by_round(series, _LOAD), gated.by_round(series, _TIME)
    shares = [load[number] / elapsed[number] for number in load.keys() & elapsed.keys() if elapsed[number]]
    return statistics.median(shares) if shares else None
