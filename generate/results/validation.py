"""What the statistics were tried on, and what came of it: docs/validation.json, which `make validate` writes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import msgspec

from runners.harness.errors import UserError

if TYPE_CHECKING:
    from pathlib import Path

FILE = "validation.json"
Work = Literal["computes", "waits"]
"""What planted work does."""


class Made(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """When, where and from which commit figures were made."""

    date: str
    machine: str
    commit: str | None
    processor: str = ""
    """Empty where it was not kept."""


class Simulated(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Simulated comparisons of like with like."""

    comparisons: int
    differ: int
    """Told apart, wrongly."""
    slowed: int
    """Simulated comparisons with a slowdown put on."""
    covered: int
    """Of all, those whose interval holds the true ratio."""


class Controls(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Real comparisons of like with like: the controls of the committed full runs."""

    comparisons: int
    differ: int
    """Those whose interval leaves out 1."""
    decided: int
    """Those that would be decided as different, by the rule that holds the false discoveries of a cell."""


class QuickRule(msgspec.Struct, forbid_unknown_fields=True):
    """The rule for few rounds, tried on windows of three consecutive rounds of real runs."""

    spacing: str
    """What the windows are of, and so how far apart their rounds are."""
    controls: int
    """Windows of a control."""
    false_alarms: int
    """Those in which it was told apart from its baseline."""
    plain: int
    """Windows of a pair that differs by 1.5 times or more over the whole run."""
    seen: int
    """Those in which the rule decided so."""
    wrong_way: int
    """And those in which it decided the other way."""
    rule_sha256: str = ""
    """Of the modules that have the rule: what another one did is not counted with it."""
    runs: tuple[str, ...] = ()
    """Identifiers of the long runs, where these were made for the trial: none is counted twice."""
    made: Made | None = None
    """Of the last trial."""


class Power(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How often a slowdown is seen in one block."""

    scenario: str
    block: str
    cells: int
    """How many cells it was measured on."""
    spread: float
    """Standard deviation of the ratios of like with like, over all cells."""
    seen: dict[str, dict[str, float]]
    """By rounds and slowdown, as "12" and "0.1": the share of comparisons that saw it."""
    rounds_for_a_tenth: int | None
    """Fewest rounds of those tried in which a slowdown of 10 % is seen 95 times in 100; null: more than all of them."""


class Slowdown(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A real slowdown, planted in a runner and measured through the whole line: one trial."""

    times: int
    rounds: int
    seen: int
    ratio: float
    """Median of the medians."""
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
    """Our way of measuring a ratio beside pyperf's."""

    work: str
    times: int
    ours: Way
    pyperf: Way


class Stability(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One cell measured several times."""

    build: str
    times: int
    parts: int
    """Parts of claims that any of the runs decided."""
    flipped: list[str]
    """Those decided as holding by one run and as not holding by another."""


class Validation(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All figures; each part stays as it was until it is validated anew, and trials of a real slowdown add up."""

    made: dict[str, Made] = {}
    """By the name of the part, as here; of the rule for few rounds, and of the slowdown, each trial has its own."""
    simulated: Simulated | None = None
    controls: Controls | None = None
    quick: list[QuickRule] = []
    power: list[Power] = []
    slowdown: list[Slowdown] = []
    """Every trial, in the order in which they were made: each sees as much as the noise of its minutes allows."""
    pyperf: list[Beside] = []
    agreement: dict[str, dict[str, float]] = {}
    """By server and meter: our requests per second divided by its."""
    stability: Stability | None = None


class ValidationError(UserError):
    """The record of the validation is not what it must be."""


def read(docs: Path) -> Validation:
    """Return what was validated so far: nothing where there is no record. Raises ValidationError."""
    path = docs / FILE
    try:
        return msgspec.json.decode(path.read_bytes(), type=Validation) if path.exists() else Validation()
    except msgspec.DecodeError as error:
        msg = f"{docs.name}/{FILE}: {error}; restore it, or remove it and make it anew: make validate validate-long"
        raise ValidationError(msg) from error
