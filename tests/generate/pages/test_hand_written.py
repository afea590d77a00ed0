"""The hand-written pages: figures come from the data, articles have their parts, and other results make other pages.

A number with a unit comes from a function, or is listed in typed_figures.toml with its origin. To list one is to state
that no new measurement can make it wrong.
"""

import re
import shlex
import tomllib
from pathlib import Path

import pytest
from factory import Plan
from sample_site import build_context, write_results

from generate.pages.hand_written import render
from runners.harness.catalogue.scenarios import ROOT, find

DOCS = ROOT / "docs"
SCENARIOS = find()
TEXTS = {path.relative_to(DOCS).as_posix(): path.read_text(encoding="utf-8") for path in sorted(DOCS.rglob("*.md"))}
ARTICLES = [page for page in TEXTS if page.startswith("articles/")]
CPU = "articles/cpu-work-beside-an-event-loop.md"
CODE = re.compile(r'\{\{ code\("(\w+)", "(\w+)"(?:, highlight="([\d -]+)")?\) \}\}')
FILE = Path(__file__).with_name("typed_figures.toml")
LISTED = tomllib.loads(FILE.read_text(encoding="utf-8"))
UNITS = (
    "ns|µs|ms|s|seconds?|minutes?|hours?|milliseconds?|microseconds?"
    "|times|x|\N{MULTIPLICATION SIGN}|%|per cent|per second|requests?/s|requests per second|requests a second"
)
WORDS = "half an?|two|three|four|five|six|seven|eight|nine|ten|twelve|a quarter of an?|a tenth of an?"
SPELLED = "seconds?|minutes?|hours?|per cent|times as|times the"
FIGURE = re.compile(rf"(?<![\w.])(?:(\d[\d,.]*)[ \N{{NO-BREAK SPACE}}]?({UNITS})|({WORDS})[ \n]({SPELLED}))(?!\w)")
NOT_PROSE = re.compile(r"\A---\n.*?\n---\n|```.*?```|\{[{%#].*?[}%#]\}|`[^`\n]*`", re.DOTALL)
UNSEEN = re.compile(r"\A---\n.*?\n---\n|<(details|style|svg).*?</\1>|<[^>]+>|\]\([^)]*\)|\{:.*?\}", re.DOTALL)
PROSE = TEXTS | {f"notes of {name}": " ".join(scenario.notes.values()) for name, scenario in SCENARIOS.items()}


def typed_in(text: str) -> set[str]:
    return {" ".join(filter(None, matches)) for matches in FIGURE.findall(NOT_PROSE.sub(" ", text))}


@pytest.mark.parametrize("page", PROSE)
def test_no_measurement_is_typed_in(page: str) -> None:
    listed = {figure for figures in LISTED.get(page, {}).values() for figure in figures}
    place, typed = f'["{page}"] of {FILE.relative_to(ROOT)}', typed_in(PROSE[page])
    assert typed - listed == set(), f"take it from a function, or list it at {place}"
    assert listed - typed == set(), f"listed at {place}, and not on the page"


@pytest.mark.parametrize("page", ARTICLES)
def test_article_answers_first_and_ends_with_how_to_try_it(page: str) -> None:
    text = TEXTS[page]
    heads = ["**The short answer.**", "## What would change the answer", "## Try it", "## Sources"]
    places = [text.find(head) for head in heads]
    assert -1 not in places
    assert places == sorted(places)
    assert "```console\npython -m runners " in text[places[2] : places[3]]
    name = re.search(r"^# (.+)$", text, re.MULTILINE)
    assert name
    assert name[1].endswith("?")


def test_code_of_articles_marks_existing_lines() -> None:
    matches = [code for page in ARTICLES for code in CODE.findall(TEXTS[page])]
    assert len(matches) > len(ARTICLES) / 2
    for scenario, runner, marked in matches:
        lines = (ROOT / "runners" / scenario / f"{runner}.py").read_text(encoding="utf-8").splitlines()
        assert marked, (scenario, runner)
        assert all(lines[int(number) - 1].strip() for number in re.findall(r"\d+", marked)), (scenario, runner)


COMMANDS = re.findall(r"^python -m runners run .*--scenario.*$", TEXTS["run-it-yourself.md"], re.MULTILINE)


@pytest.mark.parametrize("command", COMMANDS)
def test_command_names_existing_scenario_case_and_metric(command: str) -> None:
    words = shlex.split(command)
    options = {name: words[place + 1] for place, name in enumerate(words) if name.startswith("--")}
    scenario = SCENARIOS[options["--scenario"]]
    assert options.get("--case", next(iter(scenario.cases))) in scenario.cases
    assert options.get("--metric", scenario.metrics[0].name) in {metric.name for metric in scenario.metrics}


BASELINES = {each.find_baseline(each.find_block(case))[1] for each in SCENARIOS.values() for case in each.cases}
COMPARED = {runner for scenario in SCENARIOS.values() for runner in scenario.runners} - BASELINES


def render_pages(results: Path, plan: Plan) -> dict[str, str]:
    write_results(results, {"2026-01-01/r/a.json": plan}, SCENARIOS)
    return {path: str(page) for path, page in render(build_context(results, SCENARIOS, DOCS), DOCS).items()}


@pytest.fixture(scope="module")
def usual(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Render the pages of a machine on which a pool of processes is fast."""
    plan = Plan(rounds=4, machine="many-cores", cores=16, speed={"process_pool": 0.6})
    return render_pages(tmp_path_factory.mktemp("results"), plan)


@pytest.fixture(scope="module")
def slower(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Render the pages of a machine on which everything compared takes three times as long."""
    plan = Plan(rounds=4, machine="one-core", cores=1, seed=1, speed=dict.fromkeys(COMPARED, 3.0))
    return render_pages(tmp_path_factory.mktemp("results"), plan)


def find_line(page: str, words: str) -> str:
    return next(line for line in page.splitlines() if words in line)


def test_answers_turn_with_the_machine(usual: dict[str, str], slower: dict[str, str]) -> None:
    there, here = (find_line(pages[CPU], "a pool of processes: ") for pages in (usual, slower))
    assert "times as fast (" in there
    assert re.search(r"takes [23]\.\d times as long \(", here)
    assert usual["index.md"] != slower["index.md"]


@pytest.mark.parametrize("article", ARTICLES)
def test_article_is_short_and_changes_with_the_results(
    usual: dict[str, str], slower: dict[str, str], article: str
) -> None:
    assert len(re.findall(r"\S*\w\S*", UNSEEN.sub(" ", usual[article]))) <= 1_200
    changed = {*usual[article].splitlines()} ^ {*slower[article].splitlines()}
    assert any(re.search(r"times|not measured|help|\s[mµ]s\b", line) for line in changed)
