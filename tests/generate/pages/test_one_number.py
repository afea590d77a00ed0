"""The worked example of how a number is checked: its program recomputes the estimate from the files of its runs."""

from __future__ import annotations

import re
import subprocess
import sys
from typing import TYPE_CHECKING, Literal

import pytest
from factory import REFERENCE, Plan
from sample_site import book_of, letters, put

from generate.data.estimates import SURE_ROUNDS
from generate.pages.render import PageError, render
from generate.words.numbers import NO_BREAK

if TYPE_CHECKING:
    from pathlib import Path

ASKED = '{{ one_number("letters", "published", "thread_pool") }}'


def page(tmp_path: Path, plans: dict[str, Plan], asked: str = ASKED) -> str:
    docs = tmp_path / "docs"
    docs.mkdir(parents=True)
    (tmp_path / "results").mkdir()
    put(tmp_path / "results", plans, letters())
    (docs / "index.md").write_text(asked)
    return str(render(book_of(tmp_path / "results", letters()), docs)["index.md"]).replace(NO_BREAK, " ")


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
def test_the_program_prints_what_the_page_says(tmp_path: Path, plans: dict[str, Plan]) -> None:
    text = page(tmp_path, plans)
    (program,) = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    done = subprocess.run(  # noqa: S603 - our own words
        [sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    value, low, high = (f"{float(number):.3f}" for number in re.findall(r"[\d.]+", done.stdout))
    assert f"It prints {value}, and the range from {low} to {high}." in text
    assert f"Over {len(plans)} run" in text
    assert text.count("data/raw/") == len(plans)


def test_a_number_that_was_not_measured_is_not_followed(tmp_path: Path) -> None:
    nothing = '<p class="note">There is no number to follow: not measured.</p>'
    assert page(tmp_path / "none", {}) == nothing
    failed = {"a.json": Plan(build=REFERENCE, status={"thread_pool": "unsupported"})}
    assert page(tmp_path / "failed", failed) == nothing
    with pytest.raises(PageError, match="did you mean thread_pool"):
        page(tmp_path / "wrong", failed, ASKED.replace("thread_pool", "thred_pool"))
