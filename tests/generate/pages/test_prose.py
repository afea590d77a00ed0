"""The hand-written pages: no measurement of ours is typed in, and nothing is said of where it was written.

A number with a unit comes from a helper, or stands in typed_figures.toml with where it is from. To list one is to say
that no new measurement can make it wrong.
"""

from __future__ import annotations

import re
import subprocess
import sys
import textwrap
import tomllib
from pathlib import Path

import pytest

from runners.harness.catalogue.scenarios import ROOT, find

DOCS = ROOT / "docs"
SCENARIOS = find()
PAGES = sorted(path.relative_to(DOCS).as_posix() for path in DOCS.rglob("*.md"))
ARTICLES = [page for page in PAGES if page.startswith("articles/")]
CODE = re.compile(r'\{\{ code\("(\w+)", "(\w+)"(?:, highlight="([\d -]+)")?\) \}\}')
FILE = Path(__file__).with_name("typed_figures.toml")
LISTED = tomllib.loads(FILE.read_text(encoding="utf-8"))
PLACE = FILE.relative_to(ROOT).as_posix()
KINDS = {"printed", "parameter", "rule", "arithmetic"}
UNITS = (
    "ns|µs|ms|s|seconds?|minutes?|hours?|milliseconds?|microseconds?"
    "|times|x|\N{MULTIPLICATION SIGN}|%|per cent|per second|requests?/s|requests per second|requests a second"
)
WORDS = "half an?|two|three|four|five|six|seven|eight|nine|ten|twelve|a quarter of an?|a tenth of an?"
SPELLED = "seconds?|minutes?|hours?|per cent|times as|times the"
FIGURE = re.compile(rf"(?<![\w.])(?:(\d[\d,.]*)[ \N{{NO-BREAK SPACE}}]?({UNITS})|({WORDS})[ \n]({SPELLED}))(?!\w)")
IN_REPOSITORY = re.compile(r"(?<![\w/<.])(?:\.?[a-z]+/)+(?:\w+\.py)?")
NOT_PROSE = re.compile(r"\A---\n.*?\n---\n|```.*?```|\{[{%#].*?[}%#]\}|`[^`\n]*`", re.DOTALL)


def typed_in(text: str) -> set[str]:
    return {" ".join(filter(None, found)) for found in FIGURE.findall(NOT_PROSE.sub(" ", text))}


def listed(page: str) -> set[str]:
    return {figure for figures in LISTED.get(page, {}).values() for figure in figures}


@pytest.mark.parametrize("page", PAGES)
def test_no_measurement_is_typed_in(page: str) -> None:
    found = typed_in((DOCS / page).read_text(encoding="utf-8"))
    assert found - listed(page) == set(), f'take it from a function, or list it at ["{page}"] of {PLACE}'
    assert listed(page) - found == set(), f'listed at ["{page}"] of {PLACE}, and not on the page'


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_none_is_typed_into_a_note_at_a_row(scenario: str) -> None:
    key = f"notes of {scenario}"
    found = typed_in(" ".join(SCENARIOS[scenario].notes.values()))
    assert found - listed(key) == set(), f'leave it out, or list it at ["{key}"] of {PLACE}'
    assert listed(key) - found == set(), f'listed at ["{key}"] of {PLACE}, and in no note'


@pytest.mark.parametrize("page", ARTICLES)
def test_an_article_can_be_read_in_one_sitting(page: str) -> None:
    text = NOT_PROSE.sub(" ", (DOCS / page).read_text(encoding="utf-8"))
    assert 800 <= len(re.findall(r"[A-Za-z][\w'-]*", text)) <= 1600


def test_the_page_that_says_how_all_works_is_short() -> None:
    text = NOT_PROSE.sub(" ", (DOCS / "how-it-works.md").read_text(encoding="utf-8"))
    assert 500 <= len(re.findall(r"[A-Za-z][\w'-]*", text)) <= 1000


def test_what_that_page_names_of_the_repository_is_there() -> None:
    pages = [(DOCS / name).read_text(encoding="utf-8") for name in ("how-it-works.md", "_way_of_a_number.jinja")]
    named = {path for page in pages for path in IN_REPOSITORY.findall(page)}
    assert {"runners/harness/measure.py", "generate/pages/", ".github/workflows/"} < named
    assert [path for path in sorted(named) if not (ROOT / path).exists()] == []


@pytest.mark.parametrize("page", ARTICLES)
def test_an_article_answers_first_and_ends_with_what_would_change_it_and_how_to_try_it(page: str) -> None:
    text = (DOCS / page).read_text(encoding="utf-8")
    heads = ["**The short answer.**", "## What would change the answer", "## Try it", "## Sources"]
    places = [text.find(head) for head in heads]
    assert -1 not in places
    assert places == sorted(places)
    assert "```console\npython -m runners " in text[places[2] : places[3]]


@pytest.mark.parametrize("page", ARTICLES)
def test_an_article_is_named_by_its_question_and_says_what_else_it_may_be_asked_for_by(page: str) -> None:
    text = (DOCS / page).read_text(encoding="utf-8")
    name = re.search(r"^# (.+)$", text, re.MULTILINE)
    assert name is not None
    assert name[1].endswith("?")
    assert re.match(r"---\n(?:.+\n)*tags: \[.+\]\n", text)


def test_code_in_articles_is_a_runner_s_file_with_the_lines_that_matter_marked() -> None:
    found = [one for page in ARTICLES for one in CODE.findall((DOCS / page).read_text(encoding="utf-8"))]
    assert len(found) > len(ARTICLES) / 2
    for scenario, runner, marked in found:
        lines = (ROOT / "runners" / scenario / f"{runner}.py").read_text(encoding="utf-8").splitlines()
        assert marked, (scenario, runner)
        assert all(lines[int(number) - 1].strip() for number in re.findall(r"\d+", marked)), (scenario, runner)


def test_the_watchdog_of_the_article_prints_the_line_that_blocks(tmp_path: Path) -> None:
    text = (DOCS / "articles/a-server-that-blocks.md").read_text(encoding="utf-8")
    (watchdog,) = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    program = tmp_path / "program.py"
    program.write_text(
        textwrap.dedent(watchdog)
        + """
import time

async def main():
    watching = asyncio.create_task(watch(0.15))
    await asyncio.sleep(0)
    time.sleep(0.3)  # the line that blocks
    watching.cancel()

asyncio.run(main())
"""
    )
    done = subprocess.run([sys.executable, program], capture_output=True, text=True, check=True)  # noqa: S603 - fixed words
    assert "Timeout (" in done.stderr
    blocking = program.read_text().splitlines().index("    time.sleep(0.3)  # the line that blocks") + 1
    assert f'program.py", line {blocking} in main' in done.stderr


def test_every_listed_figure_says_where_it_is_from() -> None:
    assert LISTED.keys() <= {*PAGES, *(f"notes of {scenario}" for scenario in SCENARIOS)}
    assert {kind for page in LISTED.values() for kind in page} <= KINDS


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It took 1.9 s.", {"1.9 s"}),
        ("twice: 3,000 requests/s and 2.5\N{NO-BREAK SPACE}times", {"3,000 requests/s", "2.5 times"}),
        ("`1.9 s` and {{ value('a', 'b', 'c') }} s, Python 3.13, S5.2, 12 at once", set()),
        ("in about four minutes, or half an hour", {"four minutes", "half an hour"}),
        ("```\n4 ms\n```", set()),
    ],
)
def test_a_figure_is_a_number_with_a_unit_outside_code_and_helpers(text: str, expected: set[str]) -> None:
    assert typed_in(text) == expected
