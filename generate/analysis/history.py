"""All result files there ever were, by header: each is parsed once in its life, and decoded again if it is current."""

from __future__ import annotations

import contextlib
import hashlib
import os
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from itertools import islice
from multiprocessing import get_context
from typing import TYPE_CHECKING

from generate.analysis.conditions import with_conditions
from generate.analysis.gated import apply_gate
from generate.analysis.medians import begin, entry, entry_by_catalogue, medians
from generate.results.cache import Cache
from generate.results.load import find_files, read_again
from generate.results.model import Listing, Problem, ResultFile
from generate.results.reference import references, twins, with_references, with_twins
from runners.harness.catalogue.scenarios import ROOT
from runners.harness.record import cells_file

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from generate.results.load import FoundFile
    from generate.results.model import FileHeader, SeriesMedian
    from runners.harness.catalogue.scenarios import Scenario

CACHE = "cache/history"
"""Where what was parsed is kept, below the folder that is written to."""
FEWEST_FOR_PROCESSES = 50
"""Files to parse below which processes would take longer to begin than they save."""
MOST_PROCESSES = 4
AT_ONCE = 20
IN_A_PART = 500
SOURCES = (
    "generate/analysis",
    "generate/results",
    "generate/statistics",
    "generate/text",
    "runners/harness/record",
    "runners/harness/catalogue",
    "runners/harness/http_load",
    "runners/harness/builds/host.py",
    *(f"runners/harness/{module}.py" for module in ("contract", "errors", "output", "programs")),
)
"""Folders and files of the code that decides what is kept."""


def list_files(folder: Path, cache: Cache, scenarios: Mapping[str, Scenario], *, is_catalogue: bool) -> Listing:
    """Return all that *folder* has; what *cache* does not know is parsed, and kept there. Raises nothing for a file.

    Many files are parsed in several processes, where the *scenarios* are the catalogue's: those can find them.
    """
    files, problems = find_files([folder])
    kept = cache.read()
    entries = _entries([file for file in files if file.sha256 not in kept], scenarios, is_catalogue=is_catalogue)
    while part := list(islice(entries, IN_A_PART)):
        problems += [parsed for parsed in part if isinstance(parsed, Problem)]
        if lines := [parsed for parsed in part if isinstance(parsed, bytes)]:
            kept |= cache.add(lines)
    cells = cells_file.read(folder)
    problems += [Problem(path, "", reason, "remove the file") for path, reason in cells.faults]
    headers = with_conditions(file.header(kept[file.sha256]) for file in files if file.sha256 in kept)
    return Listing(headers, sorted(problems, key=lambda problem: (problem.path, problem.field)), cells.runs)


def decode(folder: Path, wanted: Sequence[FileHeader], files: Iterable[FileHeader]) -> list[ResultFile]:
    """Decode the files *wanted*, each with the reference build's series and its twin, which other *files* may hold.

    Raises UserError for a file that was changed meanwhile.
    """
    known = [*files]
    beside, alike = references(wanted, known), twins(wanted, known)
    needed = {header.path: header for header in (*wanted, *beside.values(), *alike.values())}
    decoded = {path: _decoded(folder, header) for path, header in needed.items()}
    others, same = ({path: decoded[header.path] for path, header in found.items()} for found in (beside, alike))
    return with_twins(with_references((decoded[header.path] for header in wanted), others), same)


def medians_of(
    folder: Path, cache: Cache, files: Iterable[FileHeader], scenarios: Mapping[str, Scenario]
) -> dict[str, Sequence[SeriesMedian]]:
    """Return the medians and intervals of *files* by hash; those that *cache* does not have, from the file again.

    Raises UserError for a file that was changed meanwhile.
    """
    of_files = {file.sha256: file for file in files}
    known: dict[str, Sequence[SeriesMedian]] = {**cache.series(of_files)}
    for sha256 in of_files.keys() - known.keys():
        (record,) = apply_gate([_decoded(folder, of_files[sha256])], scenarios)
        known[sha256] = medians(record)
    return known


def _decoded(folder: Path, file: FileHeader) -> ResultFile:
    return ResultFile.of(file, read_again(folder, file))


def cache_of(out: Path, scenarios: Mapping[str, Scenario]) -> Cache:
    """Return the cache below *out*, of this code and these scenarios."""
    digest = hashlib.sha256()
    for path in sorted(path for name in SOURCES for path in _modules(ROOT / name)):
        digest.update(path.read_bytes())
    for scenario in scenarios.values():
        digest.update(f"{scenario.scenario_sha256} {scenario.words_sha256}".encode())
        for runner in scenario.runners.values():
            digest.update(f"{runner.name} {runner.source_sha256}".encode())
    return Cache(out / CACHE, digest.hexdigest()[:16])


def _modules(source: Path) -> Iterable[Path]:
    return [source] if source.is_file() else source.rglob("*.py")


def _entries(
    unknown: Sequence[FoundFile], scenarios: Mapping[str, Scenario], *, is_catalogue: bool
) -> Iterator[bytes | Problem]:
    """Parse files, in order; in several processes where that pays, and in this one where those can't be had."""
    done = 0
    if is_catalogue and (os.cpu_count() or 1) > 1 and len(unknown) >= FEWEST_FOR_PROCESSES:
        with contextlib.suppress(BrokenProcessPool, OSError):
            for parsed in _by_processes(unknown):
                yield parsed
                done += 1
    yield from (entry(file, scenarios) for file in unknown[done:])


def _by_processes(unknown: Sequence[FoundFile]) -> Iterator[bytes | Problem]:
    processes = min(os.cpu_count() or 1, MOST_PROCESSES)
    with ProcessPoolExecutor(processes, mp_context=get_context("spawn"), initializer=begin) as pool:
        yield from pool.map(entry_by_catalogue, unknown, chunksize=AT_ONCE)
