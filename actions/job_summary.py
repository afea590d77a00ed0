"""What a collected run's page shows, as Markdown: bounded, and with nothing in it that acts."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from actions import named_builds
from actions.job import plain
from generate.analysis.gated import apply_gate
from generate.checks.show import case_tables
from generate.claims import read
from generate.claims.board import Board
from generate.claims.terminal import markdown
from generate.results.reference import beside
from generate.text.mistakes import mistake_words
from runners.harness import matrix
from runners.harness.catalogue import scenarios as catalogue
from runners.harness.record.build_names import build_name

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from generate.analysis.gated import GatedRecord
    from generate.results.model import ResultFile
    from runners.harness.catalogue.scenarios import Scenario
    from runners.harness.record.cells_file import CellOutcome

MOST_LINES = 50
"""Of a list of what was refused, or of what variants changed."""


def cells(outcomes: Sequence[CellOutcome], refused: Sequence[str], impossible: Sequence[str]) -> str:
    """Return what became of the cells, what was refused, and what the sanity gate refuses in files that were kept."""
    of_kind = dict(zip(("Cells", "Variants"), _parted(outcomes), strict=True))
    lines = [line for title, of_it in of_kind.items() if of_it for line in _table(title, of_it)]
    return "\n".join([*lines, *_listed("Refused", refused), *_listed("Refused by the sanity gate", impossible)])


def counted(outcomes: Sequence[CellOutcome]) -> str:
    """Count cells and variants, each for themselves."""
    cells, variants = _parted(outcomes)
    return named_builds.counted(cell=len(cells), variant=len(variants))


def _parted(outcomes: Sequence[CellOutcome]) -> tuple[list[CellOutcome], list[CellOutcome]]:
    """Part the cells of plain builds from those of variants."""
    versions = matrix.read().versions
    plain_ones = [one for one in outcomes if named_builds.is_plain(one.python, versions)]
    return plain_ones, [one for one in outcomes if one not in plain_ones]


def _table(title: str, outcomes: Sequence[CellOutcome]) -> list[str]:
    rows = [f"| {one.machine} | {one.python} | {one.status} | {plain(one.reason)} |" for one in outcomes]
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
        scenarios = catalogue.find()
        return markdown(
            Board.of(read.read(catalogue.ROOT / "docs"), scenarios, apply_gate(beside(plain_ones), scenarios))
        )
    except Exception as error:  # noqa: BLE001 - a board that can't be made must not cost the run
        return f"no board: {plain(mistake_words(error))}\n"


def variants(files: Sequence[ResultFile]) -> str:
    """Return how runners compare with themselves on the reference build, on each variant, or why that can't be said.

    Only the jobs that measured one are looked at: of a scheduled run, none.
    """
    try:
        jobs = {file.record.run.id for file in files if named_builds.is_variant(file.record.build)}
        if not jobs:
            return ""
        scenarios = catalogue.find()
        gated = apply_gate(beside([file for file in files if file.record.run.id in jobs]), scenarios)
        gated = sorted(gated, key=_job_of)
        of_jobs = (list(of_job) for _, of_job in groupby(gated, key=_job_of))
        said = [line for of_job in of_jobs for line in _beside_reference(of_job, scenarios)]
        lines = [words for _, words in sorted(said, key=lambda line: not line[0])]
        return "\n".join(_listed("Variants beside the reference build", lines))
    except Exception as error:  # noqa: BLE001 - likewise
        return f"variants can't be compared: {plain(mistake_words(error))}\n"


def _job_of(gated: GatedRecord) -> str:
    return gated.file.record.run.id


def _beside_reference(records: Sequence[GatedRecord], scenarios: Mapping[str, Scenario]) -> Iterator[tuple[bool, str]]:
    """Give whether a runner on a variant differs beyond noise from itself on the reference build, and how, in words."""
    builds = [gated.file.record.build for gated in records]
    of_variants = {build_name(build) for build in builds if named_builds.is_variant(build)}
    for table in case_tables(records, scenarios):
        for line in table.lines:
            if line.build in of_variants and line.beside_reference:
                words = f"{table.title}: {line.runner}: {line.beside_reference}; {line.build}"
                yield line.differs_beyond_noise, words
