"""How the statistics did on committed runs and known truths: docs/validation.json, which `make validate` writes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import msgspec

from runners.harness.errors import UserError

if TYPE_CHECKING:
    from pathlib import Path

FILE = "validation.json"
Work = Literal["computes", "waits"]
"""What planted work does."""
Compared = Literal["value", "ratio", "within", "across"]
"""Values; ratios; of these the ones of two series of one build, and of one series on two builds."""


class Made(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """When, where and from which commit figures were made."""

    date: str
    machine: str
    commit: str | None
    processor: str = ""
    """Empty if it was not kept."""


class Share(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """So many of so many."""

    count: int
    of: int

    @property
    def share(self) -> float:
        """From 0 to 1; 0 of nothing."""
        return self.count / self.of if self.of else 0.0


class Prediction(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Each run of a series held out, and the range that its other runs give for a further one."""

    compared: Compared
    first: bool
    """True: of each scenario's first metric; False: of all its metrics."""
    is_map: bool
    """True: of the map's points, which are counted apart as they are thousands."""
    series: int
    inside: Share
    """Runs inside that range, the held-out series not being in the table of what differs between runs."""
    inside_unseen: Share
    """The same, no series of the held-out run being in that table."""
    half_width: float
    """Median: upper end of that range over the estimate, less 1."""
    long_run: float
    """The same of the long-run value's range, over all runs of a series."""
    halves: Share
    """Estimates of two disjoint halves of the runs that differ beyond their combined ranges."""
    scenarios: dict[str, Share]
    """By scenario with enough tests: runs inside."""

    @property
    def lowest(self) -> tuple[str, Share]:
        """The scenario with the lowest share; all of them without a name if none has enough tests."""
        by_share = sorted(self.scenarios.items(), key=lambda item: item[1].share)
        return by_share[0] if by_share else ("", self.inside)


class Planted(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A difference put onto the real ratios of controls, three runs at a time."""

    factor: float
    work: Work
    seen: Share
    missed: dict[str, Share]
    """By block, if not all were seen."""


class Detection(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the rule tells apart: controls, whose true ratio is 1, and what was planted in them."""

    controls: Share
    """Told apart from their baselines over all their runs: first metrics."""
    controls_all: Share
    """The same of all metrics."""
    controls_one_run: Share
    """Told apart by a single run."""
    controls_quick: Share
    """Told apart by a quick run: a window of three rounds of a longer one."""
    quick_seen: Share
    """Quick runs of a difference of 1.5 times or more, over all runs, that see it."""
    quick_wrong: Share
    """Quick runs that decide against the estimate over all runs, where that decides."""
    planted: list[Planted]
    """Each for candidates as steady as their baselines: blocks whose first metric is a time or a rate."""


class Slowdown(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A tenth more of the same work, measured like any runner: one trial."""

    times: int
    """How many series of rounds it is of."""
    rounds: int
    ratio: float
    """Median of their medians."""
    spread: float
    """Standard deviation of the control's ratios, all rounds together: how noisy the work was just then."""
    made: Made
    work: Work = "computes"


class Way(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A way of measuring the ratio of two variants."""

    reference: float
    """The ratio that it gives when it measures for long."""
    error: float
    """Median distance of a short measurement from that, as a share of it."""
    spent_s: float
    """Median wall time of a short measurement."""


class Beside(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Our way of measuring a ratio, and pyperf's."""

    work: str
    times: int
    ours: Way
    pyperf: Way


class Validation(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All figures; each part is kept until it is validated again, and trials of a real slowdown add up."""

    made: dict[str, Made] = {}
    """By the name of the part, as here; of the slowdown, each trial has its own."""
    predictions: list[Prediction] = []
    detection: Detection | None = None
    slowdown: list[Slowdown] = []
    """Every trial, in the order in which they were made."""
    pyperf: list[Beside] = []
    agreement: dict[str, dict[str, float]] = {}
    """By server and meter: our requests per second divided by its."""


class ValidationError(UserError):
    """The record of the validation is not what it must be."""


def read(docs: Path) -> Validation:
    """Return what was validated so far; nothing if there is no record. Raises ValidationError."""
    path = docs / FILE
    try:
        return msgspec.json.decode(path.read_bytes(), type=Validation) if path.exists() else Validation()
    except msgspec.DecodeError as error:
        msg = f"{docs.name}/{FILE}: {error}; restore it, or remove it and make it again: make validate"
        raise ValidationError(msg) from error
