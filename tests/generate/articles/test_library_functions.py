"""What a hand-written page says of the releases of a library."""

from __future__ import annotations

import dataclasses
import re
from types import SimpleNamespace
from typing import TYPE_CHECKING, cast

import msgspec
import pytest
from factory import Plan, build, make
from sample_site import book_of, letters, put

from generate.articles.functions import functions
from generate.articles.library_functions import LibraryRelease, _answer
from generate.statistics.intervals import Comparison
from runners.harness.record.codec import encode
from runners.harness.record.model import Package

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from generate.analysis.selection import CellResult
    from generate.analysis.summary import Summary

PLAIN = build("3.14.0")


def of_release(version: str, *, plain: bool = False, speed: float = 0.25) -> Plan:
    variant = () if plain else (f"gevent {version}",)
    return Plan(
        build=msgspec.structs.replace(PLAIN, variant=variant),
        reference=PLAIN,
        packages={"gevent": Package(version=version, reason=None)},
        speed={"thread_pool": speed},
    )


def said(folder: Path, *plans: Plan) -> str:
    put(folder, {f"{number}.json": plan for number, plan in enumerate(plans)}, letters())
    may = functions(book_of(folder, letters()), "builds/index.md")
    return str(may["releases"]("gevent", "letters", "published", "thread_pool"))


def test_a_release_that_failed_says_why_beside_the_others(tmp_path: Path) -> None:
    failed = dataclasses.replace(of_release("25.9"), status={"thread_pool": "failed"})
    assert "failed (fixture: failed)" in said(tmp_path, of_release("26.9", plain=True), failed)


def test_releases_stand_beside_each_other_the_newest_first(tmp_path: Path) -> None:
    found = said(tmp_path, of_release("9.5"), of_release("26.9", plain=True), of_release("25.10"))
    rows = [part.split("</")[0] for part in found.split('<th scope="row" role="rowheader">')[1:]]
    assert rows == ["26.9", "25.10", "9.5"]
    assert "Against 26.9" in found
    assert "Against sync loop" in found


@pytest.mark.parametrize(
    ("speeds", "words"),
    [
        ((0.25,), "25.9 does not differ from 26.9 by more than the noise. The answer stays the same"),
        (
            (0.25, 0.25),
            "None of the two other releases differs from 26.9 by more than the noise. The answer stays the same",
        ),
        ((0.5, 0.25), "25.9 differs from 26.9. The answer stays the same; against “sync loop”, with 26.9: 3.9"),
        (
            (1.0,),
            (
                "25.9 differs from 26.9. Against “sync loop”, the difference is beyond the noise with 26.9;"
                " with 25.9 it is not."
            ),
        ),
        ((0.5, 0.6), "25.9 and 24.9 differ from 26.9. The answer stays the same"),
        ((8.0,), "25.9 differs from 26.9. How it compares with “sync loop” depends on the release."),
    ],
)
def test_it_is_said_whether_a_release_changed_the_number_and_the_answer(
    tmp_path: Path, speeds: tuple[float, ...], words: str
) -> None:
    others = [of_release(f"{25 - number}.9", speed=speed) for number, speed in enumerate(speeds)]
    assert f"<p>{words}" in said(tmp_path, of_release("26.9", plain=True), *others)


def release_of(version: str, low: float, *, is_other: bool = False) -> LibraryRelease:
    """Return a release whose ratio to the baseline begins so far above 1, where noise reaches 1.05."""
    compared = Comparison(low + 0.1, low, low + 0.2, 0.96, 12, decided=True)
    noise = Comparison(1.0, 1 / 1.05, 1.05, 0.96, 12, decided=True)
    row = SimpleNamespace(ratio=compared.ratio, against_baseline=compared, noise=noise)
    return LibraryRelease(version, cast("CellResult", None), cast("Summary", row), "", is_other, "1.2 times as long")


def test_where_none_differs_from_another_but_some_from_the_baseline_none_is_said_to_change_the_answer() -> None:
    usual, beyond = release_of("26.9", 1.04), release_of("25.9", 1.06)
    assert _answer([beyond, release_of("24.9", 1.03)], usual, "threads") == (
        "None of the two other releases differs from 26.9 by more than the noise. Against “threads” it is close:"
        " beyond the noise with 25.9, not with 26.9 and 24.9. So no release is seen to change the answer."
    )
    assert "seen to change" not in _answer([beyond._replace(is_other=True)], usual, "threads")


@pytest.mark.parametrize(
    "plans",
    [
        {"plain alone": of_release("26.9", plain=True)},
        {"without its plain build": of_release("25.9")},
        {
            "another package": of_release("26.9", plain=True),
            "of it": Plan(build=msgspec.structs.replace(PLAIN, variant=("aiohttp 3.9",))),
        },
    ],
    ids=lambda plans: next(iter(plans)),
)
def test_where_no_other_release_was_measured_the_command_stands(tmp_path: Path, plans: Mapping[str, Plan]) -> None:
    assert "+gevent==VERSION</code>" in said(tmp_path, *plans.values())


def test_where_other_pages_quote_another_run_of_the_build_its_value_stands_below_the_table(tmp_path: Path) -> None:
    plans = of_release("26.9", plain=True), of_release("25.9")
    newer = dataclasses.replace(plans[0], run_id="fixture-2", slowness=3.0, build=PLAIN)
    (tmp_path / "one").mkdir()
    assert "Other pages quote" not in said(tmp_path / "one", *plans)
    put(tmp_path, {"2026-02-01/fixture-2/a.json": newer}, letters())
    found = said(tmp_path, *plans)
    assert re.search(
        r"Other pages quote the run of [\d-]+, which had \d{3}.ms .* with gevent 26\.9: compare values of", found
    )


def test_a_value_outside_the_range_of_several_runs_that_other_pages_quote_is_said_to_be(tmp_path: Path) -> None:
    plans = of_release("26.9", plain=True), of_release("25.9")
    days = {
        f"2026-02-0{day}/{day}/a.json": dataclasses.replace(plans[0], run_id=str(day), slowness=3 + day / 100)
        for day in range(1, 6)
    }
    put(tmp_path, days, letters())
    assert "with gevent 26.9. The value here lies outside the range of 5 runs there: compare" in said(tmp_path, *plans)


def test_what_else_differs_with_a_release_is_said_of_the_releases_that_have_it(tmp_path: Path) -> None:
    scenarios = letters()
    whole = scenarios["letters"]
    needing = dataclasses.replace(whole.runners["thread_pool"], packages=("gevent",))
    scenarios = {"letters": dataclasses.replace(whole, runners={**whole.runners, "thread_pool": needing})}
    usual = {name: Package(version, None, requires=()) for name, version in (("gevent", "26.9"), ("greenlet", "3.5"))}
    usual["gevent"] = Package("26.9", None, requires=("greenlet",))
    for version, greenlet in {"26.9": "3.5", "25.9": "3.4", "24.9": "3.4", "23.9": "3.5"}.items():
        plan = of_release(version, plain=version == "26.9")
        packages = {"gevent": Package(version, None, requires=("greenlet",)), "greenlet": Package(greenlet, None)}
        record = make(scenarios, dataclasses.replace(plan, packages=packages))
        record = msgspec.structs.replace(record, reference_packages=usual)
        (tmp_path / f"{version}.json").write_bytes(encode(record))
    may = functions(book_of(tmp_path, scenarios), "builds/index.md")
    found = str(may["releases"]("gevent", "letters", "published", "thread_pool"))
    assert " Other packages differ too: with gevent 25.9 and 24.9, greenlet 3.4, not 3.5.</p>" in found
