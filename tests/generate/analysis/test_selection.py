"""Which of several result files pages and verdicts are made from."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from factory import REFERENCE, Plan, build, make
from frames import file_of

from generate.analysis.collection import CurrentResults
from generate.analysis.gated import apply_gate
from generate.analysis.history_words import WORDS, why_history
from generate.analysis.selection import in_order, select_current
from generate.analysis.summaries import summarise
from generate.claims.board import Board
from generate.claims.read import read
from generate.results.model import Listing
from runners.harness.catalogue.scenarios import ROOT, find

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from generate.results.model import ResultFile

SCENARIOS = {name: find()[name] for name in ("primes", "queue_depth")}
OLD, NEW = "2026-01-01T00:00:00Z", "2026-02-01T00:00:00Z"


def file(path: str, started: str = OLD, scenarios: Sequence[str] = ("primes",), **plan: Any) -> ResultFile:  # noqa: ANN401 - fields of a Plan
    record = make({name: SCENARIOS[name] for name in scenarios}, Plan(**plan))
    record = msgspec.structs.replace(record, run=msgspec.structs.replace(record.run, started=started))
    return file_of(record, path)


def part(one: ResultFile, **named: list[str]) -> ResultFile:
    """Return a file of a run whose command named some cases or runners."""
    run = msgspec.structs.replace(one.record.run, **named)
    return replace(one, record=msgspec.structs.replace(one.record, run=run))


def busy(one: ResultFile, **machine: float) -> ResultFile:
    """Return a file as a machine would have measured it that had other work."""
    other = msgspec.structs.replace(one.record.machine, **(machine or {"load_before": 2.5}))
    return replace(one, record=msgspec.structs.replace(one.record, machine=other))


def on_another_processor(one: ResultFile) -> ResultFile:
    """Return a file as it would be listed had most runs under its machine's name another processor."""
    return replace(one, is_usual_processor=False)


def of_first_method(one: ResultFile) -> ResultFile:
    """Return a file as the first method would have written it."""
    began = msgspec.structs.replace(one.record.run, started=OLD)
    return replace(one, record=msgspec.structs.replace(one.record, schema_version=1, run=began))


def loud(one: ResultFile) -> ResultFile:
    """Return a file as it would be listed had it been measured in noisy hours."""
    return replace(one, is_loud=True)


def paired(one: ResultFile) -> ResultFile:
    """Return a file as it would be listed had its run measured the same Python without the GIL too."""
    return replace(one, is_paired=True)


def first(*files: ResultFile) -> str:
    return in_order(apply_gate(files, SCENARIOS))[0].file.path


def current(*files: ResultFile) -> list[str]:
    return [header.path for header in select_current(one.header for one in files)]


@pytest.mark.parametrize(
    ("leads", "other"),
    [
        (file("local/r/a.json", profile="quick"), file("n/r/a.json", NEW)),
        (file("o/r/a.json"), file("n/r/a.json", NEW, profile="quick")),
        (file("o/r/a.json"), file("n/r/a.json", NEW, complete=False)),
        (file("o/r/a.json", machine="ubuntu-24.04"), file("n/r/a.json", NEW, machine="a laptop")),
        (file("o/r/a.json", machine="ubuntu-24.04"), file("n/r/a.json", NEW, machine="macos-26")),
        (file("n/r/a.json", NEW), file("o/r/z.json")),
        (paired(file("o/r/a.json")), file("n/r/a.json", NEW)),
        (paired(file("n/r/a.json", NEW)), paired(file("o/r/a.json"))),
        (file("o/r/a.json"), paired(loud(file("n/r/a.json", NEW)))),
        (file("n/r/a.json", NEW, build=build("3.14.0")), paired(busy(file("o/r/a.json", build=build("3.14.0"))))),
        (file("o/r/a.json"), busy(file("n/r/a.json", NEW))),
        (file("o/r/a.json"), busy(file("n/r/a.json", NEW), steal_share=0.011)),
        (file("o/r/a.json", profile="quick"), busy(file("n/r/a.json", NEW))),
        (file("o/r/a.json", machine="a laptop"), busy(file("n/r/a.json", NEW, machine="ubuntu-24.04"))),
        (busy(file("local/r/a.json")), file("n/r/a.json", NEW)),
        (busy(file("n/r/a.json", NEW)), busy(file("o/r/a.json"))),
        (file("n/r/a.json", NEW), busy(file("o/r/a.json"))),
        (busy(file("n/r/a.json", NEW), load_before=2.0, steal_share=0.01), file("o/r/a.json")),
        (file("o/r/a.json"), part(file("n/r/a.json", NEW), cases=["published"])),
        (file("o/r/a.json"), part(file("n/r/a.json", NEW), runners=["sync_loop"])),
        (part(file("o/r/a.json"), cases=["published"]), file("n/r/a.json", NEW, profile="quick")),
        (file("n/r/a.json", build=REFERENCE), file("n/r/z.json")),
        (file("n/r/a.json", build=REFERENCE), file("n/r/z.reference.json", build=REFERENCE, kind="by_product")),
    ],
)
def test_the_better_file_leads_in_whatever_order_they_come(leads: ResultFile, other: ResultFile) -> None:
    assert first(leads, other) == first(other, leads) == leads.path


def test_what_lead_nowhere_is_history() -> None:
    old, new = file("o/r/a.json"), file("n/r/a.json", NEW)
    another = file("o/r/b.json", build=build("3.14.0"))
    more = file("o/r/c.json", scenarios=("primes", "queue_depth"))
    assert current(old, new) == [new.path]
    assert current(old, another, new) == [new.path, another.path]
    assert current(more, new) == [new.path, more.path]


def test_what_an_older_method_measured_gives_way_scenario_by_scenario_though_it_has_cases_of_its_own() -> None:
    new = file("n/r/a.json", NEW)
    (series, *others) = new.record.series
    cases = [msgspec.structs.replace(series, case="a case of then"), *others]
    old = of_first_method(replace(new, path="o/r/a.json", record=msgspec.structs.replace(new.record, series=cases)))
    assert current(old) == [old.path]
    assert current(old, new) == [new.path]
    assert why_history([old.header, new.header], {new.path}) == {old.path: "method"}
    more = of_first_method(file("o/r/b.json", scenarios=("primes", "queue_depth")))
    assert current(more, new) == [new.path, more.path]


def test_of_patch_releases_the_newest_is_current_whenever_it_was_measured() -> None:
    old, new = file("n/r/a.json", NEW, build=build("3.14.2")), file("o/r/b.json", build=build("3.14.10"))
    candidate = file("n/r/c.json", NEW, build=build("3.14.10rc1"))
    assert current(old, new, candidate) == [new.path]


@pytest.mark.parametrize(
    "new",
    [
        file("n/r/z.json", NEW, build=build("3.14.10"), profile="quick"),
        file("n/r/z.json", NEW, build=build("3.14.10"), complete=False),
        file("n/r/z.json", NEW, build=build("3.14.10"), machine="another"),
        file("n/r/z.json", NEW, build=build("3.14.10", free_threaded=True)),
        file("n/r/z.json", NEW, build=build("3.15.0")),
        file("n/r/z.json", NEW, build=msgspec.structs.replace(build("3.14.10"), variant=("aiohttp 3.13.5",))),
        file("local/r/z.json", NEW, build=build("3.14.10")),
        busy(file("n/r/z.json", NEW, build=build("3.14.10"))),
    ],
)
def test_an_older_patch_release_stays_current_beside_what_says_less_or_something_else(new: ResultFile) -> None:
    old = file("a/r/a.json", build=build("3.14.2"))
    assert old.path in current(old, new)


def test_an_older_patch_release_stays_current_where_the_newer_lacks_a_scenario() -> None:
    old = file("o/r/a.json", build=build("3.14.2"), scenarios=("primes", "queue_depth"))
    new = file("n/r/b.json", NEW, build=build("3.14.10"))
    assert current(old, new) == [new.path, old.path]


def test_the_scenarios_of_a_newer_patch_release_may_be_spread_over_its_files_but_not_over_patch_releases() -> None:
    old = file("o/r/a.json", build=build("3.14.2"), scenarios=("primes", "queue_depth"))
    one = file("n/r/b.json", NEW, build=build("3.14.10"))
    other = file("n/s/b.json", NEW, build=build("3.14.10"), scenarios=("queue_depth",))
    assert current(old, one, other) == [one.path, other.path]
    of_another = file("n/s/b.json", NEW, build=build("3.14.9"), scenarios=("queue_depth",))
    assert old.path in current(old, one, of_another)


def test_a_busy_run_is_current_for_what_no_other_has_measured_and_gives_way_for_the_rest() -> None:
    calm = file("o/r/a.json")
    newer = busy(file("n/r/a.json", NEW, scenarios=("primes", "queue_depth")))
    assert current(calm, newer) == [newer.path, calm.path]
    assert [result.file.path for result in in_order(apply_gate([calm, newer], SCENARIOS))] == [calm.path, newer.path]
    assert current(calm, busy(file("n/r/a.json", NEW))) == [calm.path]


def test_of_two_full_runs_the_one_of_calmer_hours_is_current_though_it_is_older() -> None:
    calm, newer = file("o/r/a.json"), loud(file("n/r/a.json", NEW, scenarios=("primes", "queue_depth")))
    assert current(calm, newer) == [newer.path, calm.path]
    assert [result.file.path for result in in_order(apply_gate([calm, newer], SCENARIOS))] == [calm.path, newer.path]
    assert current(calm, loud(file("n/r/a.json", NEW))) == [calm.path]
    assert current(file("o/r/a.json", profile="quick"), loud(file("n/r/a.json", NEW))) == ["n/r/a.json"]
    assert current(loud(file("o/r/a.json")), loud(file("n/r/a.json", NEW))) == ["n/r/a.json"]


def test_of_two_full_runs_the_one_on_the_usual_processor_is_current_though_it_is_older() -> None:
    usual, newer = file("o/r/a.json"), file("n/r/a.json", NEW, scenarios=("primes", "queue_depth"))
    assert current(usual, on_another_processor(newer)) == [newer.path, usual.path]
    assert current(usual, on_another_processor(file("n/r/a.json", NEW))) == [usual.path]
    assert current(on_another_processor(usual), newer) == [newer.path]


def test_a_calm_patch_release_comes_in_the_place_of_a_busy_older_one_though_it_measured_less() -> None:
    old = busy(file("o/r/a.json", build=build("3.14.2")))
    new = file("n/r/b.json", NEW, build=build("3.14.10"), profile="quick")
    assert current(old, new) == [new.path]


def listed(*files: ResultFile) -> CurrentResults:
    records = apply_gate([one for one in files if one.path in current(*files)], SCENARIOS)
    return CurrentResults.of(SCENARIOS, Listing([one.header for one in files], []), records, summarise(records))


def as_it_is(one: ResultFile) -> ResultFile:
    return one


@pytest.mark.parametrize(
    ("changed", "shown"),
    [(busy, as_it_is), (loud, as_it_is), (on_another_processor, as_it_is), (as_it_is, paired)],
)
def test_a_newer_run_that_gives_way_is_known_by_the_one_that_is_shown(
    changed: Callable[[ResultFile], ResultFile], shown: Callable[[ResultFile], ResultFile]
) -> None:
    calm, newer = shown(file("o/r/a.json")), changed(file("n/r/a.json", NEW))
    site = listed(calm, newer)
    (cell,) = site.cells()
    assert cell.file.path == calm.path
    for scenario in (None, "primes"):
        found = site.passed_over(cell, scenario)
        assert found is not None
        assert found.path == newer.path
    assert site.passed_over(cell, "queue_depth") is None


@pytest.mark.parametrize(
    "other",
    [
        file("n/r/b.json", NEW, build=build("3.14.0")),
        busy(file("a/r/a.json")),  # not newer
        busy(file("n/r/a.json", NEW, profile="quick")),  # it would not be current in any case
        busy(file("n/r/a.json", NEW, machine="another")),
        busy(file("n/r/a.json", NEW, scenarios=("queue_depth",))),
    ],
)
def test_what_would_not_be_shown_in_any_case_gives_way_to_nothing(other: ResultFile) -> None:
    calm = file("o/r/a.json")
    site = listed(calm, other)
    (cell,) = (each for each in site.cells() if each.file.path == calm.path)
    assert site.passed_over(cell) is None


def test_a_thousand_old_files_change_nothing_that_is_read_in_full() -> None:
    new, old = file("n/r/a.json", NEW), file("o/r/a.json")
    many = [replace(old, path=f"o/{number}/a.json") for number in range(1000)]
    assert current(*many, new) == [new.path]


def test_a_variant_never_comes_before_a_plain_build_and_judges_no_claim() -> None:
    variant = msgspec.structs.replace(build("3.14.0"), variant=("aiohttp 3.13.5",))
    plain, newer = file("o/r/a.json"), file("n/r/b.json", NEW, build=variant)
    assert first(newer, plain) == plain.path
    assert sorted(current(newer, plain)) == [newer.path, plain.path]
    board = Board.of(read(ROOT / "docs"), SCENARIOS, apply_gate([plain, newer], SCENARIOS))
    assert [cell.build for cell in board.cells] == ["cpython-3.13.1"]


def test_the_board_begins_with_the_machine_that_pages_begin_with_and_ends_with_those_that_have_but_a_map() -> None:
    published = file("o/r/a.json", machine="ubuntu-24.04")
    other = paired(file("n/r/b.json", NEW, machine="a laptop"))
    of_map = file("local/r/m.json", NEW, profile="map", machine="mine")
    board = Board.of(read(ROOT / "docs"), SCENARIOS, apply_gate([of_map, other, published], SCENARIOS))
    assert [host.machine for host in board.machines()] == ["ubuntu-24.04", "a laptop", "mine"]


def why(*files: ResultFile) -> dict[str, str]:
    headers = [one.header for one in files]
    return why_history(headers, {header.path for header in select_current(headers)})


@pytest.mark.parametrize(
    ("leads", "other", "word"),
    [
        (file("o/r/a.json"), busy(file("n/r/a.json", NEW)), "busy"),
        (file("o/r/a.json"), file("n/r/a.json", NEW, profile="quick"), "quick"),
        (file("o/r/a.json", complete=False), file("n/r/a.json", NEW, profile="quick"), "quick"),
        (file("o/r/a.json"), file("n/r/a.json", NEW, complete=False), "incomplete"),
        (file("o/r/a.json"), part(file("n/r/a.json", NEW), runners=["sync_loop"]), "part"),
        (file("o/r/a.json"), loud(file("n/r/a.json", NEW)), "noise"),
        (file("o/r/a.json"), on_another_processor(file("n/r/a.json", NEW)), "processor"),
        (paired(file("o/r/a.json")), file("n/r/a.json", NEW), "alone"),
        (file("r/z.json"), file("r/a.json", kind="by_product"), "by_product"),
        (file("n/r/a.json", NEW), file("o/r/a.json"), "superseded"),
        (file("n/r/a.json", build=build("3.13.2")), file("o/r/a.json", build=build("3.13.1")), "newer_patch"),
        (file("o/r/a.json"), file("n/r/a.json", NEW, scenarios=()), "empty"),
    ],
)
def test_a_file_that_is_not_current_has_the_word_of_what_it_comes_after_by(
    leads: ResultFile, other: ResultFile, word: str
) -> None:
    assert why(leads, other) == why(other, leads) == {other.path: word}


def test_each_word_is_explained() -> None:
    words = {"busy", "quick", "incomplete", "part", "noise", "processor", "alone", "by_product", "superseded"}
    assert {*WORDS} == words | {"method", "newer_patch", "empty"}


def test_the_word_is_of_the_file_that_has_most_of_its_series() -> None:
    both = ("primes", "queue_depth")
    few, newer, older = (
        file("c/r/a.json", scenarios=("primes",)),
        loud(file("n/r/a.json", NEW, both)),
        loud(file("o/r/a.json", OLD, both)),
    )
    assert why(few, newer, older) == {older.path: "superseded"}
    assert why(few, loud(file("n/r/a.json", NEW, ("queue_depth",))), loud(file("o/r/a.json", OLD, ("primes",)))) == {
        older.path: "noise"
    }
