"""What a machine is called, and under which conditions its runs were measured: the usual processor, calm hours? Pure.

Hosts under one name may have several processors, on which times differ by more than builds do; and one host has calm
and noisy hours. Both decide which of several runs is current, never what was compared in them.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import replace
from statistics import median
from typing import TYPE_CHECKING

from generate.analysis.selection import Cell
from generate.results.reference import gil_twin
from generate.text.machine_names import is_virtual, machine_words
from generate.text.names import plain

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from generate.analysis.selection import Host
    from generate.results.model import FileHeader
    from runners.harness.record.model import Build

    Job = tuple[str, Host, str]
    """What was measured in one go: the run's id, the machine and its processor."""
    Python = tuple[Job, Build]
    """Which Python was measured in which job, with or without the GIL."""
    Noise = Mapping[tuple[Cell, str], float]
    """How far baselines differ from themselves, as a logarithm, by cell and baseline."""

NEWEST = 20
"""So many of the newest files of full runs say what is usual: where hosts are replaced, that soon changes."""
LOUDER = 2.0
"""So many times the noise of a calmer run is loud: the same range would take four times as many rounds."""
QUIET = 0.02
"""Of a baseline whose noise is less in both of two runs, neither is loud: timers decide it, or both hours were calm."""
FEWEST_CONTROLS = 5
"""With fewer a single scenario would stand for the hour."""


def with_conditions(files: Iterable[FileHeader]) -> list[FileHeader]:
    """Mark which of *files* are of the usual processor, which of loud hours, and which of a pair with and without GIL.

    Each gets the name of its machine.

    The usual processor is that of most of the newest full runs under the machine's name. Loud hours are known from the
    controls alone, beside those of the same baselines, builds and processor in the newest other full runs.
    """
    every = [*files]
    full = [file for file in every if not file.run.is_quick]
    newest_first = sorted(full, key=lambda file: file.run.started, reverse=True)
    by_host: dict[Host, list[FileHeader]] = defaultdict(list)
    for file in newest_first:
        by_host[Cell.of(file).host].append(file)
    usual = {
        host: Counter(file.machine.cpu for file in of_host[:NEWEST]).most_common(1)[0][0]
        for host, of_host in by_host.items()
    }
    loud = _loud_jobs(newest_first)
    paired = _pythons(full, free_threaded=False) & _pythons(full, free_threaded=True)
    names = _machine_names(every)
    return [
        replace(
            file,
            machine_name=names[_machine_of(file)],
            is_usual_processor=usual.get(Cell.of(file).host, file.machine.cpu) == file.machine.cpu,
            is_loud=_job_of(file) in loud,
            is_paired=_python_of(file) in paired,
        )
        for file in every
    ]


def _machine_names(files: Sequence[FileHeader]) -> dict[tuple[Host, str, int], str]:
    """Name each machine, once for each processor it has had; with the label where others would have the same name."""
    machines = {_machine_of(file): file.machine for file in files}
    virtual = {_machine_of(file) for file in files if is_virtual(file.machine)}
    words = {key: machine_words(machine, virtual=key in virtual) for key, machine in machines.items()}
    labels: dict[str, set[str]] = defaultdict(set)
    for (host, *_), name in words.items():
        labels[name].add(host.machine)
    return {key: name if len(labels[name]) == 1 else f"{name}, {plain(key[0].machine)}" for key, name in words.items()}


def _machine_of(file: FileHeader) -> tuple[Host, str, int]:
    """Return what a machine's name is of. A run may find another processor under the same label."""
    return Cell.of(file).host, file.machine.cpu, file.machine.usable_cores


def shown_noise(file: FileHeader) -> float | None:
    """Return how far its baselines differ from themselves in the middle: those that show noise, or None."""
    shown = [apart for apart in file.noise.values() if apart >= QUIET]
    return median(shown) if shown else None


def _pythons(files: Iterable[FileHeader], *, free_threaded: bool) -> set[Python]:
    return {_python_of(file) for file in files if file.build.free_threaded is free_threaded}


def _python_of(file: FileHeader) -> Python:
    """Return what builds with and without the GIL share."""
    return _job_of(file), gil_twin(file.build)


def _job_of(file: FileHeader) -> Job:
    return file.run.id, Cell.of(file).host, file.machine.cpu


def _loud_jobs(newest_first: Sequence[FileHeader]) -> set[Job]:
    """Return what was measured in hours that were loud beside any of the newest others of a like cell."""
    noise: dict[Job, dict[tuple[Cell, str], float]] = defaultdict(dict)
    of_cell: dict[tuple[Cell, str], dict[Job, None]] = defaultdict(dict)
    for file in newest_first:
        cell, job = Cell.of(file), _job_of(file)
        noise[job] |= {(cell, baseline): apart for baseline, apart in file.noise.items()}
        of_cell[cell, file.machine.cpu][job] = None
    newest = {place: [*jobs][:NEWEST] for place, jobs in of_cell.items()}
    beside: dict[Job, set[Job]] = defaultdict(set)
    for place, jobs in of_cell.items():
        for job in jobs:
            beside[job].update(newest[place])
    return {job for job, others in beside.items() if any(_is_louder(noise[job], noise[other]) for other in others)}


def _is_louder(own: Noise, other: Noise) -> bool:
    """Say whether of the baselines that both measured the noise was so much greater: of those that show noise."""
    pairs = [(own[place], other[place]) for place in own.keys() & other.keys()]
    shown = [pair for pair in pairs if max(pair) >= QUIET]
    if len(shown) < FEWEST_CONTROLS:
        return False
    return median(ours for ours, _ in shown) >= LOUDER * median(theirs for _, theirs in shown)
