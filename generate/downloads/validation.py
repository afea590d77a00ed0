"""How well the estimates predict other runs, as `make validate` keeps it in docs/validation.json."""

from pathlib import Path
from typing import Literal

import msgspec

from runners.harness.errors import UserError

FILE = "validation.json"
Work = Literal["computes", "waits"]
Compared = Literal["value", "ratio", "within", "across"]
"""Values, ratios, ratios of two series on one build, or ratios of one series on two builds."""


class Made(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """When, where and from which commit figures were made."""

    date: str
    machine: str
    commit: str | None
    processor: str = ""


class Share(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    count: int
    of: int

    @property
    def share(self) -> float:
        """From 0 to 1; 0 without tests."""
        return self.count / self.of if self.of else 0.0


class Prediction(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Each run of a series held out, against the range that its other runs predict."""

    compared: Compared
    first: bool
    """True for each scenario's first metric only."""
    is_map: bool
    """True for the map's thousands of points."""
    series: int
    inside: Share
    """Runs inside that range, predicted by a table without the held-out series."""
    inside_unseen: Share
    """The same by a table without the held-out run."""
    half_width: float
    """Median: upper end of that range over the estimate, less 1."""
    long_run: float
    """The same for the long-run value's range, over all runs of a series."""
    halves: Share
    """Estimates of two disjoint halves of the runs that differ beyond their combined ranges."""
    scenarios: dict[str, Share]
    """Runs inside, by scenario with enough tests."""

    @property
    def lowest(self) -> tuple[str, Share]:
        """The scenario with the lowest share; unnamed, over all tests, if none has enough."""
        by_share = sorted(self.scenarios.items(), key=lambda item: item[1].share)
        return by_share[0] if by_share else ("", self.inside)


class Planted(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A difference planted in the real ratios of controls, three runs at a time."""

    factor: float
    work: Work
    seen: Share
    missed: dict[str, Share]
    """By block, if not all were seen."""


class Detection(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the rule can tell apart, from controls, whose true ratio is 1, and differences planted in them."""

    controls: Share
    """Controls told apart from their baselines over all their runs, for first metrics."""
    controls_all: Share
    """The same for all metrics."""
    controls_one_run: Share
    """Told apart by a single run."""
    controls_quick: Share
    """Told apart by a quick run: a window of three rounds of a longer one."""
    quick_seen: Share
    """Quick runs that see a difference of 1.5 times or more, as estimated over all runs."""
    quick_wrong: Share
    """Quick runs that contradict a decided estimate over all runs."""
    planted: list[Planted]
    """In blocks whose first metric is a time or a rate, for candidates as steady as their baselines."""


class Slowdown(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One trial: a tenth more of the same work, measured like any runner."""

    times: int
    """Number of comparisons, each over `rounds` rounds."""
    rounds: int
    ratio: float
    """Median of their medians."""
    spread: float
    """Standard deviation of the control's ratios over all rounds."""
    made: Made
    work: Work = "computes"


class Way(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A way of measuring the ratio of two variants."""

    reference: float
    """The ratio after a long measurement."""
    error: float
    """Median distance of a short measurement from it, as a share."""
    spent_s: float
    """Median wall time of a short measurement."""


class PyperfComparison(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Our way of measuring a ratio next to pyperf's."""

    work: str
    times: int
    ours: Way
    pyperf: Way


class Validation(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All figures. Each part is kept until it is validated again; trials of a real slowdown accumulate."""

    made: dict[str, Made] = {}
    """By part, except the slowdown, whose trials have their own."""
    predictions: list[Prediction] = []
    detection: Detection | None = None
    slowdown: list[Slowdown] = []
    """Every trial, oldest first."""
    pyperf: list[PyperfComparison] = []
    agreement: dict[str, dict[str, float]] = {}
    """By server and meter: our requests per second / its."""


def read(docs: Path) -> Validation:
    """Return all figures so far. Raises UserError."""
    path = docs / FILE
    try:
        return msgspec.json.decode(path.read_bytes(), type=Validation) if path.exists() else Validation()
    except msgspec.DecodeError as error:
        msg = f"{docs.name}/{FILE}: {error}; restore it, or remove it and make it again: make validate"
        raise UserError(msg) from error
