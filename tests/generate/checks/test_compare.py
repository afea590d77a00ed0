"""Which two files can be compared, by which way, with which bounds, and where one's values lie beside the other's."""

from __future__ import annotations

import io
import re
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np
import pytest
from click.testing import CliRunner
from factory import REFERENCE, Plan, altered, build, make, some_scenarios
from map_factory import map_record
from rich.console import Console

from generate.__main__ import main
from generate.checks.compare import REMEDY, Placement, _quotient, compare, heading, lines, read, show
from generate.checks.pair import measured_together, no_common_reference
from generate.statistics.intervals import Comparison, comparison
from generate.statistics.intervals import compare as by_round
from runners.harness.catalogue.scenarios import find
from runners.harness.errors import UserError
from runners.harness.record.build_names import build_name
from runners.harness.record.codec import encode
from runners.harness.record.model import Package

if TYPE_CHECKING:
    from pathlib import Path

    from generate.checks.compare import Row
    from runners.harness.record.model import Record, Series

SCENARIOS = {"primes": some_scenarios()["primes"]}
NEW = build("3.14.0")
CASE = "published"


def record(**plan: Any) -> Record:  # noqa: ANN401 - of a Plan
    return make(SCENARIOS, Plan(**plan))


def row(a: Record, b: Record, runner: str = "thread_pool") -> Row:
    (found,) = (one for one in compare(a, b, SCENARIOS) if one.key[1:3] == (CASE, runner))
    return found


def values(one: Record, runner: str = "thread_pool", role: str = "subject") -> dict[int, Any]:
    series = next(s for s in one.series if (s.case, s.runner, s.role) == (CASE, runner, role))
    return dict(zip(series.samples.round, series.samples.values["elapsed_ns"], strict=True))


def compared(a: Record, b: Record) -> Comparison:
    found = row(a, b).comparison
    assert isinstance(found, Comparison)
    return found


def to_reference(one: Record) -> Comparison:
    found = by_round(values(one), values(one, role="reference"))
    assert found is not None
    return found


def test_two_files_of_one_run_are_paired_by_round_and_the_second_is_over_the_first() -> None:
    a, b = record(build=build()), record(build=NEW, speed={"thread_pool": 0.5})
    found = row(a, b)
    assert found.comparison == by_round(values(b), values(a))
    assert found.words.startswith("2.01 times as fast (")
    assert not found.through_reference
    assert row(b, a).words.startswith("takes 2.01 times as long (")


@pytest.mark.parametrize(
    ("a", "b", "together"),
    [
        ({"build": REFERENCE}, {}, True),
        ({"seed": 1}, {"seed": 2}, False),
        ({}, {"machine": "another"}, False),
        ({}, {"run_id": "another"}, False),
    ],
    ids=["the reference build's own file", "jobs that share an id, not the reference's samples", "a host", "a run"],
)
def test_files_of_one_run_on_one_host_alone_were_measured_together(
    a: dict[str, Any], b: dict[str, Any], *, together: bool
) -> None:
    first, second = record(**a), record(build=NEW, **b)
    assert measured_together(first, second) is together
    assert row(first, second).through_reference is not together


def test_different_machines_are_compared_through_the_reference_of_each_so_a_slow_host_makes_no_difference() -> None:
    a = record(run_id="one", machine="fast")
    b = record(run_id="two", machine="slow", slowness=3.0, build=NEW, speed={"thread_pool": 0.5})
    found = compared(a, b)
    to_a, to_b = to_reference(a), to_reference(b)
    assert row(a, b).through_reference
    assert found.ratio == to_b.ratio / to_a.ratio == pytest.approx(0.5, rel=0.1)
    assert (found.low, found.high) == (to_b.low / to_a.high, to_b.high / to_a.low)
    assert found.coverage == pytest.approx(to_a.coverage + to_b.coverage - 1)
    assert found.decided
    assert values(b)[1] > values(a)[1]


def test_the_reference_build_itself_is_compared_across_runs_as_one_exactly() -> None:
    a = record(run_id="one", build=REFERENCE)
    b = record(run_id="two", build=NEW, speed={"thread_pool": 2.0})
    found, to_b = compared(a, b), to_reference(b)
    assert (found.ratio, found.low, found.high) == (to_b.ratio, to_b.low, to_b.high)
    assert found.coverage == pytest.approx(to_b.coverage)


def test_the_bounds_through_the_reference_hold_the_truth_more_often_than_is_printed() -> None:
    source = np.random.default_rng(7)
    held = 0
    for _ in range(2_000):
        a, b = (comparison(source.lognormal(0, 0.05, size=12).tolist()) for _ in range(2))
        assert a is not None
        assert b is not None
        found = _quotient(a, b)
        assert found is not None
        assert found.coverage == pytest.approx(0.923, abs=0.001)
        held += found.low <= 1 <= found.high
    assert held / 2_000 > 0.98


def is_thread_pool(role: str = "subject") -> Any:  # noqa: ANN401 - a function for `altered`
    def where(series: Series) -> bool:
        return (series.case, series.runner, series.role) == (CASE, "thread_pool", role)

    return where


def without(one: Record, role: str) -> Record:
    kept = [series for series in one.series if not is_thread_pool(role)(series)]
    return msgspec.structs.replace(one, series=kept)


def refused(series: dict[str, Any]) -> None:
    series["samples"]["values"]["cpu_us"] = [10**10] * 12


OTHER_RUN = {"run_id": "two", "build": NEW}


@pytest.mark.parametrize(
    ("a", "b", "why"),
    [
        (record(), without(record(build=NEW), "subject"), "the second file has no such series"),
        (without(record(), "subject"), record(build=NEW), "the first file has no such series"),
        (without(record(), "reference"), record(**OTHER_RUN), "the first file has no such series of the reference"),
        (record(), without(record(**OTHER_RUN), "reference"), "the second file has no such series of the reference"),
        (
            record(),
            record(**OTHER_RUN, reference=build("3.11.2")),
            "different reference builds: CPython 3.12.8 (Clang 20) and CPython 3.11.2 (Clang 20)",
        ),
        (
            record(),
            record(**OTHER_RUN, reference=msgspec.structs.replace(REFERENCE, variant=("aiohttp 3.13.5",))),
            "different reference builds: CPython 3.12.8 (Clang 20) and CPython 3.12.8 + aiohttp 3.13.5 (Clang 20)",
        ),
        (
            record(build=REFERENCE),
            record(build=REFERENCE, run_id="two"),
            "both are the reference build, of different runs: nothing was measured beside both",
        ),
        (
            record(),
            altered(record(build=NEW), is_thread_pool(), lambda series: series.update(source_sha256="0" * 64)),
            "the runner's code differs",
        ),
        (record(), msgspec.structs.replace(record(build=NEW), scenario_sha256={}), "the scenario's code differs"),
        (
            record(status={"thread_pool": "timed_out"}),
            record(build=NEW),
            "first file: ran out of time: fixture: timed_out",
        ),
        (
            record(),
            altered(record(build=NEW), is_thread_pool(), refused),
            "second file: refused by the sanity gate: round 1: 1e+04 s of processor time",
        ),
        (
            record(),
            altered(record(**OTHER_RUN), is_thread_pool("reference"), refused),
            "second file, reference build: refused by the sanity gate",
        ),
    ],
)
def test_what_is_not_comparable_says_why(a: Record, b: Record, why: str) -> None:
    found = row(a, b)
    assert found.words == "not comparable"
    assert str(found.comparison).startswith(why)


MAP = find()["crossover"]


def fitted(turns: int | None, run_id: str = "one") -> Record:
    one = map_record(of=NEW)
    found = {} if turns is None else {"turns_per_ms": turns}
    return msgspec.structs.replace(one, run=msgspec.structs.replace(one.run, id=run_id, calibration=found))


@pytest.mark.parametrize(
    ("turns", "differing"),
    [
        (15_000, ""),
        (15_150, ""),
        (15_151, "turns per ms 15,000 and 15,151"),
        (14_000, "turns per ms 15,000 and 14,000"),
        (None, "turns per ms 15,000 and none"),
    ],
)
def test_maps_of_two_runs_are_compared_where_their_tasks_computed_the_same_within_1_per_cent(
    turns: int | None, differing: str
) -> None:
    rows = compare(fitted(15_000), fitted(turns, "two"), {"crossover": MAP})
    of_threads = [found for found in rows if found.key.runner == "threads"]
    assert of_threads
    for found in of_threads:
        if differing:
            assert found.comparison == f"tasks computed different amounts in the two runs: {differing}"
            assert found.placement == found.comparison
        else:
            assert isinstance(found.comparison, Comparison)


def test_a_scenario_that_fits_nothing_to_the_machine_is_compared_whatever_others_found() -> None:
    a, b = record(), record(build=NEW)
    other = msgspec.structs.replace(b, run=msgspec.structs.replace(b.run, calibration={"turns_per_ms": 1}))
    assert row(a, other).comparison == row(a, b).comparison


def test_a_case_that_only_one_has_is_a_row_of_its_own() -> None:
    b = altered(record(build=NEW), is_thread_pool(), lambda series: series.update(case="another size"))
    rows = {found.key[1:3]: found.comparison for found in compare(record(), b, SCENARIOS)}
    assert rows["another size", "thread_pool"] == "the first file has no such series"
    assert rows[CASE, "thread_pool"] == "the second file has no such series"


@pytest.mark.parametrize("other", [{"build": NEW}, OTHER_RUN])
def test_few_pairs_are_shown_and_not_decided(other: dict[str, Any]) -> None:
    few = record(rounds=3), record(rounds=3, **other)
    assert not compared(*few).decided
    assert "too few pairs" in row(*few).words


def cut_a_round(series: dict[str, Any]) -> None:
    series["samples"]["status"][2], series["samples"]["reason"][2] = "timed_out", "slow"
    series.update(status="partial", reason="slow")


def test_across_runs_the_reference_build_s_series_has_a_say_too_as_on_the_page() -> None:
    whole, one_run, other_run = record(), record(build=NEW), record(**OTHER_RUN)
    for other, decided in ((one_run, True), (other_run, False)):
        cut = altered(other, is_thread_pool("reference"), cut_a_round)
        assert compared(whole, other).decided
        assert compared(whole, cut).decided is compared(cut, whole).decided is decided


def test_a_run_on_a_busy_machine_is_shown_and_not_decided() -> None:
    quiet = record()
    other = msgspec.structs.replace(quiet, build=NEW)
    busy = msgspec.structs.replace(other, machine=msgspec.structs.replace(quiet.machine, load_before=2.5))
    assert compared(quiet, other).decided
    assert not compared(quiet, busy).decided
    assert not compared(busy, quiet).decided


def test_only_subjects_have_rows_and_a_metric_is_the_scenario_s_first() -> None:
    rows = compare(record(), record(build=NEW), SCENARIOS)
    assert len(rows) == len({found.key[:3] for found in rows})
    assert {found.metric.name for found in rows} == {"elapsed_ns"}


def test_each_row_is_one_line_under_its_case() -> None:
    rows = compare(record(), record(**OTHER_RUN, status={"process_pool": "unsupported"}), SCENARIOS)
    printed = lines(rows)
    series = printed[: printed.index("No value is placed in the other's interval: they are of two builds.")]
    assert len(series) == len(rows) + len({found.key.case for found in rows})
    assert printed[0] == "primes / published (elapsed_ns)"
    threads = next(line for line in printed if line.startswith("  thread_pool "))
    assert threads.endswith("through the reference build")
    assert "12 pairs, 92.3" in threads
    processes = next(line for line in printed if line.startswith("  process_pool "))
    assert processes.endswith("not comparable: second file: not supported: fixture: unsupported")
    few = lines(compare(record(rounds=3), record(rounds=3, build=NEW), SCENARIOS))
    assert few[1].count("3 pairs") == 1


def test_the_command_reads_two_files_and_prints_whole_lines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("runners.harness.catalogue.scenarios.find", lambda: SCENARIOS)
    records = {"first": record(), "second": record(**OTHER_RUN)}
    for name, one in records.items():
        (tmp_path / name).mkdir()
        (tmp_path / name / "a.json").write_bytes(encode(one))
    done = CliRunner().invoke(main, ["compare", *(str(tmp_path / name / "a.json") for name in records)])
    assert done.exit_code == 0, done.output
    first, *others = done.stdout.splitlines()
    assert first == heading(records["first"], records["second"])
    assert others == lines(compare(records["first"], records["second"], SCENARIOS))


def test_the_first_line_says_which_build_is_over_which_and_of_one_run_how_it_was_measured_once() -> None:
    old, new = record(), record(build=NEW)
    how = "full profile, 12 rounds, on fixture-host, 2026-01-01"
    name, other = build_name(old.build), build_name(new.build)
    assert heading(old, new) == f"{other} (second) over {name} (first), of one run: {how}"
    apart = heading(old, record(build=NEW, run_id="other", machine="laptop", rounds=3, profile="quick"))
    assert apart == f"{other} (second: quick profile, 3 rounds, on laptop, 2026-01-01) over {name} (first: {how})"


def test_the_command_refuses_a_file_that_is_not_there() -> None:
    refused = CliRunner().invoke(main, ["compare", "nothing.json", "nothing.json"])
    assert refused.exit_code == 2
    assert "nothing.json" in refused.stderr


def test_a_file_is_read_or_says_in_one_line_why_not(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_bytes(encode(record()))
    assert read(tmp_path / "a.json") == record()
    assert read(tmp_path) == record()
    (tmp_path / "b.json").write_bytes(encode(record(build=NEW)))
    with pytest.raises(UserError, match="2 result files are there; name one"):
        read(tmp_path)
    (tmp_path / "b.json").write_bytes(b"{}")
    assert read(tmp_path / "a.json") == record()
    with pytest.raises(UserError, match="missing required field"):
        read(tmp_path / "b.json")


FIRST: dict[str, Any] = {"run_id": "first", "seed": 1, "build": NEW}
SECOND: dict[str, Any] = {"run_id": "second", "seed": 2, "build": NEW}


def placed(first: dict[str, Any], second: dict[str, Any]) -> Placement:
    found = row(record(**first), record(**second)).placement
    assert isinstance(found, Placement)
    return found


def test_on_one_machine_the_values_themselves_are_placed() -> None:
    found = placed(FIRST, {**SECOND, "speed": {"thread_pool": 3.0}})
    assert not found.is_inside
    assert found.unit == "ns"
    assert found.value > 2 * found.high
    assert "is outside" in found.words


@pytest.mark.parametrize(("speed", "is_inside"), [(1.0, True), (3.0, False)])
def test_on_two_machines_the_ratios_to_the_reference_are_placed_so_a_slow_host_makes_no_difference(
    speed: float, *, is_inside: bool
) -> None:
    found = placed(FIRST, {**SECOND, "machine": "slow", "slowness": 5.0, "speed": {"thread_pool": speed}})
    assert found.unit is None
    assert found.is_inside == is_inside
    assert "of the reference build is" in found.words


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"build": build("3.13.7")}, "they are of two builds"),
        ({"status": {"thread_pool": "failed"}}, "second file: failed"),
        ({"machine": "other", "reference": build("3.11.2")}, "different reference builds"),
    ],
)
def test_what_is_of_another_build_or_has_no_common_reference_is_not_placed(changes: dict[str, Any], why: str) -> None:
    assert str(row(record(**FIRST), record(**{**SECOND, **changes})).placement).startswith(why)


def test_two_runs_of_the_reference_build_are_placed_on_one_machine_alone() -> None:
    first, second = ({**side, "build": REFERENCE} for side in (FIRST, SECOND))
    assert isinstance(row(record(**first), record(**second)).placement, Placement)
    elsewhere = row(record(**first), record(**{**second, "machine": "other"}))
    assert str(elsewhere.placement).startswith("both are the reference build")


def test_the_last_line_counts_who_lies_inside() -> None:
    first = record(**FIRST)
    rows = compare(first, first, SCENARIOS)
    every = f"The second's value lies inside the first's interval in {len(rows)} of {len(rows)} series."
    assert lines(rows)[-1] == every
    broken = compare(first, record(**FIRST, status={"thread_pool": "failed"}), SCENARIOS)
    without = sum(isinstance(found.placement, str) for found in broken)
    assert without
    assert lines(broken)[-1].endswith(f"; {without} can't be placed.")
    other = compare(first, record(**{**SECOND, "build": build("3.13.7")}), SCENARIOS)
    assert "No value is placed in the other's interval: they are of two builds." in lines(other)


def test_of_two_builds_the_last_lines_sum_up_what_is_plainly_faster_or_slower() -> None:
    changed = compare(record(), record(build=NEW, speed={"thread_pool": 2.0, "process_pool": 0.5}), SCENARIOS)
    printed = lines(changed)
    start = next(number for number, line in enumerate(printed) if line.startswith("The second beside the first: of "))
    assert any(re.match("  slower: thread_pool in primes, published: takes [12]", line) for line in printed[start:])
    assert any(re.match("  faster: process_pool in primes, published: [12]", line) for line in printed[start:])
    alike = compare(record(), record(), SCENARIOS)
    assert not any(line.startswith("The second beside") for line in lines(alike))


@pytest.mark.parametrize(
    "other",
    [{**OTHER_RUN, "reference": build("3.11.2")}, {"run_id": "two", "machine": "other", "build": REFERENCE}],
    ids=["different reference builds", "two reference builds"],
)
def test_where_nothing_was_measured_beside_both_the_reason_stands_once_and_what_to_do(other: dict[str, Any]) -> None:
    first, second = record(build=REFERENCE), record(**other)
    rows = compare(first, second, SCENARIOS)
    text = io.StringIO()
    show(first, second, Console(file=text))
    _, why, *remedy = text.getvalue().splitlines()
    assert why == f"None of the {len(rows)} series is comparable: {no_common_reference(first, second)}."
    assert tuple(remedy) == REMEDY
    assert remedy[-1].endswith(" run --python 3.13 --python 3.13+WHEEL")


@pytest.mark.parametrize("is_terminal", [True, False])
def test_lines_are_fitted_to_a_terminal_and_whole_in_a_file(*, is_terminal: bool) -> None:
    text = io.StringIO()
    first, second = record(), record(build=NEW)
    show(first, second, Console(file=text, width=60, force_terminal=is_terminal, color_system=None))
    printed = text.getvalue().splitlines()
    assert (max(map(len, printed)) <= 60) is is_terminal
    assert ([heading(first, second), *lines(compare(first, second))] == printed) is not is_terminal
    assert " ".join(text.getvalue().split()).startswith(heading(first, second))


def with_aiohttp(version: str, *, needs: str = "1.0", asked: bool = True) -> dict[str, Package]:
    requires = ("yarl",) if asked else None
    return {
        "aiohttp": Package(version, None, requires=requires),
        "gevent": Package(version, None, requires=()),
        "yarl": Package(needs, None, requires=()),
    }


def of_servers(run_id: str, packages: dict[str, Package]) -> Record:
    scenarios = {"blocking_server": some_scenarios()["blocking_server"]}
    return make(scenarios, Plan(build=NEW, run_id=run_id, packages=packages))


@pytest.mark.parametrize(
    ("theirs", "said"),
    [
        (with_aiohttp("4.0"), "aiohttp 3.14 and 4.0"),
        (with_aiohttp("3.14", needs="2.0"), "yarl 1.0 and 2.0"),
        ({}, "aiohttp 3.14 and absent, yarl 1.0 and absent"),
    ],
)
def test_a_package_that_changed_on_both_reference_builds_is_never_divided_away(
    theirs: dict[str, Package], said: str
) -> None:
    scenarios = {"blocking_server": some_scenarios()["blocking_server"]}
    rows = compare(of_servers("1", with_aiohttp("3.14")), of_servers("2", theirs), scenarios)
    by_runner = {each.key.runner: each.comparison for each in rows}
    assert tuple(lines(rows)[-2:]) == REMEDY
    assert by_runner["aiohttp_awaiting"] == f"the reference builds have {said}: what changed in both would cancel"
    assert isinstance(by_runner["http_server_fair"], Comparison)


def test_where_nobody_asked_what_a_package_needs_every_package_counts() -> None:
    scenarios = {"blocking_server": some_scenarios()["blocking_server"]}
    ours, theirs = (with_aiohttp("3.14", needs=needs, asked=False) for needs in ("1.0", "2.0"))
    rows = compare(of_servers("1", ours), of_servers("2", theirs), scenarios)
    assert "yarl 1.0 and 2.0" in str(next(each for each in rows if each.key.runner == "aiohttp_awaiting").comparison)


def test_packages_of_different_versions_are_named_once_beside_their_case() -> None:
    scenarios = {"blocking_server": some_scenarios()["blocking_server"]}
    others = with_aiohttp("4.0", needs="2.0")
    printed = lines(compare(of_servers("1", with_aiohttp("3.14")), of_servers("1", others), scenarios))
    heads = [line for line in printed if line.startswith("blocking_server / ")]
    assert heads
    for head in heads:
        _, *named = re.split("; |, ", head.partition(")")[2])
        assert sorted(named) == ["aiohttp 3.14 and 4.0", "gevent 3.14 and 4.0", "yarl 1.0 and 2.0"]
    assert not any("aiohttp 3.14" in line for line in printed if line.startswith("  "))
    same = lines(compare(of_servers("1", others), of_servers("1", others), scenarios))
    assert not any("; " in line for line in same if line.startswith("blocking_server / "))
