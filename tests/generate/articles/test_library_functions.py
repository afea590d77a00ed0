"""What a hand-written page says of the releases of a library."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

import msgspec
import pytest
from factory import Plan, build
from sample_site import book_of, letters, put

from generate.articles.functions import functions
from runners.harness.record.model import Package

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

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
