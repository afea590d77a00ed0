"""The table of a library's releases."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

import msgspec
import pytest
from factory import Plan, build, make
from sample_site import book_of, letters, put

from generate.pages.article_functions import functions
from runners.harness.record.codec import encode
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


def test_a_release_that_failed_says_why(tmp_path: Path) -> None:
    failed = dataclasses.replace(of_release("25.9"), status={"thread_pool": "failed"})
    assert "failed (fixture: failed)" in said(tmp_path, of_release("26.9", plain=True), failed)


def test_the_newest_release_comes_first(tmp_path: Path) -> None:
    found = said(tmp_path, of_release("9.5"), of_release("26.9", plain=True), of_release("25.10"))
    rows = [part.split("</")[0] for part in found.split('<th scope="row" role="rowheader">')[1:]]
    assert rows == ["26.9", "25.10", "9.5"]
    assert "Against 26.9" in found
    assert "Against sync loop" in found


@pytest.mark.parametrize(
    ("speeds", "words"),
    [
        ((0.25,), "No other release is seen to differ from 26.9. The answer stays the same"),
        ((0.5, 0.25), "25.9 differs from 26.9. The answer stays the same: against “sync loop”, with 26.9, 4.0"),
        ((0.5, 0.6), "25.9 and 24.9 differ from 26.9. The answer stays the same"),
        ((8.0,), "25.9 differs from 26.9. How it compares with “sync loop” depends on the release."),
    ],
)
def test_whether_a_release_changed_the_answer(tmp_path: Path, speeds: tuple[float, ...], words: str) -> None:
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
def test_without_another_release_there_is_the_command(tmp_path: Path, plans: Mapping[str, Plan]) -> None:
    assert "+gevent==VERSION</code>" in said(tmp_path, *plans.values())


def test_other_packages_of_a_release_are_named(tmp_path: Path) -> None:
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
