"""Shows a record of `try` in a terminal: what an item costs, a table of models, which to take, and what did not run."""

import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

import click

from generate.data import own_results
from generate.data.between_runs import BetweenRuns
from generate.data.between_runs import read as read_between_runs
from generate.data.gate import check_records
from generate.data.own_results import TIMED, OwnResult, Timing
from generate.data.read import load
from generate.data.selection import pool_results
from generate.data.work_map import MAIN_KIND, SCENARIO, Point, WorkMap, nearest, work_map
from generate.options import FOLDER
from generate.words import patterns
from generate.words.builds import format_build
from generate.words.log_lines import ending_on_errors, log_line
from generate.words.names import list_names
from generate.words.numbers import (
    abbreviate_rate,
    count_noun,
    describe,
    format_estimate,
    format_per_cent,
    format_ratio_with_range,
    format_value,
)
from generate.words.units import DURATION
from runners.harness.builds.host import why_busy
from runners.harness.catalogue import scenarios as catalogue
from runners.harness.catalogue.scenarios import ROOT, Runner, Scenario
from runners.harness.own.record import OwnBuild, OwnSeries
from runners.harness.record.build_names import build_name

WIDTH = 80
MOST_NOISE = 0.3
"""If the loop differs from itself by more, times decide nothing."""
COST = (("cpu_ns", "ns"), ("peak_bytes", "bytes"))
SERVICE = ("latency_median_us", "latency_p99_us", "failed_count")
MAP_PROFILE, HEAD_BYTES = b'"profile":"map"', 3_000
"""Marks the files of maps, near their start."""
KEEPS_UP = 0.95
"""A service keeps up with a rate if it answers as large a share of it, and all requests."""
COLUMNS = (25, 8, 9, 13, 8, 9)


def build_names(result: OwnResult) -> list[str]:
    """Return the builds' names for tables."""
    return [log_line(format_build(build_name(each.build))) for each in result.record.builds]


def name_model(series: OwnSeries) -> str:
    """Name a model with its size: "2 processes (spawn)"."""
    size = series.rate_per_s if series.model == "service" else series.workers
    if size is None and series.model != "loop":
        return series.model.replace("_", " ")
    return patterns.OWN_MODELS[series.model].format(f"{size or 0:,.0f}")


def name_on_build(result: OwnResult, series: OwnSeries) -> str:
    """Name a model, with its build if there are several."""
    names, model = build_names(result), name_model(series)
    return patterns.OWN_MODEL_ON.format(model=model, build=names[series.build]) if len(names) > 1 else model


def describe_work(result: OwnResult) -> list[str]:
    """Describe the work, and what one item costs on each build."""
    work, names = result.record.work, build_names(result)
    items = [] if work.kind == "service" else [count_noun(work.items_count, "item")]
    facts = [*items, count_noun(result.record.machine.usable_cores, "core"), list_names(names)]
    if result.record.rounds:
        facts.append(count_noun(result.record.rounds, "round"))
    if result.noise is not None:
        facts.append(patterns.OWN_NOISE.format(format_per_cent(result.noise)))
    costs = zip(names, map(_describe_item, result.record.builds), strict=True)
    lines = [f"{name}: {words}" if len(names) > 1 else words for name, words in costs if words]
    return [f"{work.function}: {', '.join(facts)}", *lines, *result.record.notes]


def _describe_item(build: OwnBuild) -> str:
    item = build.item
    if item is None:
        return build.reason or ""
    words = patterns.OWN_ITEM.format(compute=format_value(item.compute_ns, "ns"), wait=format_value(item.wait_ns, "ns"))
    if item.argument_bytes is None or item.answer_bytes is None:
        return patterns.OWN_DOES_NOT_PICKLE.format(item=words)
    argument, answer = (format_value(size, "bytes") for size in (item.argument_bytes, item.answer_bytes))
    return patterns.OWN_PICKLES.format(item=words, argument=argument, answer=answer)


def cells(timing: Timing) -> list[str]:
    """Return the cells of a model's row: its name, time, speed against the loop with range, processor time, memory."""
    cpu, memory = (format_value(own_results.middle(timing.series, name), unit) for name, unit in COST)
    return [name_model(timing.series), format_estimate(timing.time, "ns"), *describe_speed(timing), cpu, memory]


def describe_speed(timing: Timing) -> tuple[str, str]:
    """Return how many times as fast as the loop a model is, and the range: "1.9", "1.7 to 2.1"."""
    ratio = timing.against_loop
    if ratio is None or timing.series.model == "loop":
        return "1" if ratio else "", ""
    speed, _, between = format_ratio_with_range(ratio.inverse).partition(" (")
    if own_results.is_tied(ratio.inverse if ratio.value < 1 else ratio):
        speed = patterns.OWN_SAME
    between = between.removesuffix(")")
    return speed, between if len(between) < COLUMNS[3] else ""  # of a model that is a hundred times slower


def table(result: OwnResult) -> Iterator[str]:
    """Yield the lines of the table, the builds one below the other."""
    for number, build in enumerate(build_names(result)):
        every = result.subjects(number)
        timings = [each for each in result.timings if each.series.build == number]
        services = [service_cells(each) for each in every if each.model == "service" and each.status in TIMED]
        yield from [_row([build, *patterns.OWN_HEADS])] if timings else []
        for timing in timings:
            mark = timing.standing if timing.standing in {"best", "as fast"} else ""
            yield f"{_row(cells(timing))} {mark}".rstrip()
        yield from [_row([build, *patterns.OWN_SERVICE_HEADS])] if services else []
        yield from map(_row, services)
        for series in every:
            if series.status == "wrong_answers":
                wrong = patterns.OWN_WRONG.format(wrong=series.wrong_count, compared=series.compared_count)
                yield f"{_row([name_model(series)])} {wrong}"


def service_cells(series: OwnSeries) -> list[str]:
    """Return the cells of a rate's row: name, answers a second, median, 99th percentile and failures."""
    middle, late, failed = (own_results.middle(series, name) for name in SERVICE)
    texts = format_value(answered_per_s(series), "per_s"), *(format_value(us, "us") for us in (middle, late))
    return [name_model(series), *map(abbreviate_rate, texts), format_value(failed, "count")]


def answered_per_s(series: OwnSeries) -> float:
    """Return how many requests a service answered a second."""
    completed, elapsed_ns = (own_results.middle(series, name) for name in ("completed_count", "elapsed_ns"))
    return (completed or 0) / elapsed_ns * 1e9 if elapsed_ns else 0.0


def _row(texts: Sequence[str]) -> str:
    first, *others = texts
    return f"{first:<{COLUMNS[0]}}" + "".join(
        f"{text:>{width}}" for text, width in zip(others, COLUMNS[1:], strict=False)
    )


def advise(result: OwnResult) -> list[str]:
    """Return which model to take, and what it costs; then races, each a sentence or two."""
    text = _advise(result)
    if busy := why_undecided(result):
        fastest = [name_on_build(result, result.fastest.series)] if result.timings else []
        text = [patterns.NOTHING_DECIDED.format(busy), *map(patterns.OWN_IN_THIS_RUN.format, fastest)]
    wrong = [name_on_build(result, each) for each in result.record.series if each.status == "wrong_answers"]
    return [*text, *([patterns.OWN_RACE.format(models=list_names(wrong))] if wrong else [])]


def why_undecided(result: OwnResult) -> str:
    """Return why the times decide nothing; empty if they do."""
    if result.noise is not None and result.noise > MOST_NOISE:
        return patterns.OWN_NOISY.format(format_per_cent(result.noise))
    return why_busy(result.record.machine) if result.record.rounds else ""


def _advise(result: OwnResult) -> list[str]:
    if not result.timings:
        return _describe_services(result)
    advice = result.advice
    model, ratio = name_on_build(result, advice.series), advice.against_loop
    take = patterns.OWN_TAKE if ratio and advice.series.model != "loop" else patterns.OWN_TAKE_FASTEST
    sentences = [take.format(model=model, ratio=describe(ratio, DURATION))]
    for standing, pattern in patterns.OWN_OTHERS.items():
        if names := [name_on_build(result, each.series) for each in result.timings if each.standing == standing]:
            sentences.append(pattern.format(list_names(names)))
    return [" ".join(sentences), _describe_cost(advice)]


def _describe_services(result: OwnResult) -> list[str]:
    """Name the highest rate that a service keeps up with, on each build."""
    best: dict[int, str] = {}
    for each in sorted(result.record.series, key=lambda each: each.rate_per_s or 0):
        is_kept = answered_per_s(each) >= KEEPS_UP * (each.rate_per_s or 0)
        if each.model == "service" and is_kept and own_results.middle(each, "failed_count") == 0:
            late = format_value(own_results.middle(each, "latency_p99_us"), "us", 2)
            best[each.build] = patterns.OWN_SERVICE.format(name_on_build(result, each), late)
    return [*best.values()]


def _describe_cost(advice: Timing) -> str:
    loop = advice.result.loop(advice.series.build) or advice
    (cpu, memory), (loop_cpu, loop_memory) = (
        [format_value(own_results.middle(each.series, name), unit) for name, unit in COST] for each in (advice, loop)
    )
    return patterns.OWN_COST.format(cpu=cpu, memory=memory, loop_cpu=loop_cpu, loop_memory=loop_memory)


def not_run(result: OwnResult) -> list[str]:
    """Return what has no time, by reason: "2 interpreters did not run: …"."""
    by_reason: dict[str, list[str]] = {}
    for each in result.record.series:
        if each.role == "subject" and each.status not in {*TIMED, "wrong_answers"} and each.reason:
            by_reason.setdefault(each.reason, []).append(name_on_build(result, each))
    return [
        patterns.OWN_NOT_RUN.format(models=list_names(models), reason=reason) for reason, models in by_reason.items()
    ]


def published_maps(between: BetweenRuns, scenario: Scenario) -> dict[bool, WorkMap | None]:
    """Return the newest Python's published map with the GIL (True) and without; empty if no results are at hand."""
    files = (ROOT / "results").glob("[0-9]*/*/*.json")
    paths = [path for path in files if MAP_PROFILE in path.read_bytes()[:HEAD_BYTES]]
    records = check_records(load(*paths).files, {SCENARIO: scenario}) if paths else []
    pooled = sorted(pool_results(scenario, records, between).values(), key=lambda each: each.order)
    return {each.record.build.gil_at_start: work_map(each) for each in pooled if not each.record.build.variant}


def describe_places(result: OwnResult, maps: Mapping[bool, WorkMap | None], runners: Mapping[str, Runner]) -> list[str]:
    """Name the published map's nearest measured work, and the fastest models there, with and without the GIL."""
    places: dict[bool, str] = {}
    for build in result.record.builds:
        has_gil, item = build.build.gil_at_start, build.item
        drawn = maps.get(has_gil)
        if drawn and item and has_gil not in places:
            own = Point(MAIN_KIND, result.record.work.items_count, item.compute_ns // 1000, item.wait_ns // 1000)
            alike = [each for each in drawn.points if each.point.kind == MAIN_KIND and each.best]
            for at in nearest(alike, own)[:1]:
                tasks, names = count_noun(at.point.tasks, "task"), [runners[name].label for name in at.best]
                work = patterns.OWN_MAP_WORK.format(tasks, at.point.compute_us / 1000, at.point.wait_us / 1000)
                places[has_gil] = patterns.OWN_NEAREST[has_gil].format(work=work, models=list_names(names))
    return [*places.values()]


def lines(result: OwnResult, places: Iterable[str] = ()) -> Iterator[str]:
    """Yield everything that the command prints, at most 80 columns wide."""
    yield from _wrapped(describe_work(result))
    yield ""
    if rows := [*table(result)]:
        yield from [*rows, ""]
    yield from _wrapped([*(advise(result) or [patterns.OWN_NOTHING]), *places, *not_run(result)])


def _wrapped(paragraphs: Iterable[str]) -> Iterator[str]:
    for text in paragraphs:
        yield from textwrap.wrap(log_line(text), WIDTH, subsequent_indent="  ", break_on_hyphens=False)


@click.command("own")
@click.argument("file", type=FOLDER)
def command(file: Path) -> None:
    """Print what `try` measured: a table of models, which to take, and what did not run. FILE is its own.json."""
    with ending_on_errors():
        between, scenario = read_between_runs(ROOT / "docs"), catalogue.find()[SCENARIO]
        result = own_results.read(file, between)
        places = describe_places(result, published_maps(between, scenario), scenario.runners)
        click.echo("\n".join(lines(result, places)))
