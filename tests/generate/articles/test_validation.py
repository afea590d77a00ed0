"""The record of the validation on the method page."""

from __future__ import annotations

import re
from itertools import permutations
from typing import TYPE_CHECKING

import msgspec
import pytest

from generate.articles.validation import PARTS, validation_html
from generate.results import validation
from generate.results.validation import (
    Beside,
    Controls,
    Made,
    Power,
    QuickRule,
    Simulated,
    Slowdown,
    Stability,
    Validation,
    Way,
)
from runners.harness.catalogue.scenarios import ROOT

if TYPE_CHECKING:
    from pathlib import Path

    from generate.results.validation import Work

FIRST, SECOND = Made("2026-01-01", "fixture-host", "f" * 40), Made("2026-02-02", "other-host", None)
LATER = Made("2026-03-03", "fixture-host", None, "A processor")
FOUND = Validation(
    made={"simulated": FIRST, "controls": FIRST, "pyperf": SECOND},
    quick=[QuickRule("runs of the fixture", 10, 0, 20, 19, 0, made=SECOND)],
    simulated=Simulated(200, 8, 800, 960),
    controls=Controls(64, 2, 1),
    power=[
        Power("primes", "one", 2, 0.012, {"9": {"0.1": 0.9}, "12": {"0.1": 1.0}}, 12),
        Power("gil_wait", "k=1", 1, 0.3, {"9": {"0.1": 0.2}, "12": {"0.1": 0.3}}, None),
    ],
    slowdown=[Slowdown(20, 12, 19, 1.101, 0.034, FIRST), Slowdown(20, 12, 6, 1.087, 0.233, LATER)],
    pyperf=[Beside("additions", 5, Way(0.91, 0.004, 3.1), Way(0.93, 0.02, 12.0))],
    agreement={"tornado_awaiting": {"ab": 0.99, "wrk": 1.01}},
    stability=Stability("CPython 3.13.0", 5, 40, ["S4.4b"]),
)


def test_without_a_record_the_page_says_so(tmp_path: Path) -> None:
    assert "Not validated yet." in validation_html(validation.read(tmp_path))


def test_every_figure_is_on_the_page(tmp_path: Path) -> None:
    (tmp_path / validation.FILE).write_bytes(msgspec.json.encode(FOUND))
    page = validation_html(validation.read(tmp_path)).replace("&nbsp;", " ")
    for words in (
        "8 of 200 (4.0 %)",
        "960 of 1,000 (96.0 %)",
        "2 of 64 (3.1 %)",
        "1 of 64 (1.6 %)",
        "90, 100",
        "over 12",
        "19 of 20<small>12 rounds each</small>",
        "6 of 20",
        "23.3 %",
        "at most 4 % (1 block), 12 rounds",
        "noisier blocks (1) need",
        "1.101",
        "3.4 %",
        "0.910",
        "0.930",
        "0.40 %",
        "2.00 %",
        "0.990",
        "1.010",
        "1 were decided differently by another (S4.4b)",
    ):
        assert words in page, words


def test_each_part_says_when_and_where_it_was_made_the_newest_first() -> None:
    of_first = "simulations, controls, a real slowdown"
    lines = re.findall(r'<p class="facts">(.*?)</p>', validation_html(FOUND))
    assert lines == [
        "Validated on 2026-03-03, <bdi>fixture-host</bdi> (<bdi>A processor</bdi>): a real slowdown",
        "Validated on 2026-02-02, <bdi>other-host</bdi>: pyperf, few rounds (runs of the fixture)",
        f"Validated on 2026-01-01, <bdi>fixture-host</bdi>, commit <code>{'f' * 12}</code>: {of_first}",
    ]


def test_of_two_trials_from_one_place_and_day_the_place_is_named_once() -> None:
    twice = msgspec.structs.replace(FOUND, slowdown=[FOUND.slowdown[-1]] * 2)
    assert validation_html(twice).count("a real slowdown</p>") == 1


def test_what_was_made_on_one_day_stands_in_one_order() -> None:
    made = [Made("2026-03-03", "fixture-host", "f" * 40), LATER, Made("2026-03-03", "another-host", None)]
    trials = [msgspec.structs.replace(FOUND.slowdown[0], made=each) for each in made]
    lines = {
        tuple(
            re.findall(r'<p class="facts">(.*?)</p>', validation_html(msgspec.structs.replace(FOUND, slowdown=order)))
        )
        for order in permutations(trials)
    }
    assert len(lines) == 1


def test_each_trial_of_a_slowdown_has_its_noise_beside_it_the_newest_first() -> None:
    hours = re.findall(
        r'<th scope="row">(2026-.*?)</th><td>computes</td><td class="n">(.*?)&nbsp;%', validation_html(FOUND)
    )
    assert hours == [("2026-03-03<small><bdi>A processor</bdi></small>", "23.3"), ("2026-01-01", "3.4")]


@pytest.mark.parametrize(
    ("trials", "said"),
    [
        ([(19, 0.034, "computes")], "of at most 4 %. In such trials it was seen 19 of 20 times.<"),
        (
            [(19, 0.034, "computes"), (6, 0.233, "computes")],
            "In such trials it was seen 19 of 20 times. In noisier trials it was seen 6 of 20 times.<",
        ),
        (
            [(12, 0.206, "computes"), (3, 0.237, "computes"), (20, 0.01, "waits")],
            "In noisier trials it was seen 15 of 40 times. No trial that computes was so quiet: ",
        ),
    ],
)
def test_how_often_quiet_and_noisier_trials_see_a_slowdown_is_said(
    trials: list[tuple[int, float, Work]], said: str
) -> None:
    slowdown = [Slowdown(20, 12, seen, 1.1, spread, FIRST, work) for seen, spread, work in trials]
    page = validation_html(msgspec.structs.replace(FOUND, slowdown=slowdown)).replace("&nbsp;", " ")
    assert said in page


@pytest.mark.parametrize("text", ["{", '{"controls": {"comparisons": "many"}}', '{"unknown": 1}'])
def test_a_broken_record_is_named_with_the_remedy(tmp_path: Path, text: str) -> None:
    (tmp_path / validation.FILE).write_text(text)
    with pytest.raises(validation.ValidationError, match=r"validation\.json.*make validate"):
        validation.read(tmp_path)


def test_the_committed_record_can_be_read() -> None:
    read = validation.read(ROOT / "docs")
    assert read.made.keys() <= PARTS.keys()
    assert all(rule.made for rule in read.quick)
