"""What the page that compares two cells fetches: the values of each cell by round, from all its current runs. Pure."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping  # noqa: TC003 - the data dictionary reads the types
from typing import TYPE_CHECKING, Any, NotRequired, TypedDict

import msgspec

from generate.analysis.gated import decides_across_runs
from generate.analysis.packages import versions_of
from generate.text.builds import build_words
from generate.text.names import plain
from generate.text.numbers import rounded
from generate.text.statuses import status_of, status_words
from generate.text.units import is_speed

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from generate.analysis.collection import CurrentResults
    from generate.analysis.selection import CellResult
    from runners.harness.record.model import Series

HASH_LETTERS = 12
"""Of the code that was measured: enough to tell one version from another. assets/comparison.js has the same."""
DIGITS = 5
"""Of each value: the sixth is far below any noise, and a page that compares two cells loads all of both."""


class SeriesValues(TypedDict):
    """A series as the page reads it."""

    name: list[str]
    """Scenario, case and runner."""
    title: str
    """Of the scenario's first metric, in words."""
    unit: str
    """Of the values."""
    better: str
    """lower, higher or neither."""
    is_speed: bool
    """Whether less of it, or more, is said to be faster."""
    values: dict[str, float]
    """By round, rounded to five digits; empty where it has none."""
    reference: dict[str, float]
    """Of the same series on the reference build; empty where it is of that build itself."""
    noise: float | None
    """How far the block's baseline lay from itself, as a ratio from 1 up; null where that is not known."""
    decides: bool
    """Whether it may decide beside a series of another run."""
    reference_decides: bool
    """The same of its ratio to the reference build's."""
    why: str
    """Why it has no values, or not all."""
    needs: list[str]
    """Packages of its runner, and those that they need."""
    code: list[str]
    """Of the runner's file and of the scenario's, the first letters of the hash as they were measured."""
    calibration: NotRequired[dict[str, int]]
    """What its work was fitted to, in the run; left out where it is not fitted."""


class RunValues(TypedDict):
    """What one run measured of a cell, as the page reads it."""

    machine: str
    """What the machine is called in words."""
    processor: str
    """Model of the processor."""
    build: str
    """The interpreter, in words."""
    run: str
    """The command that measured it."""
    started: str
    """The day."""
    reference: dict[str, Any]
    """The reference build, as in the result file."""
    is_reference: bool
    """Whether it is of the reference build itself."""
    packages: Mapping[str, str]
    """Versions of the packages of the reference build."""
    installed: Mapping[str, str]
    """Versions of the packages of the build itself."""
    series: list[SeriesValues]
    """Those of the scenarios for which the file is current."""


def current_cells(site: CurrentResults) -> dict[str, list[CellResult]]:
    """Return the current files of each machine and build, the one that sentences quote first, by address.

    A map is among them where nothing else is: its points are no series to compare.
    """
    by_address: dict[str, list[CellResult]] = defaultdict(list)
    for cell in site.cells():
        by_address[cell.address].append(cell)
    no_maps = {at: [cell for cell in cells if cell.record.run.profile != "map"] for at, cells in by_address.items()}
    return {at: no_maps[at] or cells for at, cells in by_address.items()}


def values_json(site: CurrentResults, cells: Sequence[CellResult]) -> bytes:
    """Return the values of a cell as the page fetches them."""
    return msgspec.json.encode(cell_values(site, cells))


def cell_values(site: CurrentResults, cells: Sequence[CellResult]) -> list[RunValues]:
    """Return what each current file of a cell has of the scenarios that it leads."""
    return [_run_values(cell, site.scenarios_of(cell)) for cell in cells]


def _run_values(cell: CellResult, scenarios: Collection[str]) -> RunValues:
    """Return the first metric of each series by round; beside each the reference build's, where that is another."""
    record = cell.record
    return {
        "machine": plain(cell.machine_name),
        "processor": plain(record.machine.cpu),
        "build": build_words(cell.build),
        "run": record.run.id,
        "started": record.run.started[:10],
        "reference": msgspec.to_builtins(record.reference_build),
        "is_reference": cell.gated.is_reference,
        "packages": versions_of(record.reference_packages, record.reference_packages),
        "installed": versions_of(record.packages, record.packages),
        "series": [*_series(cell, scenarios)],
    }


def _series(cell: CellResult, scenarios: Collection[str]) -> Iterator[SeriesValues]:
    gated, view = cell.gated, cell.gated.view
    is_reference = gated.is_reference
    for series in cell.record.series:
        if series.role != "subject" or series.scenario not in scenarios or view.unknown(series):
            continue
        metric = view.metrics(series)[0]
        scenario_code = cell.record.scenario_sha256.get(series.scenario)
        values: SeriesValues = {
            "name": [series.scenario, series.case, series.runner],
            "title": metric.title,
            "unit": metric.unit,
            "better": metric.better,
            "is_speed": is_speed(metric),
            "values": _rounded(gated.by_round(series, metric)),
            "reference": {} if is_reference else _rounded(gated.by_round(view.reference(series), metric)),
            "noise": _noise(cell, series),
            "decides": decides_across_runs(cell.record, series),
            "reference_decides": decides_across_runs(cell.record, series, view.reference(series)),
            "why": _why(cell, series),
            "needs": _needs(cell, series),
            "code": [(code or "")[:HASH_LETTERS] for code in (series.source_sha256, scenario_code)],
        }
        if view.scenarios[series.scenario].calibrates:
            values["calibration"] = cell.record.run.calibration
        yield values


def _needs(cell: CellResult, series: Series) -> list[str]:
    """Return the packages of a series' runner, and those that they need, on its build or on the reference build."""
    roots = cell.gated.view.packages(series)
    both = (cell.record.packages, cell.record.reference_packages)
    return sorted({name for packages in both for name in versions_of(packages, roots)})


def _noise(cell: CellResult, series: Series) -> float | None:
    reach = cell.gated.reach_of_noise(series, cell.gated.view.metrics(series)[0])
    return None if reach is None else round(reach, DIGITS)


def _rounded(by_round: dict[int, float]) -> dict[str, float]:
    return {str(number): rounded(value, DIGITS) for number, value in by_round.items()}


def _why(cell: CellResult, series: Series) -> str:
    reason = cell.gated.refused.get(series.key)
    if reason is None and series.status != "ok":
        reason = f"{status_words(status_of(series))}: {series.reason or 'no reason given'}"
    return "".join(letter for letter in reason or "" if letter.isprintable())  # nothing turns the text around
