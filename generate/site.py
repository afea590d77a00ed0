"""What the pages are made from: the results that lead them, grouped once. Pure.

Which results lead a page: of each machine and build the newest file that has the scenario, a full run's before a quick
one's. Local ones (one's own) come before those that are published, then full runs before quick ones, then the newest
run; in a run its reference build, on the machine that the workflow names first: which job of it began last is chance.
The first of all is the one that sentences quote.
"""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple, Self, get_type_hints

from generate.hosted_machines import rank
from generate.result_runs import by_run
from generate.summary import Summary
from generate.tidy import build_name

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    import pandas as pd

    from generate.load import Loaded, Problem, ResultFile
    from generate.outcomes import Outcomes
    from generate.tidy import Seen
    from runners.harness.catalogue import Scenario
    from runners.harness.record import Record


class Host(NamedTuple):
    """A machine: one's own is not the one of the same name whose results are published."""

    machine: str
    local: bool

    @property
    def key(self) -> str:
        """Its name in addresses."""
        return slug(self.machine) + "-local" * self.local


class Cell(NamedTuple):
    """One file that leads a page."""

    seen: Seen
    machine: str
    build: str
    run_began: str
    """When the first job of its run did."""

    @property
    def host(self) -> Host:
        """Which machine it is of."""
        return Host(self.machine, self.file.local)

    @property
    def file(self) -> ResultFile:
        """The file."""
        return self.seen.file

    @property
    def record(self) -> Record:
        """What the file holds."""
        return self.seen.file.record

    @property
    def order(self) -> tuple[str, list[int], bool]:
        """Where its build stands among others: by implementation, version, and whether it is free-threaded."""
        build = self.record.build
        return build.implementation, [int(part) for part in re.findall(r"\d+", build.version)], build.free_threaded

    @property
    def machine_page(self) -> str:
        """Where its machine's page lies below docs/."""
        return f"machines/{slug(self.machine)}.md"

    @property
    def build_page(self) -> str:
        """Where its build's page lies below docs/."""
        return f"builds/{slug(self.build)}.md"


Rows = dict[tuple[str, str], list[Summary]]
"""A file's summaries by scenario and case, the reference build's left out."""


@dataclass(frozen=True)
class Site:
    """All that a page may speak of."""

    scenarios: Mapping[str, Scenario]
    files: Sequence[ResultFile]
    problems: Sequence[Problem]
    leads: Mapping[str, list[Cell]]
    """The cells of each scenario, the leading one first."""
    rows: Mapping[str, Rows]
    """By path, of the files that lead somewhere."""
    runs: Sequence[Outcomes] = ()
    """What became of the cells of hosted runs."""

    @classmethod
    def of(cls, scenarios: Mapping[str, Scenario], loaded: Loaded, seen: Iterable[Seen], frame: pd.DataFrame) -> Self:
        """Group *frame* for the pages."""
        leads = _leads(scenarios, list(seen))
        paths = {cell.file.path for cells in leads.values() for cell in cells}
        return cls(scenarios, loaded.files, loaded.problems, leads, _rows(frame, paths), loaded.runs)

    def rows_of(self, cell: Cell, scenario: str, case: str) -> list[Summary]:
        """Return a cell's summaries of one case."""
        return self.rows.get(cell.file.path, {}).get((scenario, case), [])

    def cells(self) -> list[Cell]:
        """Return every cell that leads for some scenario, the leading one first."""
        found = {cell.file.path: cell for cells in self.leads.values() for cell in cells}
        return sorted(sorted(found.values(), key=lambda cell: cell.order), key=_by_age, reverse=True)

    def lead(self, scenario: str, case: str | None = None) -> Cell | None:
        """Return the cell that leads a scenario, or the first with *case*: quick runs measure less than full ones."""
        cells = self.leads[scenario]
        return next((cell for cell in cells if case is None or self.rows_of(cell, scenario, case)), None)

    def hosts(self, scenario: str) -> list[Host]:
        """Return the machines that have *scenario*, the leading one first."""
        return list(dict.fromkeys(cell.host for cell in self.leads[scenario]))

    def of_host(self, host: Host) -> Self:
        """Return the site as if *host* were the only machine."""
        return replace(
            self, leads={name: [cell for cell in cells if cell.host == host] for name, cells in self.leads.items()}
        )

    def beside_each_other(self, scenario: str, case: str | None = None) -> list[Cell]:
        """Return the cells of the machine that leads *scenario* (or that case of it), in order of build."""
        lead = self.lead(scenario, case)
        alike = [cell for cell in self.leads[scenario] if lead is not None and cell.host == lead.host]
        having = [cell for cell in alike if case is None or self.rows_of(cell, scenario, case)]
        return sorted(having, key=lambda cell: cell.order)


def slug(name: str) -> str:
    """Return *name* so that it can stand in an address."""
    return re.sub(r"[^a-z0-9.]+", "-", name.lower()).strip("-.") or "unnamed"


def plain(name: str) -> str:
    """Return *name* without what could be markup or turn the text around: for titles, which engines don't escape."""
    return " ".join(re.sub(r"[^\w .,:?+()'-]+", " ", name).split()) or "unnamed"


def _leads(scenarios: Mapping[str, Scenario], seen: list[Seen]) -> dict[str, list[Cell]]:
    began = {file.path: run.started for run in by_run(one.file for one in seen) for file in run.files}
    cells = [_cell(one, began[one.file.path]) for one in sorted(seen, key=lambda one: one.file.path, reverse=True)]
    newest_first = sorted(cells, key=_by_age, reverse=True)
    found: dict[str, dict[tuple[str, str, bool], Cell]] = {name: {} for name in scenarios}
    for cell in newest_first:
        for name in {series.scenario for series in cell.record.series} & scenarios.keys():
            found[name].setdefault((cell.machine, cell.build, cell.file.local), cell)
    return {name: list(cells.values()) for name, cells in found.items()}


def _cell(seen: Seen, run_began: str) -> Cell:
    return Cell(seen, seen.file.record.machine.label, build_name(seen.file.record.build), run_began)


def _by_age(cell: Cell) -> tuple[bool, bool, str, int, bool]:
    """Order from the last to the first that leads: one's own, full, newest, on the first machine, the reference."""
    record = cell.record
    is_full, is_reference = record.run.profile == "full", record.build == record.reference_build
    return cell.file.local, is_full, cell.run_began, -rank(cell.machine), is_reference


def _rows(frame: pd.DataFrame, paths: set[str]) -> dict[str, Rows]:
    wanted = frame[frame["path"].isin(paths) & (frame["role"] != "reference")]
    kinds = get_type_hints(Summary)
    columns = [_column(wanted[name], may_lack=kinds[name] == float | None) for name in kinds]
    grouped: dict[str, Rows] = defaultdict(lambda: defaultdict(list))
    for values in zip(*columns, strict=True):
        row = Summary(*values)
        grouped[row.path][row.scenario, row.case].append(row)
    return grouped


def _column(values: pd.Series[Any], *, may_lack: bool) -> list[Any]:
    """Return a column as a list: row by row, pandas would take ten times as long."""
    found: list[Any] = values.tolist()
    return [None if value != value else value for value in found] if may_lack else found  # noqa: PLR0124 - NaN alone
