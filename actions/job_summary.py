"""A collected run's page, as bounded and inert Markdown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from actions import named_builds
from actions.job import plain
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
    from runners.harness.record.model import Record

MOST_LINES = 50


def cells(
    outcomes: Sequence[CellOutcome], files: Sequence[ResultFile], rejected: Sequence[str], impossible: Sequence[str]
) -> str:
    """Return the outcome of each cell, what was refused, and what the sanity gate rejects in the *files* kept."""
    machines = {file.path: machine_name(file.record) for file in files}
    rows = []
    for outcome in outcomes:
        machine = next((machines[path] for path in reversed(outcome.files) if path in machines), outcome.machine)
        name = outcome.cell.removeprefix(f"{outcome.machine}--")
        rows.append(f"| {machine} | {outcome.python} | {name} | {outcome.status} | {plain(outcome.reason)} |")
    table = ["## Cells", "", "| machine | Python | cell | | reason |", "|---|---|---|---|---|", *rows, ""]
    return "\n".join([*table, *_list("Refused", rejected), *_list("Rejected by the sanity gate", impossible)])


def machine_name(record: Record) -> str:
    """Return the label with the processor, which differs between hosts of one label."""
    return plain(f"{record.machine.label}, {record.machine.cpu}")


def _list(title: str, reasons: Sequence[str]) -> list[str]:
    if not reasons:
        return []
    more = [f"- and {len(reasons) - MOST_LINES} more"] if len(reasons) > MOST_LINES else []
    return [f"## {title}", "", *(f"- {plain(reason)}" for reason in reasons[:MOST_LINES]), *more, ""]


def verdicts(files: Sequence[ResultFile]) -> str:
    """Return the verdicts from the plain builds, or why there are none; empty if only variants were measured."""
    try:
        plain_ones = [file for file in files if not named_builds.is_variant(file.record.build)]
        if len(plain_ones) < len(files) and all(file.record.kind == "by_product" for file in plain_ones):
            return ""
        scenarios, between = catalogue.find(), read_between_runs(catalogue.ROOT / "docs")
        records = check_records(add_counterparts(plain_ones), scenarios)
        site = Results.of(scenarios, records, between, name_machines(plain_ones))
        return markdown(Board.of(read.read(catalogue.ROOT / "docs"), scenarios, site))
    except Exception as error:  # noqa: BLE001 - a board that can't be made must not cost the run
        return f"no board: {plain(describe_mistake(error))}\n"
