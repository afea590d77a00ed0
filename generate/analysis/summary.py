"""A row of the frame of summaries, as the pages read it."""

from __future__ import annotations

from dataclasses import dataclass

from generate.statistics.intervals import Comparison, Finding, finding_of, ranks


@dataclass(frozen=True, slots=True)
class Summary:
    """One series and metric: a row of the frame of summaries, None where it has no value."""

    path: str
    scenario: str
    case: str
    runner: str
    family: str | None
    role: str
    metric: str
    title: str
    unit: str
    better: str
    status: str
    reason: str | None
    note: str | None
    source_sha256: str
    is_current: bool
    rounds: int
    median: float | None
    low: float | None
    high: float | None
    coverage: float | None
    ratio: float | None
    ratio_low: float | None
    ratio_high: float | None
    ratio_pairs: int
    ratio_decided: bool
    reference_ratio: float | None
    reference_ratio_low: float | None
    reference_ratio_high: float | None
    reference_ratio_pairs: int
    reference_ratio_decided: bool
    noise_low: float | None
    noise_high: float | None
    ideal: float | None
    efficiency: float | None

    @property
    def against_baseline(self) -> Comparison | None:
        """The series against its block's baseline."""
        return _comparison(self.ratio, self.ratio_low, self.ratio_high, self.ratio_pairs, decided=self.ratio_decided)

    @property
    def against_reference(self) -> Comparison | None:
        """The series against the same one on the reference build."""
        bounds = self.reference_ratio, self.reference_ratio_low, self.reference_ratio_high
        return _comparison(*bounds, self.reference_ratio_pairs, decided=self.reference_ratio_decided)

    @property
    def noise(self) -> Comparison | None:
        """The baseline against its control."""
        return _comparison(1.0, self.noise_low, self.noise_high, self.ratio_pairs, decided=self.ratio_decided)

    @property
    def tells(self) -> bool:
        """Whether it differs from the baseline, its median by more than the baseline from itself (where known)."""
        return self.is_told(self.against_baseline)

    def is_told(self, compared: Comparison | None) -> bool:
        """Say the same of another comparison in the row's block."""
        return compared is not None and finding_of(compared, self.noise) in {Finding.REACHES, Finding.BEYOND}


def _comparison(
    ratio: float | None, low: float | None, high: float | None, pairs: int, *, decided: bool
) -> Comparison | None:
    if ratio is None or low is None or high is None:
        return None
    return Comparison(ratio, low, high, ranks(pairs).coverage, pairs, decided)
