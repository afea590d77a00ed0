"""What the columns of the tables that can be downloaded mean."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path

from generate.analysis import summary
from runners.harness.catalogue.families import FAMILIES
from runners.harness.record.schema import texts_of_fields

_TEXTS = texts_of_fields(Path(summary.__file__))
SUMMARIES = _TEXTS["Summary"] | {"family": f"Its kind: one of {', '.join(FAMILIES)}."}
"""Of the tables of summaries, one row a series and metric."""
SAMPLES = {field.name: {**SUMMARIES, **_TEXTS["SampleValue"]}[field.name] for field in fields(summary.SampleValue)}
"""Of the tables of samples, one row a sample and metric; the rest is in the summaries, by path, case, runner, role."""
