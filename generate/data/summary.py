"""The two tables that pages, charts and downloads are made from: each column once, with what it means."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from generate.data.estimates import Estimate  # noqa: TC001 - type hints are read when the frame is made

if TYPE_CHECKING:
    from collections.abc import Iterator


class Summary(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """One series and metric of a machine and build, over all runs that are pooled."""

    cell: str
    """Machine and build, as in addresses."""
    machine: str
    """Label of the machine: with `processor` and `cores` it names one machine."""
    processor: str
    """Model of the processor."""
    cores: int
    """Usable cores."""
    build: str
    """The interpreter that was measured."""
    python: str
    """Its version."""
    free_threaded: bool
    """True if it was built to run without the GIL."""
    jit: bool | None
    """True if its just-in-time compiler was on; empty if it does not say."""
    packages: str | None
    """Versions of the packages that the runner needs, and of those that they need; empty if it needs none."""
    other_packages: str | None
    """Those of which the reference build has another version: "tornado 6.5.10, not 6.6.1"."""
    run_ids: str
    """The runs that are pooled, newest first, separated by spaces."""
    started: str
    """When the newest of them began, in UTC."""
    scenario: str
    """Which question."""
    block: str
    """What was measured back to back and may be compared."""
    case: str
    """The parameters of the scenario."""
    runner: str
    """The file that was measured."""
    baseline: str | None
    """The runner that its ratio is to; if its case is another, as case/runner: the runner follows the last slash, as
    names of cases may hold slashes too. Empty if the case is not known any more."""
    family: str | None
    """Its kind: one of the catalogue's families."""
    role: str
    """subject, or control: the baseline measured a second time."""
    metric: str
    """Name of the metric."""
    title: str
    """The same in words."""
    unit: str
    """Of the values. Ratios and efficiency have none."""
    better: str
    """lower, higher or neither."""
    status: str
    """ok if a run has every round; partial if none has; or why there is no value: unsupported, failed, timed_out or
    not_reached."""
    reason: str | None
    """Of a status that is not ok."""
    note: str | None
    """What else is to be known: rounds that the sanity gate rejected, a run in which it failed, a name that the
    catalogue no longer has."""
    source_sha256: str
    """Of the runner's file as it was measured."""
    local: bool
    """Measured on one's own machine and not published."""
    is_current: bool
    """True if the runner's file is still the one that was measured."""
    scenario_is_current: bool
    """The same of the scenario's files."""
    value: Estimate | None
    """In the unit."""
    ratio: Estimate | None
    """Its value over that of the baseline of its block. Below 1 is less; of a time, pages print the reciprocal as
    "times as fast". Of the control: the baseline over itself."""
    reference_build: str
    """The build that was measured in turn with it, which reference_ratio is to."""
    reference_ratio: Estimate | None
    """Its value over that of the same series on the reference build, direction as of ratio; 1 on that build itself."""
    gil_ratio: Estimate | None
    """Its value without the GIL over that of the same series on the same Python with it; of a variant, over the plain
    build. Both were measured in the same runs."""
    ideal: float | None
    """The limit that no runner can beat, in the unit, of the scenario's first metric: median over the rounds."""
    efficiency: float | None
    """How near the series comes to it, 1 being the limit: median over the rounds of ideal / value, or of value / ideal
    if higher is better."""

    @property
    def runs(self) -> int:
        """How many runs its value is of."""
        return len(self.value.runs) if self.value else 0

    @property
    def rounds(self) -> int:
        """How many rounds its value is of."""
        return self.value.rounds if self.value else 0

    @property
    def number(self) -> float | None:
        """The estimate alone, in the unit."""
        return self.value.value if self.value else None

    @property
    def is_compared(self) -> bool:
        """True if its ratio says anything: it is neither the baseline nor without one."""
        return self.ratio is not None and bool(self.ratio.runs)


class Column(NamedTuple):
    """A column of the table of summaries."""

    name: str
    about: str


def estimate_columns(prefix: str) -> Iterator[Column]:
    """Return the columns that an estimate takes in the public tables: those of the value have no *prefix*."""
    what = {"": "value", "ratio": "ratio", "reference_ratio": "ratio", "gil_ratio": "ratio"}[prefix]
    start = f"{prefix}_" if prefix else ""
    yield Column(prefix or "estimate", f"The {what}: its long-run value over all runs.")
    yield Column(f"{start}low", "Lower end of its 95 % range; empty if one round leaves it unknown.")
    yield Column(f"{start}high", "Upper end.")
    yield Column(f"{start}another_low", "Lower end of the range of one further run.")
    yield Column(f"{start}another_high", "Upper end.")
    yield Column(f"{start}runs", "How many runs it is of.")
    yield Column(f"{start}rounds", "How many rounds these have.")
    yield Column(f"{start}decides", "False if nothing may be decided by it: every run lacks a round, or was disturbed.")


@dataclass(frozen=True, slots=True, kw_only=True)
class SampleValue:
    """One sample and metric, in columns alone: there are too many to make objects of them.

    What a summary has as well means the same here.
    """

    path: str
    """Of the result file, below data/raw/."""
    cell: str
    machine: str
    processor: str
    build: str
    python: str
    free_threaded: bool
    jit: bool | None
    packages: str | None
    run_id: str
    """The run that measured it."""
    scenario: str
    block: str
    case: str
    runner: str
    baseline: str | None
    role: str
    status: str
    reason: str | None
    round: int
    """Number of the round, from 1."""
    position: int
    """Its place in the block, from 0: the order in which it was measured."""
    sample_status: str
    """ok, unsupported, failed, timed_out or not_reached; failed if the sanity gate rejects it."""
    sample_reason: str | None
    """Of a status that is not ok."""
    metric: str
    unit: str
    value: float | None
    """Of the metric, in the unit; empty if there is none."""
