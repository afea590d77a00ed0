"""What a collected run's page shows, as Markdown: bounded, and with nothing in it that acts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from actions import named_builds, run_plan
from actions.job import plain
from generate.claims import read
from generate.claims.board import Board
from generate.claims.terminal import markdown
from generate.comparison import compare, name_series, sides_of
from generate.data.between_runs import read as read_between_runs
from generate.data.files import Listing, add_counterparts
from generate.data.gate import check_records
from generate.data.results import Results
from generate.words.log_lines import describe_mistake
from generate.words.machines import name_machines
from runners.harness import matrix
from runners.harness.catalogue import scenarios as catalogue
from runners.harness.record.build_names import build_name

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from generate.comparison import Row
    from generate.data.between_runs import BetweenRuns
    from generate.data.files import ResultFile
    from generate.data.gate import CheckedRecord
    from runners.harness.catalogue.scenarios import Scenario
    from runners.harness.record.cells_file import CellOutcome
    from runners.harness.record.model import Record

MOST_LINES = 50
"""Of a list of what was refused, or of what variants changed."""


def cells(
    outcomes: Sequence[CellOutcome], files: Sequence[ResultFile], rejected: Sequence[str], impossible: Sequence[str]
) -> str:
    """Return what became of the cells, what was refused, and what the sanity gate rejects in the *files* kept."""
    machines = {file.path: machine_of(file.record) for file in files}
    of_kind = dict(zip(("Cells", "Variants"), _parted(outcomes), strict=True))
    lines = [line for title, of_it in of_kind.items() if of_it for line in _table(title, of_it, machines)]
    return "\n".join([*lines, *_listed("Refused", rejected), *_listed("Rejected by the sanity gate", impossible)])


def machine_of(record: Record) -> str:
    """Name a machine: the label, and the processor, which differs between hosts of one label."""
    return plain(f"{record.machine.label}, {record.machine.cpu}")


def count_noun(outcomes: Sequence[CellOutcome]) -> str:
    """Count cells and variants, each for themselves."""
    cells, variants = _parted(outcomes)
    return named_builds.count_noun(cell=len(cells), variant=len(variants))


def _parted(outcomes: Sequence[CellOutcome]) -> tuple[list[CellOutcome], list[CellOutcome]]:
    """Part the cells of plain builds from those of variants."""
    versions = matrix.read().versions
    plain_ones = [one for one in outcomes if named_builds.is_plain(one.python, versions)]
    return plain_ones, [one for one in outcomes if one not in plain_ones]


def _table(title: str, outcomes: Sequence[CellOutcome], machines: Mapping[str, str]) -> list[str]:
    rows = []
    for one in outcomes:
        machine = next((machines[path] for path in reversed(one.files) if path in machines), one.machine)
        repeat = f", run {number}" if (number := run_plan.repeat_of(one.cell)) > 1 else ""
        rows.append(f"| {machine} | {one.python}{repeat} | {one.status} | {plain(one.reason)} |")
    return [f"## {title}", "", "| machine | Python | | reason |", "|---|---|---|---|", *rows, ""]


def _listed(title: str, reasons: Sequence[str]) -> list[str]:
    if not reasons:
        return []
    more = [f"- and {len(reasons) - MOST_LINES} more"] if len(reasons) > MOST_LINES else []
    return [f"## {title}", "", *(f"- {plain(reason)}" for reason in reasons[:MOST_LINES]), *more, ""]


def verdicts(files: Sequence[ResultFile]) -> str:
    """Return the board of verdicts of result files, or why there is none. A variant has no place on it.

    There is none either of what was measured beside variants alone: nobody asked for that.
    """
    try:
        plain_ones = [file for file in files if not named_builds.is_variant(file.record.build)]
        if len(plain_ones) < len(files) and all(file.record.kind == "by_product" for file in plain_ones):
            return ""
        scenarios, between = catalogue.find(), read_between_runs(catalogue.ROOT / "docs")
        records = check_records(add_counterparts(plain_ones), scenarios)
        listing = Listing([file.header for file in plain_ones], [])
        site = Results.of(scenarios, listing, records, between, name_machines(listing.files))
        return markdown(Board.of(read.read(catalogue.ROOT / "docs"), scenarios, site))
    except Exception as error:  # noqa: BLE001 - a board that can't be made must not cost the run
        return f"no board: {plain(describe_mistake(error))}\n"


def variants(files: Sequence[ResultFile]) -> str:
    """Return how runners compare with themselves on the reference build, on each variant, or why that can't be said.

    Only the jobs that measured one are looked at: of a scheduled run, none.
    """
    try:
        jobs = {file.record.run.id for file in files if named_builds.is_variant(file.record.build)}
        if not jobs:
            return ""
        scenarios, between = catalogue.find(), read_between_runs(catalogue.ROOT / "docs")
        gated = check_records(add_counterparts([file for file in files if file.record.run.id in jobs]), scenarios)
        rows = [*_against_reference(gated, scenarios, between)]
        rows.sort(key=lambda each: (each[1].outcome != "differs", -each[1].size))
        lines = [f"{name_series(row)}: {row.words}; {place}" for place, row in rows]
        return "\n".join(_listed("Variants beside the reference build", lines))
    except Exception as error:  # noqa: BLE001 - likewise
        return f"variants can't be compared: {plain(describe_mistake(error))}\n"


def _against_reference(
    records: Sequence[CheckedRecord], scenarios: Mapping[str, Scenario], between: BetweenRuns
) -> Iterator[tuple[str, Row]]:
    """Yield how each runner on each variant of a machine compares with itself on the reference build."""
    sides = sides_of(records, scenarios, between)
    for cell, side in sides.items():
        record = next(iter(side.values())).record
        if named_builds.is_variant(record.build):
            reference = sides.get(cell._replace(build=build_name(record.reference_build)), {})
            place = f"{cell.build} on {machine_of(record)}"
            yield from ((place, row) for row in compare(reference, side) if row.ratio)
