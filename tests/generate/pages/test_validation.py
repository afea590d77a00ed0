"""The record of the validation on the method page."""

from __future__ import annotations

import re
from itertools import permutations
from typing import TYPE_CHECKING

import msgspec
import pytest

from generate.data import validation
from generate.data.validation import (
    Beside,
    Detection,
    Made,
    Planted,
    Prediction,
    Share,
    Slowdown,
    Validation,
    Way,
)
from generate.pages.validation import PARTS, validation_html
from runners.harness.catalogue.scenarios import ROOT

if TYPE_CHECKING:
    from pathlib import Path

FIRST, SECOND = Made("2026-01-01", "fixture-host", "f" * 40), Made("2026-02-02", "other-host", None)
LATER = Made("2026-03-03", "fixture-host", None, "A processor")
FOUND = Validation(
    made={"predictions": FIRST, "detection": FIRST, "pyperf": SECOND},
    predictions=[
        Prediction(
            compared="ratio",
            first=True,
            is_map=False,
            series=700,
            inside=Share(1928, 2000),
            inside_unseen=Share(1902, 2000),
            half_width=0.223,
            long_run=0.098,
            halves=Share(33, 1000),
            scenarios={"primes": Share(96, 100), "power": Share(93, 100)},
        )
    ],
    detection=Detection(
        Share(7, 554),
        Share(8, 1607),
        Share(9, 1010),
        Share(10, 3637),
        Share(1238, 1290),
        Share(2, 15521),
        [Planted(1.2, "computes", Share(46, 48), {"primes: published": Share(3, 5)})],
    ),
    slowdown=[Slowdown(20, 12, 1.101, 0.034, FIRST), Slowdown(20, 6, 1.087, 0.233, LATER, "waits")],
    pyperf=[Beside("additions", 5, Way(0.91, 0.004, 3.1), Way(0.93, 0.02, 12.0))],
    agreement={"tornado_awaiting": {"ab": 0.99, "wrk": 1.01}},
)


def test_without_a_record_the_page_says_so(tmp_path: Path) -> None:
    assert "Not validated yet." in validation_html(validation.read(tmp_path))


def test_every_figure_is_on_the_page(tmp_path: Path) -> None:
    (tmp_path / validation.FILE).write_bytes(msgspec.json.encode(FOUND))
    page = validation_html(validation.read(tmp_path)).replace("&nbsp;", " ")
    for words in (
        "96.4 %<small>of 2,000",
        "95.1 %<small>of 2,000",
        "power 93.0 %<small>of 100",
        ">22 %<",
        ">10 %<",
        "3.3 %<small>of 1,000",
        "75 %, 11 %",
        "7 of 554",
        "1,238 of 1,290",
        "2 of 15,521",
        "46 of 48<small>missed in primes: published",
        "20 of 12 rounds",
        "1.101",
        "23.3 %",
        "0.910",
        "2.00 %",
        "0.990",
    ):
        assert words in page, words


def test_each_part_says_when_and_where_newest_first() -> None:
    lines = re.findall(r'<p class="facts">(.*?)</p>', validation_html(FOUND))
    ours = "Held-out runs, controls and planted differences, a real slowdown"
    assert lines == [
        "A real slowdown: 2026-03-03, <bdi>fixture-host</bdi> (<bdi>A processor</bdi>)",
        "Pyperf: 2026-02-02, <bdi>other-host</bdi>",
        f"{ours}: 2026-01-01, <bdi>fixture-host</bdi>, commit <code>{'f' * 12}</code>",
    ]


def test_parts_of_one_day_have_one_order() -> None:
    made = [Made("2026-03-03", "fixture-host", "f" * 40), LATER, Made("2026-03-03", "another-host", None)]
    trials = [msgspec.structs.replace(FOUND.slowdown[0], made=each) for each in made]
    pages = {validation_html(msgspec.structs.replace(FOUND, slowdown=order)) for order in permutations(trials)}
    facts = {tuple(re.findall(r'<p class="facts">(.*?)</p>', page)) for page in pages}
    assert len(facts) == 1


@pytest.mark.parametrize("text", ["{", '{"detection": {"controls": "many"}}', '{"unknown": 1}'])
def test_a_broken_record_is_named_with_the_remedy(tmp_path: Path, text: str) -> None:
    (tmp_path / validation.FILE).write_text(text)
    with pytest.raises(validation.ValidationError, match=r"validation\.json.*make validate"):
        validation.read(tmp_path)


def test_the_committed_record_can_be_read() -> None:
    read = validation.read(ROOT / "docs")
    assert read.made.keys() == PARTS.keys()
    assert len(read.predictions) >= 8
