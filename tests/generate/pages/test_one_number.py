"""The worked example of how a number is checked: its samples are the file's, and its program computes what it says."""

from __future__ import annotations

import re
import subprocess
import sys
from typing import TYPE_CHECKING

import msgspec
import pytest
from factory import REFERENCE, Plan, make
from sample_site import book_of, letters

from generate.articles.render import PageError, render
from generate.text.numbers import NO_BREAK, format_ratio, format_value
from runners.harness.record.codec import encode

if TYPE_CHECKING:
    from pathlib import Path

    from runners.harness.record.model import Record, Samples

ASKED = '{{ one_number("letters", "published", "thread_pool") }}'


def said(tmp_path: Path, record: Record | None, asked: str = ASKED) -> str:
    results, docs = tmp_path / "results", tmp_path / "docs"
    for folder in (results, docs):
        folder.mkdir()
    if record:
        (results / "a.json").write_bytes(encode(record))
    (docs / "index.md").write_text(asked)
    return str(render(book_of(results, letters()), docs)["index.md"]).replace(NO_BREAK, " ")


def record_of(rounds: int) -> Record:
    return make(letters(), Plan(build=REFERENCE, rounds=rounds, speed={"thread_pool": 0.5}))


def samples(record: Record, runner: str) -> Samples:
    wanted = ("published", runner, "subject")
    return next(one.samples for one in record.series if (one.case, one.runner, one.role) == wanted)


@pytest.mark.parametrize("rounds", [3, 9, 12])
def test_every_sample_stands_beside_its_baseline_s_of_the_same_round(tmp_path: Path, rounds: int) -> None:
    record = record_of(rounds)
    page = said(tmp_path, record)
    ours, baseline = (samples(record, runner).values["elapsed_ns"] for runner in ("thread_pool", "sync_loop"))
    for number, (own, other) in enumerate(zip(ours, baseline, strict=True), start=1):
        assert isinstance(own, int)
        assert isinstance(other, int)
        cells = f'<td class="n">{other:,}</td><td class="n">{own:,}</td><td class="n">{format_ratio(own / other)}</td>'
        assert f'<th scope="row">{number}</th>{cells}' in page
    assert f"It holds {rounds} samples of the thread pool in the column `elapsed_ns`" in page


def test_the_program_on_the_page_computes_the_median_and_the_ratio_that_the_page_says(tmp_path: Path) -> None:
    record = record_of(12)
    page = said(tmp_path, record)
    (program,) = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    done = subprocess.run(  # noqa: S603 - our own words
        [sys.executable, "-c", program], cwd=tmp_path / "results", capture_output=True, text=True, check=True
    )
    found = dict(line.split(": ") for line in done.stdout.splitlines())
    assert f"the median is {format_value(float(found['median']), 'ns')}.".replace(NO_BREAK, " ") in page
    ratio = float(found["ratio"])
    assert f"in the middle, by size, is {format_ratio(ratio)}, or {format_ratio(1 / ratio)} the other way" in page


@pytest.mark.parametrize(
    ("rounds", "ends"), [(3, "from the smallest, "), (9, "from the 2nd smallest, "), (12, "from the 3rd smallest, ")]
)
def test_the_ends_of_the_interval_are_named_by_their_place(tmp_path: Path, rounds: int, ends: str) -> None:
    page = said(tmp_path, record_of(rounds))
    assert ends in page
    ordered = sorted(value for value in samples(record_of(rounds), "thread_pool").values["elapsed_ns"] if value)
    middle = ordered[(rounds - 1) // 2 : rounds // 2 + 1]
    assert f"by size, {'is' if rounds % 2 else 'are'} {' and '.join(f'{value:,}' for value in middle)}:" in page


def test_a_number_that_was_not_measured_is_not_followed_and_one_that_does_not_exist_stops_the_build(
    tmp_path: Path,
) -> None:
    for folder in ("none", "failed", "wrong"):
        (tmp_path / folder).mkdir()
    nothing = '<p class="note">There is no number to follow: not measured.</p>'
    assert said(tmp_path / "none", None) == nothing
    failed = make(letters(), Plan(build=REFERENCE, status={"thread_pool": "unsupported"}))
    assert said(tmp_path / "failed", failed) == nothing
    with pytest.raises(PageError, match="did you mean thread_pool"):
        said(tmp_path / "wrong", failed, ASKED.replace("thread_pool", "thred_pool"))


def test_without_a_commit_it_is_said_that_none_is_known(tmp_path: Path) -> None:
    record = record_of(12)
    unknown = msgspec.structs.replace(record, run=msgspec.structs.replace(record.run, commit=None, dirty=None))
    assert "by the code of no known commit" in said(tmp_path, unknown)
