"""What the columns of the tables that can be downloaded mean."""

from __future__ import annotations

from typing import TYPE_CHECKING

from runners.harness.catalogue.families import FAMILIES

if TYPE_CHECKING:
    from collections.abc import Mapping

_FILE = {
    "path": "Of the result file, below data/raw/.",
    "cell": "Machine and build, as in addresses.",
    "machine": "Label of the machine.",
    "build": "The interpreter that was measured.",
    "run_id": "The command that measured.",
    "started": "When it began, in UTC.",
    "profile": "quick or full; quick decides nothing.",
}
_SERIES = {
    "scenario": "Which question.",
    "block": "What was measured back to back and may be compared.",
    "case": "The parameters of the scenario.",
    "runner": "The file that was measured.",
    "family": f"Its kind: one of {', '.join(FAMILIES)}.",
    "role": "subject, or control: the baseline measured a second time.",
}
_METRIC = {"metric": "Name of the metric.", "title": "The same in words.", "unit": "Of all values of the row."}
_FACTS = {
    "better": "lower, higher or neither.",
    "status": "ok, or why there are no values or not all.",
    "reason": "Of a status that is not ok.",
    "note": "Where the catalogue no longer has a name of the row.",
    "source_sha256": "Of the runner's file as it was measured.",
    "local": "Measured on one's own machine and not published.",
    "complete": "False where the run was cut off.",
    "is_current": "Whether the runner's file is still the one that was measured.",
    "scenario_is_current": "The same of the scenario's files.",
}
_NUMBERS = {
    "rounds": "How many values there are.",
    "median": "Their median, in the unit.",
    "low": "Lower end of the median's interval, in the unit.",
    "high": "Its upper end, in the unit.",
    "coverage": "Probability that the interval holds the true median, 0 to 1.",
    "minimum": "Smallest value, in the unit.",
    "maximum": "Largest value, in the unit.",
    "ratio": "Median of this series over the baseline of its block, paired by round. Of the control: the noise.",
    "ratio_low": "Lower end of the ratio's interval.",
    "ratio_high": "Its upper end.",
    "ratio_pairs": "How many rounds have both.",
    "ratio_decided": "Whether the ratio may decide: rounds enough, a full run, none failed, the control's neither.",
    "reference_ratio": "Median of this series over the same one on the reference build, paired by round.",
    "reference_ratio_low": "Lower end of its interval.",
    "reference_ratio_high": "Its upper end.",
    "reference_ratio_pairs": "How many rounds have both.",
    "reference_ratio_decided": "Whether it may decide.",
    "noise_low": "Lower end of the interval of the block's control over its baseline.",
    "noise_high": "Its upper end.",
    "ideal": "The limit that no runner can beat, in the unit; of the scenario's first metric.",
    "efficiency": "How near the series comes to it; 1 is the limit.",
}
_SAMPLE = {
    "round": "Number of the round, from 1.",
    "position": "Its place in the order of measuring within the round.",
    "sample_status": "ok, or what became of this sample.",
    "sample_reason": "Of a status that is not ok.",
    "value": "Of the metric, in the unit; empty where there is none.",
}
SUMMARIES: Mapping[str, str] = {**_FILE, **_SERIES, **_METRIC, **_FACTS, **_NUMBERS}
"""Of the tables of summaries, one row a series and metric."""
SAMPLES: Mapping[str, str] = {
    name: {**SUMMARIES, **_SAMPLE}[name]
    for name in (
        *("path", "cell", "build", "run_id", "scenario", "block", "case", "runner", "role", "status", "reason"),
        *("round", "position", "sample_status", "sample_reason", "metric", "unit", "value"),
    )
}
"""Of the tables of samples, one row a sample and metric; the rest is in the summaries, by path, case, runner, role."""
