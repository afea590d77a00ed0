"""Result files by the run that they are of: the feed and the index of the data are of runs, not of files. Pure."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

    from generate.data.files import FileHeader
    from runners.harness.record.model import Run


class ResultRun(NamedTuple):
    """The files of one run."""

    name: str
    """The day on which its first file was begun, and the name that its records have."""
    files: list[FileHeader]
    """In order of path."""

    @property
    def id(self) -> str:
        """The name alone."""
        return self.run.name

    @property
    def run(self) -> Run:
        """What its first file says of the run."""
        return self.files[0].run

    @property
    def started(self) -> str:
        """When the first of its jobs began, in UTC."""
        return min(file.run.started for file in self.files)

    @property
    def ended(self) -> str:
        """When the last of its jobs ended; where one was cut off, when it began."""
        return max(file.run.finished or file.run.started for file in self.files)


def key_of(file: FileHeader) -> tuple[bool, str]:
    """Return what the files of one run have in common: of a hosted one its address, of any other its name."""
    return file.local, file.run.url or file.run.name


def by_run(files: Iterable[FileHeader]) -> list[ResultRun]:
    """Return the runs that *files* are of, attempts of a hosted run as one, those that ended last first."""
    by_address: dict[tuple[bool, str], list[FileHeader]] = defaultdict(list)
    for file in sorted(files, key=lambda file: file.path):
        by_address[key_of(file)].append(file)
    runs = [ResultRun(f"{of_run[0].run.started[:10]}/{of_run[0].run.name}", of_run) for of_run in by_address.values()]
    return sorted(runs, key=lambda run: (run.ended, run.name), reverse=True)
