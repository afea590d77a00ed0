"""The data page, the number that is followed to its files, and the validation."""

from __future__ import annotations

import re
import subprocess
import sys
from typing import TYPE_CHECKING, Literal

import msgspec
import pytest
from factory import REFERENCE, Plan, make_record
from sample_site import DOCS, build_context, build_site, letters, text_at, write_results

from generate.data import validation
from generate.data.estimates import SURE_ROUNDS
from generate.data.validation import Beside, Detection, Made, Planted, Prediction, Share, Slowdown, Validation, Way
from generate.pages.data import VALIDATION_PARTS, one_number, validation_html
from runners.harness.catalogue.scenarios import ROOT
from runners.harness.errors import UserError
from runners.harness.record.codec import encode

if TYPE_CHECKING:
    from pathlib import Path


def test_pooled_files_are_listed_and_the_others_counted(tmp_path: Path) -> None:
    plans = {f"{n}.json": Plan(run_id=f"r{n}") for n in range(2)}
    write_results(tmp_path, plans, letters())
    busy = make_record(letters(), Plan(run_id="busy"))
    machine = msgspec.structs.replace(busy.machine, load_before=9.0)
    (tmp_path / "busy.json").write_bytes(encode(msgspec.structs.replace(busy, machine=machine)))
    page = text_at(build_site(tmp_path, letters(), DOCS), "docs/data.md")
    assert page.count('href="data/raw/') == len(plans)
    assert "1 other file is history" in page


def test_broken_file_has_a_row_and_a_warning(tmp_path: Path) -> None:
    (tmp_path / "broken.json").write_text('{"schema_version": 1,')
    files = build_site(tmp_path, letters(), DOCS)
    assert "broken.json" in text_at(files, "docs/data-problems.md")
    assert "1 result file could not be used" in text_at(files, "docs/data.md")


def run(name: str, speed: float, rounds: int = 12) -> dict[str, Plan]:
    profile: Literal["quick", "full"] = "quick" if rounds < SURE_ROUNDS else "full"
    plan = Plan(build=REFERENCE, rounds=rounds, run_id=name, profile=profile, speed={"thread_pool": speed})
    return {f"{name}/a.json": plan}


@pytest.mark.parametrize(
    "plans",
    [
        run("1", 0.5),
        run("1", 0.5) | run("2", 0.4, 9) | run("3", 0.45, 6),
        run("1", 0.5, 3),
        run("1", 0.5, 3) | run("2", 0.6),
    ],
    ids=["one run", "three runs", "a quick run", "both"],
)
def test_printed_program_recomputes_the_number(tmp_path: Path, plans: dict[str, Plan]) -> None:
    results = tmp_path / "results"
    write_results(results, plans, letters())
    text = one_number(build_context(results, letters()), "method.md", "letters", "published", "thread_pool")
    (program,) = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    done = subprocess.run(  # noqa: S603 - our own words
        [sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    printed = [f"{float(number):.3f}" for number in re.findall(r"[\d.]+", done.stdout)]
    assert re.findall(r"\d+\.\d{3}", text.rpartition("It prints")[2]) == printed
    assert text.count("data/raw/") == len(plans)


FIRST, SECOND = Made("2026-01-01", "fixture-host", "f" * 40), Made("2026-02-02", "other-host", None)
LATER = Made("2026-03-03", "fixture-host", None, "A processor")
VALIDATED = Validation(
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


def test_every_figure_of_the_validation_is_on_the_page(tmp_path: Path) -> None:
    (tmp_path / validation.FILE).write_bytes(msgspec.json.encode(VALIDATED))
    page = validation_html(validation.read(tmp_path)).replace("&nbsp;", " ")
    shares = ["96.4 %<small>of 2,000", "95.1 %<small>of 2,000", "power 93.0 %<small>of 100", "3.3 %<small>of 1,000"]
    counts = ["7 of 554", "8 of 1,607", "9 of 1,010", "10 of 3,637", "1,238 of 1,290", "2 of 15,521"]
    others = [">22 %<", ">10 %<", "75 %, 11 %", "46 of 48<small>missed in primes: published", "20 of 12 rounds"]
    numbers = ["1.101", "3.4 %", "1.087", "23.3 %", "0.910", "0.40 %", "3.1 s", "0.930", "2.00 %", "0.990", "1.010"]
    assert not [words for words in (*shares, *counts, *others, *numbers) if words not in page]


def test_parts_have_their_commit_and_machine_newest_first() -> None:
    lines = re.findall(r'<p class="facts">.*?: (.*?)</p>', validation_html(VALIDATED))
    assert lines == [
        "2026-03-03, <bdi>fixture-host</bdi> (<bdi>A processor</bdi>)",
        "2026-02-02, <bdi>other-host</bdi>",
        f"2026-01-01, <bdi>fixture-host</bdi>, commit <code>{'f' * 12}</code>",
    ]


@pytest.mark.parametrize("text", ["{", '{"detection": {"controls": "many"}}', '{"unknown": 1}'])
def test_broken_validation_is_named_with_the_remedy(tmp_path: Path, text: str) -> None:
    (tmp_path / validation.FILE).write_text(text)
    with pytest.raises(UserError, match=r"validation\.json.*make validate"):
        validation.read(tmp_path)


def test_committed_validation_has_every_part(tmp_path: Path) -> None:
    assert validation.read(ROOT / "docs").made.keys() == VALIDATION_PARTS.keys()
    assert validation_html(validation.read(tmp_path)).count("<table") == 0
