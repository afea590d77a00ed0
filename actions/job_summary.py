"""A collected run's page, as bounded and inert Markdown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from actions import named_builds
from actions.job import make_inert
from generate.claims import read
from generate.claims.board import Board
from generate.claims.terminal import markdown
from generate.data.between_runs import read as read_between_runs
from generate.data.files import add_counterparts
from generate.data.gate import check_records
from generate.data.results import Results
from generate.words.log_lines import describe_mistake
from generate.words.machines import name_machines
from runners.harness.catalogue import scenarios as catalogue

if TYPE_CHECKING:
    from collections.abc import Sequence

    from generate.data.files import ResultFile
    from runners.harness.record.cells_file import CellOutcome

MOST_LINES = 50
CELLS = """\
## Cells

| machine | Python | cell | | reason |
|---|---|---|---|---|
{rows}
"""
ROW = "| {machine} | {python} | {cell} | {status} | {reason} |\n"
LIST = "## {title}\n\n{lines}\n"
MORE = "- and {} more\n"
NO_BOARD = "no board: {}\n"


def format_cells(
    outcomes: Sequence[CellOutcome], files: Sequence[ResultFile], rejected: Sequence[str], impossible: Sequence[str]
) -> str:
    """Return the outcome of each cell, the refused files, and the series of *files* that the sanity gate rejects."""
    hosts = {file.path: f"{file.record.machine.label}, {file.record.machine.cpu}" for file in files}
    rows = ""
    for outcome in outcomes:
        machine = next((hosts[path] for path in reversed(outcome.files) if path in hosts), outcome.machine)
        rows += ROW.format(
            machine=make_inert(machine),  # includes the processor, which differs between hosts of one label
            python=outcome.python,
            cell=outcome.cell.removeprefix(f"{outcome.machine}--"),
            status=outcome.status,
            reason=make_inert(outcome.reason),
        )
    lists = _format_list("Refused", rejected) + _format_list("Rejected by the sanity gate", impossible)
    return CELLS.format(rows=rows) + lists


def _format_list(title: str, reasons: Sequence[str]) -> str:
    lines = "".join(f"- {make_inert(reason)}\n" for reason in reasons[:MOST_LINES])
    if len(reasons) > MOST_LINES:
        lines += MORE.format(len(reasons) - MOST_LINES)
    return LIST.format(title=title, lines=lines) if reasons else ""


def format_verdicts(files: Sequence[ResultFile]) -> str:
    """Return the verdicts from the plain builds, or why there are none; empty if only variants were measured."""
    try:
        plain = [file for file in files if not named_builds.is_variant(file.record.build)]
        if len(plain) < len(files) and all(file.record.kind == "by_product" for file in plain):
            return ""
        scenarios, between = catalogue.find(), read_between_runs(catalogue.ROOT / "docs")
        records = check_records(add_counterparts(plain), scenarios)
        site = Results.of(scenarios, records, between, name_machines(plain))
        return markdown(Board.of(read.read(catalogue.ROOT / "docs"), scenarios, site))
    except Exception as error:  # noqa: BLE001 - a board that can't be made must not cost the run
        return NO_BOARD.format(make_inert(describe_mistake(error)))
