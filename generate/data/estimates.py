"""One number, one range: an estimate over all the runs that measured a thing, allowing for what differs between them.

The rule, for the runs r of one series, or of one pair of series:

    y_r      = median over the rounds of ln(value), or of ln(candidate / baseline) paired by round
    s2_r     = 1.57 x variance of the rounds / rounds            (1.57: of a median; of few rounds at least the block's)
    between  = how much y_r differs between runs beyond s2: a mean over its block, read from a table
    tau2     = (4 x between + (k - 1) x max(0, variance of y - mean s2)) / (4 + k - 1)          k runs
    weight_r = 1 / (tau2 + s2_r)
    centre   = sum(weight x y) / sum(weight)
    variance = 1 / sum(weight)
    range    = exp(centre +- t(97.5 %, 8 + k - 1) x sqrt(variance))                        of the long-run value
    another  = exp(centre +- t x sqrt(variance + tau2 + mean s2))                          of one further run

Worked by hand: two runs of 6 rounds have ratios of 1.50 and 1.40, their rounds a variance of 0.0036, the block
differs by 5 % between runs. y = 0.405 and 0.336; s2 = 1.57 x 0.0036 / 6 = 0.00094 each; variance of y = 0.00238;
tau2 = (4 x 0.0025 + 0.00144) / 5 = 0.00229; centre = 0.371; variance = 0.00323 / 2 = 0.00161; t(9) = 2.26:
1.45 (1.32 to 1.59), and another run 1.24 to 1.70.

Shares between 0 and 1 are treated alike on the logit scale. Counts, and values that are 0 or less in some round, have
no such scale: their range is the lowest and the highest of all rounds, judged exactly from two runs on.
"""

import functools
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import fmean, median
from typing import Literal, NamedTuple

Scale = Literal["log", "logit", "exact"]


MEDIAN_FACTOR = 1.57
"""Variance of a median over that of a mean, of normal values: pi / 2."""
PRIOR_RUNS = 4
"""Runs that the block's table counts as, next to the series' own; validated (docs/method.md), like the next two."""
PRIOR_DEGREES = 8
"""Degrees of freedom of a single run, whose range rests on the table: a series may differ from its block."""
SURE_ROUNDS = 6
"""With this many rounds a run's own variance is trusted; with fewer, the block's if it is larger."""
LEAST_VARIANCE = 1e-12
"""For rounds that do not differ at all."""
COVERAGE = 0.95
PRECISION = 1e-9
"""Precision of the search for a quantile."""
AS_FAST = 1.1
"""A candidate whose range lies within this factor of the best is as fast as the best."""


class RunRounds(NamedTuple):
    run: str
    values: Sequence[float]
    """One a round, in the metric's unit; or ratios, paired by round."""
    block_variance: float | None = None
    """Variance of the rounds on the log scale, mean over the block's series in this run; None if unknown."""


class RunValue(NamedTuple):
    """One run's own number, for a dot in a chart and to recompute the estimate."""

    run: str
    value: float
    """Median over its rounds, on the scale."""
    rounds: int
    variance: float | None
    """s2 of the rule; None without a scale, or for a single round without a block."""


class Pooled(NamedTuple):
    """What the rule computes, on the scale."""

    scale: Scale
    centre: float
    variance: float
    between: float
    degrees: float


@dataclass(frozen=True, slots=True)
class Estimate:
    """A number and the range of its long-run value, 95 %."""

    value: float
    low: float
    high: float
    """Both are the value itself if it never varied; 0 and infinity if one round leaves the range unknown."""
    another_low: float
    another_high: float
    """Range of one further run."""
    runs: tuple[RunValue, ...] = ()
    """Newest first. Empty if made of two estimates."""
    scale: Scale = "log"
    centre: float = math.nan
    """On the scale, like the next three."""
    variance: float = 0.0
    between: float = 0.0
    """tau2 + mean s2 of the rule: variance of a further run around the long-run value."""
    degrees: float = math.inf
    is_partial: bool = False
    """True if all runs miss rounds or were disturbed: then it decides nothing."""

    @property
    def rounds(self) -> int:
        return sum(run.rounds for run in self.runs)

    @property
    def has_range(self) -> bool:
        """False for a single round without a block: its range is unknown."""
        return math.isfinite(self.high) or self.scale == "exact"

    @property
    def may_decide(self) -> bool:
        """False without a range, from partial runs only, and for an exact number from a single run."""
        return self.has_range and not self.is_partial and (self.scale != "exact" or len(self.runs) > 1)

    @property
    def differs(self) -> bool:
        """True if a ratio's range does not include 1."""
        return self.may_decide and not self.low <= 1 <= self.high

    def times(self, factor: float) -> "Estimate":
        """Return what it is for *factor* times as many, or in another unit; only to be shown."""
        names = ("value", "low", "high", "another_low", "another_high")
        runs = tuple(run._replace(value=run.value * factor) for run in self.runs)
        return replace(self, runs=runs, **{name: getattr(self, name) * factor for name in names})

    def is_within(self, factor: float) -> bool:
        """True if a ratio's range lies within *factor* of 1, either way: no difference that matters."""
        return self.may_decide and self.low >= 1 / factor and self.high <= factor

    def decide(self, bounds: "Bounds") -> "Decision":
        return bounds.decide(self.low, self.high) if self.may_decide else "undecided"

    @property
    def inverse(self) -> "Estimate":
        """The same ratio the other way round."""
        runs = tuple(run._replace(value=_inverse(run.value)) for run in self.runs)
        turned = replace(self, value=_inverse(self.value), low=_inverse(self.high), high=_inverse(self.low), runs=runs)
        another_low, another_high = _inverse(self.another_high), _inverse(self.another_low)
        return replace(turned, another_low=another_low, another_high=another_high, centre=-self.centre)

    def over(self, other: "Estimate") -> "Estimate":
        """Return the ratio of two estimates measured apart, variances added (Welch).

        Raises ValueError off the log scale.
        """
        if self.scale != "log" or other.scale != "log":
            msg = "only estimates on the log scale have a ratio"
            raise ValueError(msg)
        if not (self.has_range and other.has_range):
            return Estimate(self.value / other.value, 0.0, math.inf, 0.0, math.inf)
        total = self.variance + other.variance
        spread = self.variance**2 / self.degrees + other.variance**2 / other.degrees
        degrees = total**2 / spread if spread else math.inf
        between = self.between + other.between
        ratio = _estimate(Pooled("log", self.centre - other.centre, total, between, degrees))
        return replace(ratio, is_partial=self.is_partial or other.is_partial)

    def p_value(self) -> float:
        """Return the probability, two-sided, of a ratio this far from 1 if there were no difference."""
        if not self.may_decide:
            return 1.0
        if not self.variance or self.scale == "exact":
            return 0.0 if self.differs else 1.0
        return 2 * tail(abs(self.centre) / math.sqrt(self.variance), self.degrees)


def pool(
    runs: Sequence[RunRounds], between: float, *, is_share: bool = False, is_count: bool = False
) -> Estimate | None:
    """Return the estimate over *runs*, newest first; None without a value.

    *between* is the block's variance between runs, from the table. Counts, and values of 0 or less, are exact.
    """
    known = [run for run in runs if run.values]
    every = [value for run in known for value in run.values]
    if not every:
        return None
    if is_count or min(every) <= 0 or (is_share and max(every) >= 1):
        return _exact(known, every)
    scale: Scale = "logit" if is_share else "log"
    to_scale = _logit if is_share else math.log
    every_run = [(run, *estimate_run(run, to_scale)) for run in known]
    sure = [each for each in every_run if each[2] is not None]  # others would take the range from these
    pooled, ys, s2s = zip(*(sure or every_run), strict=True)
    back = _FROM_SCALE[scale]
    values = tuple(RunValue(run.run, back(y), len(run.values), s2) for run, y, s2 in zip(pooled, ys, s2s, strict=True))
    if None in s2s:
        return Estimate(float(median(every)), 0.0, math.inf, 0.0, math.inf, values, scale)
    within, k = fmean(s2s), len(pooled)
    own = max(0.0, _variance(ys) - within) if k > 1 else 0.0
    tau2 = (PRIOR_RUNS * between + (k - 1) * own) / (PRIOR_RUNS + k - 1)
    weights = [1 / max(tau2 + s2, LEAST_VARIANCE) for s2 in s2s]
    centre = sum(weight * y for weight, y in zip(weights, ys, strict=True)) / sum(weights)
    variance, degrees = 1 / sum(weights), PRIOR_DEGREES + k - 1
    return _estimate(Pooled(scale, centre, variance, tau2 + within, degrees), values)


def _estimate(pooled: Pooled, runs: tuple[RunValue, ...] = ()) -> Estimate:
    """Make an estimate in the values' own unit from the rule's results on the scale."""
    scale, centre, variance, between, degrees = pooled
    back, t = _FROM_SCALE[scale], quantile(degrees)
    reach, another = t * math.sqrt(variance), t * math.sqrt(variance + between)
    low, high, another_low, another_high = (
        back(centre + sign * distance) for distance in (reach, another) for sign in (-1, 1)
    )
    return Estimate(back(centre), low, high, another_low, another_high, runs, *pooled)


def fixed(value: float) -> Estimate:
    """Return a number that is known without measuring, like the ratio of a series to itself."""
    return Estimate(value, value, value, value, value, scale="log", centre=math.log(value))


def estimate_run(run: RunRounds, to_scale: Callable[[float], float]) -> tuple[float, float | None]:
    """Return y and s2 of the rule; s2 is None for a single round without a block."""
    on_scale = [to_scale(value) for value in run.values]
    count = len(on_scale)
    own = _variance(on_scale) if count > 1 else None
    if count < SURE_ROUNDS and run.block_variance is not None:
        own = max(own or 0.0, run.block_variance)
    return float(median(on_scale)), None if own is None else MEDIAN_FACTOR * own / count


def _exact(runs: Sequence[RunRounds], every: Sequence[float]) -> Estimate:
    low, high = min(every), max(every)
    values = tuple(RunValue(run.run, float(median(run.values)), len(run.values), None) for run in runs)
    return Estimate(float(median(run.value for run in values)), low, high, low, high, values, "exact")


def log_variance(values: Sequence[float]) -> float | None:
    """Return the variance of a run's rounds on the log scale; None for fewer than two, or without a logarithm."""
    if len(values) < 2 or min(values) <= 0:  # noqa: PLR2004 - a variance needs two
        return None
    return _variance([math.log(value) for value in values])


def holm(p_values: Sequence[float], level: float = 1 - COVERAGE) -> list[bool]:
    """Return which of several comparisons differ, at most *level* of such sets with a wrong one (Holm)."""
    differ = [False] * len(p_values)
    for rank, index in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
        if p_values[index] > level / (len(p_values) - rank):
            break
        differ[index] = True
    return differ


def quantile(degrees: float) -> float:
    """Return the 97.5 % quantile of Student's t."""
    return _quantile(round(min(degrees, 1e6), 1))


@functools.lru_cache(maxsize=10_000)
def _quantile(degrees: float) -> float:
    low, high = 0.0, 1e3
    while high - low > PRECISION:
        middle = (low + high) / 2
        low, high = (middle, high) if tail(middle, degrees) > (1 - COVERAGE) / 2 else (low, middle)
    return (low + high) / 2


def tail(t: float, degrees: float) -> float:
    """Return the probability that Student's t with these degrees of freedom exceeds *t*, which is 0 or more.

    It is half the regularized incomplete beta function at degrees / (degrees + t^2).
    """
    if degrees > 1e5:  # noqa: PLR2004 - there it is the normal distribution, to six digits
        return math.erfc(t / math.sqrt(2)) / 2
    x = degrees / (degrees + t * t)
    return _incomplete_beta(degrees / 2, 0.5, x) / 2 if 0 < x < 1 else x / 2


def _incomplete_beta(a: float, b: float, x: float) -> float:
    """Evaluate the continued fraction of Abramowitz and Stegun 26.5.8, from whichever side it converges fast."""
    if x > (a + 1) / (a + b + 2):
        return 1 - _incomplete_beta(b, a, 1 - x)
    factor = math.exp(math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x)) / a
    fraction = 0.0
    for n in range(200, 0, -1):
        m = n // 2
        if n % 2:
            term = -(a + m) * (a + b + m) * x / ((a + n - 1) * (a + n))
        else:
            term = m * (b - m) * x / ((a + n - 1) * (a + n))
        fraction = term / (1 + fraction)
    return factor / (1 + fraction)


def _variance(values: Sequence[float]) -> float:
    """Return the sample variance; `statistics.variance` is exact, but takes ten times as long."""
    mean = fmean(values)
    return math.fsum((value - mean) ** 2 for value in values) / (len(values) - 1)


def _exp(number: float) -> float:
    return math.exp(min(number, 700.0))


def _logit(share: float) -> float:
    return math.log(share / (1 - share))


def _logistic(number: float) -> float:
    return 1 / (1 + _exp(-number))


_FROM_SCALE: Mapping[Scale, Callable[[float], float]] = {"log": _exp, "logit": _logistic}


def _inverse(number: float) -> float:
    return 1 / number if number else math.inf


Decision = Literal["holds", "does not hold", "undecided"]
DECIDED: tuple[Decision, ...] = ("holds", "does not hold")


class Bounds(NamedTuple):
    """The interval in which a ratio, a value or a share should lie."""

    low: float
    """Minus infinity if open."""
    high: float
    """Infinity if open."""

    def decide(self, low: float, high: float) -> Decision:
        """Judge a range: one that touches an end is undecided, but a number without noise may lie on an end."""
        if low == high:
            return "holds" if self.holds(low) else "does not hold"
        if self.low < low and high < self.high:
            return "holds"
        return "does not hold" if high < self.low or low > self.high else "undecided"

    def holds(self, value: float) -> bool:
        """True if a number without noise lies inside; the ends belong to the bounds."""
        return self.low <= value <= self.high
