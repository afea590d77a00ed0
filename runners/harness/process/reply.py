"""What a worker reports of its sample. Checked, so that nothing gets into a file that could not be read again."""

from __future__ import annotations

import msgspec

from runners.harness.record import columns
from runners.harness.record.model import Cell, Column, Status  # noqa: TC001 - msgspec reads the annotations


class Report(msgspec.Struct, forbid_unknown_fields=True):
    """What a worker reports."""

    status: Status
    reason: str | None
    values: dict[Column, Cell]
    observed: dict[str, bool | int | str | list[int | str] | None]
    phases: dict[str, int]

    def __post_init__(self) -> None:
        """Raise ValueError for a column that holds what none of its name may."""
        if wrong := columns.fault({name: [cell] for name, cell in self.values.items()}):
            msg = f"{wrong[1]} - at `$.values.{wrong[0]}`"
            raise ValueError(msg)
