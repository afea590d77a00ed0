"""The pictures of home, their sentences, and what would surprise a reader."""

from __future__ import annotations

import dataclasses
import re
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Literal, get_args

import pytest
from factory import Plan, build, make
from judging import claim_row
from msgspec.structs import replace
from sample_site import book_of

from generate.charts.bars import LONGEST, Bar, Row, picture
from generate.claims.model import Printed
from generate.pages.home import PICTURES, Bars, pictures
from generate.pages.home_sentences import Compared, computes, computes_without_gil, shares, waits
from generate.pages.outcome import Outcome, gain_words, outcome_of
from generate.pages.surprises import ranked, surprises
from generate.statistics.intervals import Comparison
from generate.text.over_runs import OverRuns
from runners.harness.catalogue import scenarios
from runners.harness.record.codec import encode

if TYPE_CHECKING:
    from generate.claims.marks import ClaimVerdict

INDEX = Path(__file__).parents[3] / "docs" / "index.md"
OF_OURS = re.compile(r"\b(?:baseline|cell|profile|round|runner|scenario|full run)s?\b", re.IGNORECASE)
OUTCOMES: tuple[Outcome, ...] = get_args(Outcome)


def compared(outcome: Outcome, ratio: float = 0.5, bounds: tuple[float, float] | None = None) -> Compared:
    return Compared(outcome, ratio, "37 ms", bounds)


@pytest.mark.parametrize("wanted", PICTURES, ids=lambda wanted: wanted.title)
def test_whatever_is_measured_some_sentence_fits(wanted: Bars) -> None:
    said = set()
    for outcomes in product(OUTCOMES, repeat=len(wanted.places) - 1):
        others = [compared(outcome) for outcome in outcomes]
        sentence = wanted.says(others)
        assert sentence[0].isupper()
        assert sentence.endswith(".")
        said.add(sentence)
    assert len(said) >= len(OUTCOMES)


@pytest.mark.parametrize("wanted", PICTURES, ids=lambda wanted: wanted.title)
def test_every_picture_is_of_series_that_there_are(wanted: Bars) -> None:
    scenario = scenarios.find()[wanted.scenario]
    assert wanted.metric in {metric.name for metric in scenario.metrics}
    for _, case, runner in wanted.places:
        assert scenario.runners[runner].takes_part(scenario.cases[case])
        quick = wanted.quick.get(case, case)
        assert scenario.runners[runner].takes_part(scenario.cases[quick])
        assert scenario.cases[quick].quick
    (_, first_case, baseline), *_ = wanted.places
    assert scenario.baseline_of(scenario.block_of(first_case)) == (first_case, baseline)


ASKED: list[tuple[Outcome, float]] = [("less", 0.5), ("same", 1.0), ("more", 2.0)]


def test_sentences_say_which_way_it_is() -> None:
    twice, same, slower = (compared(way, ratio, (ratio, ratio)) for way, ratio in ASKED)
    assert computes([same, twice, same]) == "Processes are 2.00 times as fast as a plain loop; threads are no faster."
    assert computes([slower, twice, same]).endswith("threads are slower, 2.00 times the time.")
    assert computes([same, same, same]) == "Processes are no faster than a plain loop; threads are no faster."
    assert computes_without_gil(twice) == "Without the GIL, threads are 2.00 times as fast as the loop with it."
    assert waits([slower, slower, same]) == (
        "Compared with a server that handles one request at a time, "
        "coroutines that await answer 2.00 times as many; "
        "threads answer 2.00 times as many; coroutines that block answer no more."
    )
    assert shares([twice]) == (
        "A queue with 4 workers keeps the loop's worst delay at 37 ms; without one it is 2.00 times as long."
    )


@pytest.mark.parametrize(("ratio", "words"), [(12.0, "more"), (0.1, "fewer"), (1.0, "as many")])
def test_an_undecided_number_says_which_way_it_leans(ratio: float, words: str) -> None:
    undecided = compared("undecided", ratio)
    assert f"threads answer perhaps {words} (not decided)" in waits([undecided, undecided, undecided])


def test_where_nothing_was_measured_nobody_is_said_to_be_unrefuted(tmp_path: Path) -> None:
    assert "Not measured yet." in surprises(book_of(tmp_path, scenarios.find()), "index.md")


def test_a_size_of_a_quick_run_is_marked_as_one() -> None:
    assert computes([compared("same", 1.0), compared("less"), compared("same", 1.0)]) == (
        "Processes are 2.00 times as fast as a plain loop (in a quick run); threads are no faster."
    )


def test_a_number_of_home_has_its_range_unless_that_says_no_more() -> None:
    twice, slower = compared("less", 0.5, (0.4, 0.625)), compared("more", 2.0, (1.9, 2.1))
    exact, of_nothing = compared("less", 0.5, (0.5, 0.5)), compared("less", 0.0, (0.0, 0.0))
    assert computes([slower, twice, exact]) == (
        "Processes are 2.00 times as fast as a plain loop (1.60 to 2.50); "
        "threads are slower, 2.00 times the time (1.90 to 2.10)."
    )
    assert waits([slower, twice, exact]) == (
        "Compared with a server that handles one request at a time, "
        "coroutines that await answer fewer, 1 for every 2.00 (1.60 to 2.50); "
        "threads answer 2.00 times as many (1.90 to 2.10); coroutines that block answer fewer, 1 for every 2.00."
    )
    assert shares([exact]).endswith("without one it is 2.00 times as long.")
    assert shares([of_nothing]).endswith("without one it is infinitely many times as long.")
    assert shares([slower]).endswith("2.00 times as long as without (1.90 to 2.10).")


@pytest.mark.parametrize(
    ("ratio", "quick", "of_time", "of_rate"),
    [
        (0.5, False, "yes", "no"),
        (2.0, False, "no, they take longer", "yes"),
        (2.0, True, "no, they take longer (quick run)", "yes (quick run)"),
        (1.04, False, "no", "hardly any"),
        (1.0, False, "none was seen", "none was seen"),
        (1.0, True, "too close to call", "too close to call"),
    ],
)
def test_there_is_a_gain_where_a_time_is_less_or_a_rate_more(
    ratio: float, *, quick: bool, of_time: str, of_rate: str
) -> None:
    found = scenarios.find()
    noise = Comparison(1.0, 0.999, 1.001, 0.96, 12, decided=True)
    compared = Comparison(ratio, ratio * 0.99, ratio * 1.01, 0.96, 12, decided=True, quick=quick)
    assert gain_words(compared, noise, found["primes"].metrics[0]) == of_time
    assert gain_words(compared, noise, found["blocking_server"].metrics[0]) == of_rate


@pytest.mark.parametrize(
    ("runs", "outcome", "gain"),
    [
        (None, "same", "none was seen"),
        (OverRuns(5, 0.8, 1.02, 0), "same", "none was seen"),
        (OverRuns(5, 0.9, 0.97, 0), "same", "too close to call"),
        (OverRuns(5, 0.8, 0.9, 0), "undecided", "too close to call"),
    ],
)
def test_what_one_run_does_not_show_and_all_have_is_too_close_to_call_however_small_it_is_for_a_gain(
    runs: OverRuns | None, outcome: str, gain: str
) -> None:
    metric = scenarios.find()["primes"].metrics[0]
    compared = Comparison(0.9, 0.8, 1.1, 0.96, 12, decided=True)
    assert outcome_of(compared, None, runs) == outcome
    assert gain_words(compared, None, metric, runs) == gain


def test_work_that_is_slower_in_all_runs_gains_nothing() -> None:
    compared = Comparison(1.1, 0.9, 1.3, 0.96, 12, decided=True)
    metric = scenarios.find()["primes"].metrics[0]
    assert gain_words(compared, None, metric, OverRuns(5, 1.1, 1.2, 0)) == "none was seen"


@pytest.mark.parametrize(
    ("runs", "outcome", "gain"),
    [
        (OverRuns(2, 0.8, 0.97, 0), "less", "yes"),
        (OverRuns(2, 0.8, 1.02, 0), "undecided", "too close to call"),
    ],
)
def test_a_difference_that_another_run_has_the_other_way_round_is_not_decided(
    runs: OverRuns, outcome: str, gain: str
) -> None:
    metric = scenarios.find()["primes"].metrics[0]
    noise = Comparison(1.0, 0.999, 1.001, 0.96, 12, decided=True)
    faster = Comparison(0.8, 0.79, 0.81, 0.96, 12, decided=True)
    assert outcome_of(faster, noise, runs) == outcome
    assert gain_words(faster, noise, metric, runs) == gain
    slower = Comparison(1.25, 1.24, 1.26, 0.96, 12, decided=True)
    words = "no, they take longer" if gain == "yes" else gain
    assert gain_words(slower, noise, metric, runs.turned()) == words


def test_a_loss_that_reaches_into_the_noise_is_no_gain_and_a_gain_that_does_is_not_decided() -> None:
    metric = scenarios.find()["primes"].metrics[0]
    noise = Comparison(1.0, 0.97, 1.03, 0.96, 12, decided=True)
    assert gain_words(Comparison(1.07, 1.01, 1.10, 0.96, 12, decided=True), noise, metric) == "no"
    assert gain_words(Comparison(0.93, 0.90, 0.99, 0.96, 12, decided=True), noise, metric) == "too close to call"


def test_a_claim_that_fails_as_a_whole_comes_before_one_that_fails_in_part_and_of_that_the_first_part_is_named() -> (
    None
):
    rows = [claim_row(parts)[0] for parts in ("hxx", "hc", "x", "X", "hX")]
    found = ranked(rows)
    assert [(each.in_part, each.first) for each in found] == [(False, rows[2].parts[0]), (True, rows[0].parts[1])]


def claimed(word: str, *of_parts: int, **written: object) -> ClaimVerdict:
    """Return a claim with a part for each letter, of some of which something more is *written*."""
    (row,) = claim_row(word)
    parts = tuple(
        replace(part.part.written, **(written if number in of_parts else {})) for number, part in enumerate(row.parts)
    )
    claim = row.claim._replace(parts=parts)
    verdicts = [dataclasses.replace(part, part=dataclasses.replace(part.part, claim=claim)) for part in row.parts]
    return row._replace(claim=claim, parts=verdicts)


def test_a_rule_of_the_map_refutes_nobody_since_its_share_depends_on_the_points_that_the_map_has() -> None:
    assert ranked([claimed("x", 0, rule="computing: processes")]) == []
    in_part = claimed("xhx", 0, rule="computing: processes")
    assert [(each.in_part, each.first) for each in ranked([in_part])] == [(True, in_part.parts[2])]


def test_a_claim_that_holds_where_the_source_printed_figures_refutes_nobody_by_another_set_up() -> None:
    def with_printed(word: str, *printed: int) -> ClaimVerdict:
        return claimed(word, *printed, printed=Printed("1 s"))

    of_another, of_own, of_both = with_printed("hx", 0), with_printed("xx", 0), with_printed("hxx", 0, 2)
    assert ranked([of_another]) == []
    assert [each.first for each in ranked([of_own])] == [of_own.parts[0]]
    assert [each.first for each in ranked([of_both])] == [of_both.parts[2]]
    assert len(ranked([with_printed("hx")])) == 1


def test_the_longest_range_reaches_as_far_as_there_is_room_and_each_bar_has_its_number() -> None:
    rows = [
        Row("a plain loop", "sync", [Bar(1e9, 0.9e9, 2e9, is_second=False)]),
        Row("<threads>", "threads", [Bar(0.5e9, 0.5e9, 0.5e9, is_second=True)]),
    ]
    svg = picture(rows, "ns", "Time")
    assert f'x2="{LONGEST}%"' in svg
    assert 'role="img" aria-label="Time"' in svg
    assert "1.00\u00a0s" in svg
    assert "500\u00a0ms" in svg
    assert "&lt;threads&gt;" in svg
    assert svg.count('class="second"') == 1


@pytest.mark.parametrize(("steal_share", "run"), [(0.0, "both"), (0.02, "newer")])
def test_all_is_of_one_run_with_and_without_the_gil_though_one_has_a_newer_unless_that_run_decides_nothing(
    tmp_path: Path, steal_share: float, run: str
) -> None:
    primes, gil = {"primes": scenarios.find()["primes"]}, build("3.14.0")
    plan = Plan(build=gil, reference=gil, run_id="both", slowness=2.0)
    slow, fast = make(primes, plan), make(primes, dataclasses.replace(plan, run_id="newer", slowness=1.0))
    records = {
        "free": make(primes, dataclasses.replace(plan, build=build("3.14.0", free_threaded=True))),
        "gil": replace(slow, machine=replace(slow.machine, steal_share=steal_share)),
        "newer": replace(fast, run=replace(fast.run, started="2026-02-01T00:00:00Z")),
    }
    for name, record in records.items():
        (tmp_path / f"{name}.json").write_bytes(encode(record))
    site = book_of(tmp_path, primes).site
    first = site.current["primes"][0]
    assert first.record.run.id == run
    cell, other = site.paired(first, "primes")
    assert (cell.record.run.id, other and other.record.run.id) == (run, "both")
    assert site.value(cell, "primes", "published", "sync_loop", "elapsed_ns")


def test_what_several_runs_had_follows_a_number_of_an_older_run_too(tmp_path: Path) -> None:
    primes, gil = {"primes": scenarios.find()["primes"]}, build("3.14.0")
    plan = Plan(build=gil, reference=gil, run_id="both", speed={"process_pool": 0.6})
    free = dataclasses.replace(plan, build=build("3.14.0", free_threaded=True))
    records = {"both": make(primes, plan), "free": make(primes, free)}
    for number in range(5):
        speed = {"process_pool": 0.5 + number / 100}
        record = make(primes, dataclasses.replace(plan, run_id=f"newer-{number}", speed=speed))
        run = replace(record.run, started=f"2026-02-0{number + 1}T00:00:00Z")
        records[f"newer-{number}"] = replace(record, run=run)
    for name in ("both", "free"):  # so that the newer come before them
        some = replace(records[name].run, runners=["named_by_the_command"])
        records[name] = replace(records[name], run=some)
    for name, record in records.items():
        (tmp_path / f"{name}.json").write_bytes(encode(record))
    said = pictures(book_of(tmp_path, scenarios.find()), "index.md")
    assert "Articles quote a newer run." in said
    assert re.search(r"as fast as a plain loop \([^;)]+; [^;)]+ in 6 runs\)", said)


def test_a_pre_release_without_the_gil_is_not_set_beside_the_release(tmp_path: Path) -> None:
    primes, gil = {"primes": scenarios.find()["primes"]}, build("3.15.2")
    for number, of_build in enumerate((gil, build("3.15.0rc2", free_threaded=True))):
        (tmp_path / f"{number}.json").write_bytes(encode(make(primes, Plan(build=of_build, reference=gil))))
    site = book_of(tmp_path, primes).site
    (first,) = (cell for cell in site.current["primes"] if not cell.record.build.free_threaded)
    assert site.paired(first, "primes") == (first, None)


def test_threads_without_the_gil_are_set_beside_the_loop_with_it_of_the_same_run(tmp_path: Path) -> None:
    primes, gil, free = {"primes": scenarios.find()["primes"]}, build("3.14.0"), build("3.14.0", free_threaded=True)
    plan = Plan(build=gil, reference=gil)
    slow = dataclasses.replace(plan, build=free, slowness=2.0, speed={"thread_pool": 0.6})

    def said(*plans: Plan) -> str:
        for each in plans:
            (tmp_path / f"{each.build.free_threaded}.json").write_bytes(encode(make(primes, each)))
        return pictures(book_of(tmp_path, scenarios.find()), "index.md")

    slower = "Without the GIL, threads are slower than the loop with it, 1.21 times the time (1.18 to 1.23)."
    assert slower in said(plan, slow)
    apart = said(dataclasses.replace(slow, run_id="another"))
    assert "Without the GIL" not in apart
    assert "from another run" in apart


def test_home_has_no_word_of_ours_but_claim_build_and_range(tmp_path: Path) -> None:
    shown = {name: scenarios.find()[name] for name in {wanted.scenario for wanted in PICTURES}}
    (tmp_path / "a.json").write_bytes(encode(make(shown, Plan())))
    written = pictures(book_of(tmp_path, scenarios.find()), "index.md") + INDEX.read_text(encoding="utf-8")
    visible = re.sub(r"<[^>]*>|\]\([^)]*\)|\{\{.*?\}\}", " ", written)
    assert "plain loop" in visible
    assert OF_OURS.findall(visible) == []


def test_a_newcomer_s_first_run_gives_home_decided_sentences_with_numbers(tmp_path: Path) -> None:
    shown = {name: scenarios.find()[name] for name in {wanted.scenario for wanted in PICTURES}}
    own = make(shown, Plan(profile="quick", rounds=3, speed={"process_pool": 0.6}))
    (tmp_path / "local/r").mkdir(parents=True)
    (tmp_path / "local/r/a.json").write_bytes(encode(own))
    said = re.sub(r"<[^>]*>", "", pictures(book_of(tmp_path, scenarios.find()), "index.md"))
    assert re.search(r"Processes are 1\.\d\d times as fast as a plain loop \(in a quick run\)", said)
    assert re.search(r"coroutines that await answer 1\d\.\d times as many \(in a quick run\)", said)


def test_a_picture_that_lacks_a_value_says_which_and_leads_to_why(tmp_path: Path) -> None:
    primes = {"primes": scenarios.find()["primes"]}
    (tmp_path / "a.json").write_bytes(encode(make(primes, Plan(speed={"process_pool": 0.2}))))
    said = pictures(book_of(tmp_path, scenarios.find()), "index.md")
    assert 'Nothing to draw: <a href="scenarios/primes.html">processes: failed</a>. Again: <code>python' in said
    assert "Not measured yet: <code>python -m runners run --scenario heartbeat" in said


@pytest.mark.parametrize(
    ("profile", "said"),
    [("full", "the true median of this run lies within it at least 95"), ("quick", "few values that a quick run has.")],
)
def test_the_range_of_a_quick_run_is_no_interval_of_95_percent(
    tmp_path: Path, profile: Literal["quick", "full"], said: str
) -> None:
    primes = {"primes": scenarios.find()["primes"]}
    record = make(primes, Plan(profile=profile, rounds=3 if profile == "quick" else 12))
    (tmp_path / "a.json").write_bytes(encode(record))
    assert said in pictures(book_of(tmp_path, scenarios.find()), "index.md")
