"""Shows a record of `try` in a terminal: what an item costs, a table of models, which to take, and what did not run."""

import math
import textwrap
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import click
from rich.console import Console

from generate.data import own_prediction, own_results
from generate.data.between_runs import BetweenRuns
from generate.data.between_runs import read as read_between_runs
from generate.data.estimates import AS_FAST
from generate.data.gate import check_records
from generate.data.own_prediction import Predicted
from generate.data.own_results import TIMED, OwnResult, Timing
from generate.data.read import load
from generate.data.selection import pool_results
from generate.data.work_map import MAIN_KIND, SCENARIO, Point, WorkMap, work_map
from generate.layout import print_lines, print_table
from generate.options import FOLDER
from generate.words import numbers, patterns
from generate.words.builds import format_build
from generate.words.log_lines import ending_on_errors, log_line
from generate.words.names import describe_status, list_names
from generate.words.numbers import count_noun, format_value
from generate.words.units import DURATION
from runners.harness.builds.host import why_busy
from runners.harness.catalogue import scenarios as catalogue
from runners.harness.catalogue.scenarios import ROOT, Scenario
from runners.harness.own.record import OwnBuild, OwnSeries
from runners.harness.record.build_names import build_name

Table = tuple[list[str], list[list[str]]]
"""Heads and rows. The first head is the build, the first cell of a row its model."""
WIDTH = 80
MOST_NOISE = 0.3
"""If the loop differs from itself by more, times are uncertain."""
KEEPS_UP = 0.95
"""A service keeps up with a rate if it answers as large a share of it, and all requests."""
SHARED = 0.1
"""With a smaller share of computing that holds the GIL, threads share it."""
WAIT_WEIGHT = 2
"""On the map, work that only waits is as far from work that only computes as from a hundred times as much."""
MAP_PROFILE, HEAD_BYTES = b'"profile":"map"', 3_000
"""Marks the files of maps, near their start."""


def build_names(result: OwnResult) -> list[str]:
    return [log_line(format_build(build_name(each.build))) for each in result.record.builds]


def name_model(series: OwnSeries | Predicted) -> str:
    """Name a model with its size: "2 processes (spawn)"."""
    size = series.rate_per_s if isinstance(series, OwnSeries) and series.model == "service" else series.workers
    if size is None and series.model != "loop":
        return series.model.replace("_", " ")
    return patterns.OWN_MODELS[series.model].format(f"{size or 0:,.0f}")


def name_on_build(result: OwnResult, series: OwnSeries | Predicted) -> str:
    """Name a model, with its build if there are several."""
    names, model = build_names(result), name_model(series)
    return patterns.OWN_MODEL_ON.format(model=model, build=names[series.build]) if len(names) > 1 else model


def describe_work(result: OwnResult) -> list[str]:
    """Describe the work, and what one item costs on each build."""
    record, names = result.record, build_names(result)
    facts = [] if record.work.kind == "service" else [count_noun(record.work.items_count, "item")]
    facts += [count_noun(record.machine.usable_cores, "core"), list_names(names)]
    facts += [count_noun(record.rounds, "round")] if record.rounds else []
    if result.noise is not None:
        facts.append(patterns.OWN_NOISE.format(numbers.format_per_cent(result.noise)))
    costs = zip(names, map(_describe_item, record.builds), strict=True)
    lines = [f"{name}: {words}" if len(names) > 1 else words for name, words in costs if words]
    return [f"{record.work.function}: {', '.join(facts)}", *lines, *record.notes]


def _describe_item(build: OwnBuild) -> str:
    if (item := build.item) is None:
        return build.reason or ""
    compute, wait, blocks, pickling, *starts = (
        format_value(ns, "ns", 2)
        for ns in (item.compute_ns, item.wait_ns, item.blocking_ns, item.pickle_ns, *build.starts_ns)
    )
    argument, answer = (format_value(size, "bytes") for size in (item.argument_bytes, item.answer_bytes))
    can_pickle = item.pickle_ns is not None
    sentences = [
        patterns.OWN_ITEM.format(compute=compute, wait=wait),
        _describe_gil(item.gil_share),
        patterns.OWN_BLOCKS.format(blocks) if item.blocking_ns else "",
        patterns.OWN_PICKLES.format(argument, answer, pickling) if can_pickle else patterns.OWN_DOES_NOT_PICKLE,
        patterns.OWN_STARTS.format(starts[0], starts[-1]) if starts else "",
    ]
    return " ".join(filter(None, sentences))


def _describe_gil(share: float | None) -> str:
    if share is None:
        return ""
    return patterns.OWN_FREE if share < SHARED else patterns.OWN_HOLDS_GIL.format(numbers.format_share(share))


def tables(result: OwnResult) -> Iterator[Table]:
    """Yield the tables of each build: measured models, rates of a service, or predictions."""
    predicted = [] if result.record.rounds else own_prediction.predict(result.record)
    for place, build in enumerate(build_names(result)):
        timed = [_cells(result, each) for each in result.timings if each.series.build == place]
        own = [each for each in result.record.series if each.build == place and each.status in TIMED]
        rates = [_service_cells(each) for each in own if each.model == "service"]
        here = [each for each in predicted if each.build == place]
        models = sorted(filter(None, map(own_prediction.advise, _by_model(here))), key=lambda each: each.time_ns)
        times = [[name_model(each), format_value(each.time_ns, "ns", 2)] for each in models]
        for heads, rows in zip(patterns.OWN_HEADS, (timed, rates, times), strict=True):
            if rows:
                yield [build, *heads], rows


def _by_model(predicted: Iterable[Predicted]) -> Iterator[list[Predicted]]:
    groups: dict[str, list[Predicted]] = {}
    for each in predicted:
        groups.setdefault(each.model, []).append(each)
    yield from groups.values()


def _cells(result: OwnResult, timing: Timing) -> list[str]:
    """Return a model's name, time, speed, its range, processor time, memory, and a mark if it is among the best."""
    mark = patterns.OWN_MARKS[result.standing(timing)]
    speed, between = _describe_speed(result, timing)
    time = numbers.format_estimate(timing.time, "ns")
    return [name_model(timing.series), time, speed, between, *_costs(timing), mark]


def _describe_speed(result: OwnResult, timing: Timing) -> tuple[str, str]:
    """Return how many times as fast as the loop a model is, and its range."""
    ratio = result.against_loop(timing)
    if ratio is None or timing.series.model == "loop":
        return "1" if ratio else "", ""
    if ratio.value > AS_FAST:
        return patterns.OWN_SLOWER, ""
    speed, _, between = numbers.format_ratio_with_range(ratio.inverse).partition(" (")
    is_same = not ratio.differs and ratio.value >= 1 / AS_FAST
    return patterns.OWN_SAME if is_same else speed, between.removesuffix(")")


def _costs(timing: Timing) -> tuple[str, str]:
    cpu_ns, peak_bytes = (own_results.middle(timing.series, name) for name in ("cpu_ns", "peak_bytes"))
    return format_value(cpu_ns, "ns"), format_value(peak_bytes, "bytes")


def _service_cells(series: OwnSeries) -> list[str]:
    columns = {"latency_median_us": "us", "latency_p99_us": "us", "failed_count": "count"}
    texts = [format_value(own_results.middle(series, name), unit) for name, unit in columns.items()]
    return [name_model(series), numbers.abbreviate_rate(format_value(_answered_per_s(series), "per_s")), *texts]


def _answered_per_s(series: OwnSeries) -> float:
    completed, elapsed_ns = (own_results.middle(series, name) for name in ("completed_count", "elapsed_ns"))
    return (completed or 0) / elapsed_ns * 1e9 if elapsed_ns else 0.0


def advised(result: OwnResult) -> OwnSeries | Predicted | None:
    """Return the model to take, by arithmetic if the record is only explained; None for a service."""
    if result.timings:
        return result.advice.series
    return None if result.record.rounds else own_prediction.advise(own_prediction.predict(result.record))


def advise(result: OwnResult) -> list[str]:
    """Return which model to take, what it costs, and why that may not be certain."""
    advice = advised(result)
    if isinstance(advice, Predicted):
        model, time = name_on_build(result, advice), format_value(advice.time_ns, "ns", 2)
        busy = why_busy(result.record.machine)
        return [
            patterns.OWN_PREDICTED.format(model=model, time=time),
            *([patterns.OWN_UNCERTAIN.format(busy)] * bool(busy)),
        ]
    if advice is None:
        return _describe_services(result) or [
            patterns.OWN_NOTHING if result.record.work.kind != "service" else patterns.OWN_OVERLOADED
        ]
    model, ratio = name_on_build(result, advice), result.against_loop(result.advice)
    take = patterns.OWN_TAKE_FASTEST
    if ratio and advice.model != "loop":
        take = patterns.OWN_TAKE if ratio.differs else patterns.OWN_UNDECIDED
    sentences = [
        take.format(model=model, ratio=numbers.describe(ratio, DURATION)),
        _describe_cost(result, result.advice),
    ]
    return [*sentences, *([patterns.OWN_UNCERTAIN.format(reason)] if (reason := _why_uncertain(result)) else [])]


def _why_uncertain(result: OwnResult) -> str:
    is_noisy = result.noise is not None and result.noise > MOST_NOISE
    noise = patterns.OWN_NOISY.format(numbers.format_per_cent(result.noise or 0)) if is_noisy else ""
    return why_busy(result.record.machine) or noise


def _describe_services(result: OwnResult) -> list[str]:
    """Name the highest rate that a service keeps up with, on each build."""
    best: dict[int, str] = {}
    for each in sorted(result.record.series, key=lambda each: each.rate_per_s or 0):
        is_kept = _answered_per_s(each) >= KEEPS_UP * (each.rate_per_s or 0)
        if each.model == "service" and is_kept and own_results.middle(each, "failed_count") == 0:
            late = format_value(own_results.middle(each, "latency_p99_us"), "us", 2)
            best[each.build] = patterns.OWN_SERVICE.format(name_on_build(result, each), late)
    return [*best.values()]


def _describe_cost(result: OwnResult, advice: Timing) -> str:
    (cpu, memory), (loop_cpu, loop_memory) = map(_costs, (advice, result.loop(advice.series.build) or advice))
    pattern = patterns.OWN_LOOP_COST if advice.series.model == "loop" else patterns.OWN_COST
    cost = pattern.format(cpu=cpu, memory=memory, loop_cpu=loop_cpu, loop_memory=loop_memory)
    start_ns, time = own_results.middle(advice.series, "start_ns"), numbers.format_estimate(advice.time, "ns")
    return (
        f"{cost} {patterns.OWN_START.format(format_value(start_ns, 'ns', 2), time)}"
        if start_ns and start_ns < advice.time.value
        else cost
    )


def list_failures(result: OwnResult) -> list[str]:
    """Return what has no time or wrong answers, by reason: "2 interpreters did not run: …"."""
    by_reason: dict[tuple[str, str], list[str]] = {}
    for each in result.record.series:
        if each.role == "subject" and each.status != "ok":
            wrong = patterns.OWN_WRONG.format(each.wrong_count, each.compared_count)
            name = name_on_build(result, each) + wrong * (each.status == "wrong_answers")
            kind = patterns.OWN_FAILURES.get(each.status, patterns.OWN_NOT_RUN)
            by_reason.setdefault((kind, each.reason or describe_status(each.status)), []).append(name)
    return [kind.format(models=list_names(names), reason=reason) for (kind, reason), names in by_reason.items()]


def published_map(between: BetweenRuns, scenario: Scenario, *, gil: bool) -> WorkMap | None:
    """Return the newest Python's published map with or without the GIL; None if no results are at hand."""
    files = (ROOT / "results").glob("[0-9]*/*/*.json")
    paths = [path for path in files if MAP_PROFILE in _head(path)]
    records = check_records(load(*paths).files, {SCENARIO: scenario}) if paths else []
    builds = [each for each in pool_results(scenario, records, between).values() if not each.record.build.variant]
    alike = [each for each in builds if each.record.build.gil_at_start is gil]
    return work_map(max(alike, key=lambda each: each.order)) if alike else None


def _head(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(HEAD_BYTES)


def describe_place(result: OwnResult, scenario: Scenario, find_map: Callable[[bool], WorkMap | None]) -> list[str]:
    """Name the published map's measured work that is nearest to the first build's, and the fastest models there."""
    build = next((each for each in result.record.builds if each.item), None)
    item, drawn = (build.item, find_map(build.build.gil_at_start)) if build else (None, None)
    known = [each for each in drawn.points if each.point.kind == MAIN_KIND and each.best] if drawn else []
    if not (item and known):
        return []
    own = Point(MAIN_KIND, result.record.work.items_count or 1, item.compute_ns // 1000, item.wait_ns // 1000)
    at = min(known, key=lambda each: _distance(each.point, own))
    compute_ms, wait_ms = at.point.compute_us / 1000, at.point.wait_us / 1000
    names = list_names([scenario.runners[name].label for name in at.best])
    return [patterns.OWN_NEAREST.format(count_noun(at.point.tasks, "task"), compute_ms, wait_ms, names)]


def _distance(first: Point, second: Point) -> float:
    """Compare all the work, the share of it that waits, and the number of tasks: factors of ten count alike."""
    times = [max(point.compute_us + point.wait_us, 1) for point in (first, second)]
    tasks, time = (math.log10(a / b) for a, b in ((first.tasks, second.tasks), times))
    return abs(tasks + time) + WAIT_WEIGHT * abs(first.wait_us / times[0] - second.wait_us / times[1]) + abs(tasks) / 2


def show(result: OwnResult, places: Iterable[str], screen: Console) -> None:
    """Print everything, at most 80 columns wide."""
    _print(screen, describe_work(result))
    screen.print()
    for heads, rows in tables(result):
        print_table(screen, heads, rows, heads[1:6], gap=1)
        screen.print()
    _print(screen, [*list_failures(result), *places])
    screen.print()
    _print(screen, advise(result))


def _print(screen: Console, paragraphs: Iterable[str]) -> None:
    for text in paragraphs:
        print_lines(screen, textwrap.wrap(text, WIDTH, subsequent_indent="  ", break_on_hyphens=False))


@click.command("own")
@click.argument("file", type=FOLDER)
def command(file: Path) -> None:
    """Print what `try` measured: a table of models, which to take, and what did not run. FILE is its own.json."""
    with ending_on_errors():
        between, scenario = read_between_runs(ROOT / "docs"), catalogue.find()[SCENARIO]
        result = own_results.read(file, between)
        places = describe_place(result, scenario, lambda gil: published_map(between, scenario, gil=gil))
        show(result, places, Console(highlight=False, width=WIDTH))
