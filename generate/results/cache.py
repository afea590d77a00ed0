"""What was found out about result files, kept by the hash of their bytes, so that each is parsed once in its life.

One row a file, in Parquet: its header, and its series with the median and interval of each metric, as JSON, which are
read only when history is asked for. Rows are added as further parts; small parts are put together when there are
many. A part is there whole or not at all. What can't be read is thrown away: everything in it can be made again.
"""

from __future__ import annotations

import tempfile
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import duckdb
import msgspec

from generate.results.model import FileHeader, Measured, SeriesMedian

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from generate.results.model import ResultFile

PART = ".parquet"
MOST_SMALL_PARTS = 16
SMALL_PART_FILES = 25
"""A part of fewer files is small. To put more of them together than there are small ones takes more than MEMORY."""
MEMORY = "300MB"
COLUMNS = "{sha256: 'VARCHAR', header: 'VARCHAR', measured: 'VARCHAR', series: 'VARCHAR'}"
"""All text: of 1,000 files DuckDB took 1.5 s to make columns of the series, which few ever ask for."""


class Entry(msgspec.Struct, frozen=True):
    """What is kept of a file."""

    sha256: str
    header: str
    """A `FileHeader` as JSON, but for what stands in the next column."""
    measured: str
    """What it has series of, as JSON in order: many files have the same text."""
    series: str
    """A `SeriesMedian` for each series and metric, as JSON."""

    @classmethod
    def of(cls, file: ResultFile, medians: Sequence[SeriesMedian]) -> Entry:
        """Return what to keep of *file*, which passed through the gate."""
        columns = replace(file.header, measured=frozenset()), sorted(file.header.measured), medians
        return cls(file.sha256, *(msgspec.json.encode(column).decode() for column in columns))


_HEADER = msgspec.json.Decoder(FileHeader)
_MEASURED = msgspec.json.Decoder(list[Measured])
_SERIES = msgspec.json.Decoder(list[SeriesMedian])
_ENTRY = msgspec.json.Decoder(Entry)


def _header(header: str, measured: str, shared: dict[str, frozenset[Measured]]) -> FileHeader:
    """Return what two columns of a row say. Equal texts become one set: 10,000 files have a few hundred."""
    if measured not in shared:
        shared[measured] = frozenset(_MEASURED.decode(measured))
    return replace(_HEADER.decode(header), measured=shared[measured])


class Cache:
    """The parts in a folder. *version* names what made the rows: those of another version are none."""

    def __init__(self, folder: Path, version: str) -> None:
        """Use *folder*, which need not be there yet, and is the cache's alone."""
        self.folder, self.version = folder, version
        self.warning = ""
        """Why a cache that was there could not be used, in one line."""

    def read(self) -> dict[str, FileHeader]:
        """Return by hash the headers, as their files lay then. What can't be used is removed, and `warning` says so."""
        others = [path for path in self.folder.glob("*") if path.is_file() and path not in self._parts()]
        if any(path.suffix == PART for path in others):
            self.warning = f"the cache in {self.folder} is of another version: made anew"
        try:
            kept = self._headers()
        except (duckdb.Error, msgspec.MsgspecError, TypeError, ValueError) as error:
            self.warning = f"the cache in {self.folder} can't be read ({type(error).__name__}): made anew"
            kept, others = {}, [*others, *self._parts()]
        try:
            for path in others:
                path.unlink(missing_ok=True)
        except OSError as error:
            self.warning = f"nothing can be removed from {self.folder}: {error.strerror}"
        return kept

    def add(self, lines: Sequence[bytes]) -> dict[str, FileHeader]:
        """Keep entries, each as JSON; return their headers. What can't be done of that, `warning` says."""
        try:
            self._add(lines)
        except (duckdb.Error, OSError) as error:
            self.warning = f"nothing can be kept in {self.folder} ({type(error).__name__}): the next time takes as long"
        else:
            self._put_together()
        shared: dict[str, frozenset[Measured]] = {}
        entries = map(_ENTRY.decode, lines)
        return {each.sha256: _header(each.header, each.measured, shared) for each in entries}

    def _add(self, lines: Sequence[bytes]) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory() as folder:
            text = Path(folder, "entries.ndjson")
            # a last line without its end, over the bounds of what DuckDB reads at once, is an error to it
            text.write_bytes(b"".join(line + b"\n" for line in lines))
            self._write(f"read_json({_quoted(text)}, format='newline_delimited', columns={COLUMNS})")

    def _put_together(self) -> None:
        """Make one part of the small ones where there are many: each takes time to read. All is kept without it too."""
        try:
            small = self._small_parts()
            if len(small) > MOST_SMALL_PARTS:
                self._write(_table(small))
                for path in small:
                    path.unlink()
        except (duckdb.Error, OSError) as error:
            self.warning = f"the parts of {self.folder} can't be put together ({type(error).__name__}): all is kept"

    def series(self, files: Iterable[str]) -> dict[str, list[SeriesMedian]]:
        """Return what is kept of the series of *files*, by hash; nothing where it can't be read, as `warning` says."""
        parts, wanted = self._parts(), [*files]
        if not parts or not wanted:
            return {}
        query = f"SELECT sha256, series FROM {_table(parts)} WHERE sha256 IN (SELECT unnest(?))"  # noqa: S608 - our own names
        try:
            with _database() as database:
                rows = database.execute(query, [wanted]).fetchall()
            return {sha256: _SERIES.decode(series) for sha256, series in rows}
        except (duckdb.Error, msgspec.MsgspecError) as error:
            self.warning = f"the medians in {self.folder} can't be read ({type(error).__name__}): remove it"
            return {}

    def _headers(self) -> dict[str, FileHeader]:
        parts = self._parts()
        if not parts:
            return {}
        with _database() as database:
            rows = database.sql(f"SELECT sha256, header, measured FROM {_table(parts)}").fetchall()  # noqa: S608 - our own names
        shared: dict[str, frozenset[Measured]] = {}
        return {sha256: _header(header, measured, shared) for sha256, header, measured in rows}

    def _write(self, rows: str) -> None:
        """Write *rows* as one more part. It gets its name when it is whole."""
        number = max((int(path.stem.rpartition("-")[2]) for path in self._parts()), default=0) + 1
        part = self.folder / f"{self.version}-{number}{PART}"
        making = part.with_suffix(".making")
        with _database() as database:
            database.sql(f"COPY (SELECT * FROM {rows}) TO {_quoted(making)} (FORMAT parquet, COMPRESSION zstd)")  # noqa: S608 - our own names
        making.replace(part)

    def _small_parts(self) -> list[Path]:
        with _database() as database:
            parts = f"parquet_file_metadata([{', '.join(map(_quoted, self._parts()))}])"
            rows = database.sql(f"SELECT file_name FROM {parts} WHERE num_rows < {SMALL_PART_FILES}").fetchall()  # noqa: S608 - our own names
        return sorted(Path(name) for (name,) in rows)

    def _parts(self) -> list[Path]:
        return sorted(self.folder.glob(f"{self.version}-*{PART}"))


def _database() -> duckdb.DuckDBPyConnection:
    return duckdb.connect(config={"memory_limit": MEMORY})


def _table(parts: Sequence[Path]) -> str:
    return f"read_parquet([{', '.join(map(_quoted, parts))}])"


def _quoted(path: Path) -> str:
    text = str(path).replace("'", "''")
    return f"'{text}'"
