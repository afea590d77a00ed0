"""The hand-written pages over the results of two machines: what they say follows the data."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from factory import Plan
from sample_site import book_of, put

from generate.pages.render import render
from runners.harness.catalogue.scenarios import ROOT, find

if TYPE_CHECKING:
    from pathlib import Path

SCENARIOS = find()
CPU, HOME = "articles/cpu-work-beside-an-event-loop.md", "index.md"
BASELINES = {each.baseline_of(each.block_of(case))[1] for each in SCENARIOS.values() for case in each.cases}
COMPARED = {runner for scenario in SCENARIOS.values() for runner in scenario.runners} - BASELINES


@pytest.fixture(scope="module")
def usual(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The pages of a machine on which a pool of processes is fast."""
    return pages_of(
        tmp_path_factory.mktemp("results"), Plan(machine="many-cores", cores=16, speed={"process_pool": 0.6})
    )


@pytest.fixture(scope="module")
def slower(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The pages of one on which whatever is compared takes three times as long."""
    plan = Plan(machine="one-core", cores=1, seed=1, speed=dict.fromkeys(COMPARED, 3.0))
    return pages_of(tmp_path_factory.mktemp("results"), plan)


def pages_of(results: Path, plan: Plan) -> dict[str, str]:
    put(results, {"2026-01-01/r/a.json": plan}, SCENARIOS)
    docs = ROOT / "docs"
    return {path: str(page) for path, page in render(book_of(results, SCENARIOS, docs), docs).items()}


def line_of(page: str, words: str) -> str:
    return next(line for line in page.splitlines() if words in line)


def test_the_short_answer_turns_with_the_machine(usual: dict[str, str], slower: dict[str, str]) -> None:
    there, here = (line_of(pages[CPU], "- a pool of processes: ") for pages in (usual, slower))
    assert "times as fast (" in there
    assert "times as long (" in here
    assert [line_of(pages[CPU], "**The short answer.**").split()[3:5] for pages in (usual, slower)] == [
        ["Processes", "help."],
        ["Processes", "do"],
    ]


def test_home_turns_with_the_machine(usual: dict[str, str], slower: dict[str, str]) -> None:
    there, here = (line_of(pages[HOME], "Processes, against a plain loop") for pages in (usual, slower))
    assert re.search(r"against a plain loop: 1\.\d times as fast \(", there)
    assert re.search(r"against a plain loop: takes [23]\.\d times as long \(", here)


@pytest.mark.parametrize("article", sorted(path.stem for path in (ROOT / "docs/articles").glob("*.md")))
def test_other_results_make_another_article(usual: dict[str, str], slower: dict[str, str], article: str) -> None:
    there, here = (pages[f"articles/{article}.md"] for pages in (usual, slower))
    changed = {*there.splitlines()} ^ {*here.splitlines()}
    assert any(re.search(r"times|not measured|help", line) for line in changed)


def test_no_sentence_has_two_ranges_in_one_bracket(usual: dict[str, str]) -> None:
    words = re.compile(r"\([^()]* to [^()]*;[^()]* to [^()]*\)")
    assert {path: found for path, page in usual.items() if (found := words.findall(page))} == {}
