"""What the page that compares two cells fetches: the values of each cell by round. Pure."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import msgspec

from generate.analysis.gated import decides
from generate.claims.sentences import build_words
from generate.statistics.intervals import noise_band
from generate.text.names import plain

if TYPE_CHECKING:
    from collections.abc import Iterator

    from generate.analysis.collection import CurrentResults
    from generate.analysis.selection import CellResult
    from runners.harness.record.model import Series

DIGITS = 6


def leading_cells(site: CurrentResults) -> dict[str, CellResult]:
    """Return the leading file of each machine and build, by name: others lead for some scenario alone."""
    found: dict[str, CellResult] = {}
    for cell in site.cells():
        found.setdefault(cell.address, cell)
    return found


def values_json(cell: CellResult) -> bytes:
    """Return the first metric of every series by round, and beside each the reference build's."""
    record = cell.record
    told = {
        "machine": plain(cell.machine),
        "build": build_words(cell.build),
        "run": record.run.id,
        "started": record.run.started[:10],
        "reference": msgspec.to_builtins(record.reference_build),
        "is_reference": record.build == record.reference_build,
        "series": [*_series(cell)],
    }
    return msgspec.json.encode(told)


def _series(cell: CellResult) -> Iterator[dict[str, Any]]:
    view, seen = cell.seen.view, cell.seen
    for series in cell.record.series:
        if series.role != "subject" or view.unknown(series):
            continue
        metric = view.metrics(series)[0]
        yield {
            "name": [series.scenario, series.case, series.runner],
            "title": metric.title,
            "unit": metric.unit,
            "better": metric.better,
            "values": _rounded(seen.by_round(series, metric)),
            "reference": _rounded(seen.by_round(view.reference(series), metric)),
            "noise": _noise(cell, series),
            "decides": decides(cell.record, series),
            "reference_decides": decides(cell.record, series, view.reference(series)),
            "why": _why(cell, series),
            "code": [series.source_sha256, cell.record.scenario_sha256.get(series.scenario)],
        }


def _noise(cell: CellResult, series: Series) -> float | None:
    """Return how far the baseline of the series' block lay from itself, as a ratio; None where that is not known."""
    found = cell.seen.noise(series, cell.seen.view.metrics(series)[0])
    reach = noise_band(found)[1] if found and found.decided else math.inf
    return round(reach, DIGITS) if math.isfinite(reach) else None


def _rounded(by_round: dict[int, float]) -> dict[str, float]:
    return {str(number): round(value, DIGITS) for number, value in by_round.items()}


def _why(cell: CellResult, series: Series) -> str:
    reason = cell.seen.refused.get(series.key)
    if reason is None and series.status != "ok":
        reason = f"{series.status.replace('_', ' ')}: {series.reason or 'no reason told'}"
    return "".join(letter for letter in reason or "" if letter.isprintable())  # nothing turns the text around
