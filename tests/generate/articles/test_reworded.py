"""The hand-written pages over the results of two machines: what they say follows the data."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from factory import Plan
from sample_site import put, site_of, text_of

from runners.harness.catalogue.scenarios import ROOT, find

if TYPE_CHECKING:
    from pathlib import Path

SCENARIOS = find()
CPU, HOME = "docs/articles/cpu-work-beside-an-event-loop.md", "docs/index.md"


@pytest.fixture(scope="module")
def machines(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, str]]:
    """The pages by machine: on the one a pool of processes is fast, on the other both pools are slow."""
    plans = {
        "many cores": Plan(machine="many-cores", cores=16, speed={"process_pool": 0.6}),
        "one core": Plan(machine="one-core", cores=1, speed={"process_pool": 3.0, "thread_pool": 3.0}),
    }
    return {name: pages_of(tmp_path_factory.mktemp("results"), plan) for name, plan in plans.items()}


def pages_of(results: Path, plan: Plan) -> dict[str, str]:
    put(results, {"2026-01-01/r/a.json": plan}, SCENARIOS)
    made = site_of(results, SCENARIOS, ROOT / "docs")
    return {path: text_of(made, path) for path in made if path.endswith(".md")}


def line_of(page: str, words: str) -> str:
    return next(line for line in page.splitlines() if words in line)


def test_the_short_answer_turns_with_the_machine(machines: dict[str, dict[str, str]]) -> None:
    there, here = (line_of(machines[name][CPU], "- a pool of processes: ") for name in machines)
    assert re.search(r"1\.[67]\d times as fast", there)
    assert re.search(r"takes [23]\.\d\d times as long", here)
    assert "times as long" in line_of(machines["one core"][CPU], "- a pool of threads: ")


def test_the_sentence_of_home_turns_with_the_machine(machines: dict[str, dict[str, str]]) -> None:
    there, here = (line_of(machines[name][HOME], "Processes are ") for name in machines)
    assert re.search(r"Processes are 1\.[67]\d times as fast as a plain loop \(1\.\d+ to 1\.\d+\); threads are ", there)
    longer = r"[23]\.\d\d times the time \([23]\.\d+ to [23]\.\d+\)"
    assert re.search(rf"Processes are slower than a plain loop, {longer}; threads are slower, {longer}\.", here)


def test_a_verdict_that_depends_on_the_machine_is_another_there(machines: dict[str, dict[str, str]]) -> None:
    told = [line_of(pages[CPU], "faster at all") for pages in machines.values()]
    assert "holds on CPython" in told[0]
    assert "not measured" in told[1]


@pytest.fixture(scope="module")
def slower(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The pages where whatever is compared takes twice as long as it does in the tests' own results."""
    baselines = {each.baseline_of(each.block_of(case))[1] for each in SCENARIOS.values() for case in each.cases}
    compared = {runner for scenario in SCENARIOS.values() for runner in scenario.runners} - baselines
    plan = Plan(machine="many-cores", cores=16, seed=1, speed=dict.fromkeys(compared, 2.0))
    return pages_of(tmp_path_factory.mktemp("results"), plan)


@pytest.mark.parametrize("article", sorted(path.stem for path in (ROOT / "docs/articles").glob("*.md")))
def test_every_article_says_something_else_where_something_else_was_measured(
    machines: dict[str, dict[str, str]], slower: dict[str, str], article: str
) -> None:
    there, here = (pages[f"docs/articles/{article}.md"] for pages in (machines["many cores"], slower))
    changed = {*there.splitlines()} ^ {*here.splitlines()}
    assert any(re.search(r"times|not measured|none was seen|: yes|: no", line) for line in changed)


def test_no_page_names_a_machine_that_has_no_results(machines: dict[str, dict[str, str]]) -> None:
    for name, other in (("many cores", "one-core"), ("one core", "many-cores")):
        assert [path for path, page in machines[name].items() if other in page] == []
