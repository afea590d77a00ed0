"""Home's cards: a card for each article that there is, its title from the article, its picture from the results."""

from __future__ import annotations

import re
import shutil
from typing import TYPE_CHECKING

import pytest
from factory import REFERENCE, Plan, build
from map_factory import map_record
from sample_site import DOCS as SAMPLE
from sample_site import book_of, letters, put

from generate.pages.article_cards import cards, opening
from generate.pages.article_list import Bars, Lanes, Map, Rounds, Verdicts, read
from generate.words.front_matter import FrontMatterError
from runners.harness.catalogue import scenarios as catalogue
from runners.harness.record.codec import encode

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

DOCS = catalogue.ROOT / "docs"
LONGEST_NAME = 26
"""Letters that half of a phone's width has room for."""
BARS = (
    '{"kind": "bars", "scenario": "letters", "rows": {"loop": ["sync_loop", "published"],'
    ' "pool": ["thread_pool", "published"]}}'
)
ROUNDS = '{"kind": "rounds", "scenario": "letters", "case": "published", "runner": "sync_loop"}'
VERDICTS = '{"kind": "verdicts"}'
PLANS = {
    "a.json": Plan(build=REFERENCE, speed={"thread_pool": 0.5}),
    "b.json": Plan(speed={"thread_pool": 2.0}),
    "c.json": Plan(build=build("3.12.9", free_threaded=True)),
}


def article(folder: Path, name: str, title: str = "# Why?", **facts: str) -> None:
    path = folder / "articles" / f"{name}.md"
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = [f"{fact}: {written}" for fact, written in facts.items()]
    path.write_text("\n".join(["---", *lines, "---", "", title, "", "## Another head", ""]))


def card(tmp_path: Path, picture: str, plans: Mapping[str, Plan] = PLANS) -> str:
    """Return the card of an article with *picture*."""
    article(tmp_path / "docs", "a", picture=picture)
    (tmp_path / "results").mkdir()
    put(tmp_path / "results", plans, letters())
    return cards(book_of(tmp_path / "results", letters(), tmp_path / "docs"), "index.md")


def test_an_article_opens_with_the_picture_of_its_card_and_each_of_ours_asks_for_it_below_its_title(
    tmp_path: Path,
) -> None:
    on_card = card(tmp_path, BARS)
    context = book_of(tmp_path / "results", letters(), tmp_path / "docs")
    (drawn,) = re.findall(r"<svg.*?</svg>", opening(context, "articles/a.md"), re.DOTALL)
    assert drawn in on_card
    assert opening(context, "articles/none.md") == ""
    for path in (DOCS / "articles").glob("*.md"):
        assert re.search(r"^# .+\n\n\{\{ opening_picture\(\) \}\}\n", path.read_text(), re.MULTILINE), path.name


def test_an_article_whose_picture_was_not_measured_names_the_command(tmp_path: Path) -> None:
    article(tmp_path / "docs", "a", picture=BARS)
    (tmp_path / "results").mkdir()
    context = book_of(tmp_path / "results", letters(), tmp_path / "docs")
    found = opening(context, "articles/a.md")
    assert "Nothing to draw: not measured. To measure it: <code>python -m runners run --scenario letters" in found


def test_articles_are_found_and_stand_as_in_the_navigation(tmp_path: Path) -> None:
    article(tmp_path, "b", "# First? {: #first }", place="0", description="It is about this.")
    article(tmp_path, "a", "# Second?", place="3", tags="[x]")
    article(tmp_path, "0", "# Last of all?", group="Pythons", place="0")
    assert [(found.page, found.title, found.description) for found in read(tmp_path)] == [
        ("articles/b.md", "First?", "It is about this."),
        ("articles/a.md", "Second?", ""),
        ("articles/0.md", "Last of all?", ""),
    ]


def test_each_article_picture_names_what_there_is() -> None:
    known, found = catalogue.find(), read(DOCS)
    assert {f"{DOCS.name}/{each.page}" for each in found} == {
        path.relative_to(DOCS.parent).as_posix() for path in (DOCS / "articles").glob("*.md")
    }
    assert {type(each.picture) for each in found} == {Bars, Lanes, Map, Rounds, Verdicts}
    for each in found:
        if isinstance(each.picture, Bars):
            scenario = known[each.picture.scenario]
            for runner, *cases in each.picture.rows.values():
                assert all(scenario.runners[runner].takes_part(scenario.cases[case]) for case in cases), each.page
        if isinstance(each.picture, Bars | Lanes):
            assert max(map(len, each.picture.rows)) <= LONGEST_NAME, each.page
            assert 2 <= len(each.picture.rows) <= 5, each.page


@pytest.mark.parametrize(
    ("picture", "says"),
    [
        ('{"kind": "pie"}', "picture: Invalid value 'pie'"),
        ('{"kind": "bars", "scenario": "letters", "rows": {"loop": ["sync_loop"]}}', "picture: Expected `array`"),
        ('{"kind": "map", "tasks": 100, "colour": "red"}', "picture: Object contains unknown field `colour`"),
        ("{kind: map, tasks: 100}", "picture: JSON is malformed"),
    ],
)
def test_a_picture_that_is_not_one_is_rejected_by_file(tmp_path: Path, picture: str, says: str) -> None:
    article(tmp_path, "a", picture=picture)
    with pytest.raises(FrontMatterError, match=rf"^articles/a\.md: {re.escape(says)}"):
        read(tmp_path)


def test_an_article_without_a_title_is_refused_with_its_file(tmp_path: Path) -> None:
    article(tmp_path, "a", "No title")
    with pytest.raises(FrontMatterError, match=r"^articles/a\.md: it has no title"):
        read(tmp_path)


@pytest.mark.parametrize(
    ("picture", "says"),
    [
        (BARS.replace("letters", "leters"), "no scenario is called 'leters' (did you mean letters?)"),
        (BARS.replace("sync_loop", "sync_lop"), "no runner of letters is called 'sync_lop'"),
        (BARS.replace("published", "publised"), "no case of letters is called 'publised'"),
        (BARS.replace('"rows"', '"metric": "elapsed_s", "rows"'), "no metric of letters is called 'elapsed_s'"),
        (ROUNDS.replace("sync_loop", "sync_lop"), "no runner of letters is called 'sync_lop'"),
    ],
)
def test_a_picture_of_unknown_names_is_rejected(tmp_path: Path, picture: str, says: str) -> None:
    with pytest.raises(FrontMatterError, match=rf"^articles/a\.md: picture: {re.escape(says)}"):
        card(tmp_path, picture)


def test_bars_say_their_values_to_those_who_do_not_see_them(tmp_path: Path) -> None:
    found = card(tmp_path, BARS)
    build_and_values = re.search(r'aria-label="[^"]*CPython (3\.\d+\.\d+): loop 1\.\d\ss, pool [\d.]+\sm?s"', found)
    assert build_and_values
    assert re.findall(r'<text x="0" y="\d+">(.*?)</text>', found) == ["loop", "pool"]
    assert f"lower is better. CPython {build_and_values[1]}." in found
    assert "second" not in found


def test_a_lighter_bar_is_of_the_same_release_without_the_gil(tmp_path: Path) -> None:
    twins = {"a.json": Plan(build=build("3.12.9", free_threaded=True)), "b.json": Plan(build=build("3.12.10"))}
    found = card(tmp_path, BARS.replace('"rows"', '"without_gil": true, "rows"'), twins)
    assert found.count('class="second"') == 2
    assert "; lighter: CPython 3.12.9 free-threaded." in found


def test_a_row_without_a_value_keeps_its_place_and_says_so(tmp_path: Path) -> None:
    found = card(tmp_path, BARS, {"a.json": Plan(status={"thread_pool": "failed"})})
    assert ">pool: no value</text>" in found
    assert found.count("<rect") == 1


@pytest.mark.parametrize(
    ("picture", "command"),
    [
        (BARS, "python -m runners run --scenario letters"),
        (ROUNDS, "python -m runners run --scenario letters"),
        ('{"kind": "map", "tasks": 100}', "make report PROFILE=map"),
        (VERDICTS, "make report PYTHONS=&#34;3.13 3.14&#34;"),
    ],
)
def test_a_picture_without_data_says_what_to_run(tmp_path: Path, picture: str, command: str) -> None:
    found = card(tmp_path, picture, {})
    assert f"Nothing to draw: not measured. To measure it: <code>{command}</code>" in found
    assert "<svg" not in found


def test_a_full_run_is_asked_for_what_no_quick_run_has(tmp_path: Path) -> None:
    (tmp_path / "results").mkdir()
    text = cards(book_of(tmp_path / "results", catalogue.find(), DOCS), "index.md")
    commands = {*re.findall(r"Nothing to draw: not measured. To measure it: <code>(.*?)</code>", text)}
    assert {
        "python -m runners run --scenario primes",
        "python -m runners run --profile full --scenario idle_tasks",
    } <= commands


def test_rounds_are_dots_with_the_control(tmp_path: Path) -> None:
    found = card(tmp_path, ROUNDS, {"a.json": Plan(rounds=9)})
    assert found.count('class="dot"') == 2 * 9
    assert "the 9 rounds of one run" in found
    places = [float(place) for place in re.findall(r'class="dot" x="([\d.]+)%"', found)]
    assert (min(places), max(places)) == (4, 96)


def test_verdicts_that_differ_are_squares(tmp_path: Path) -> None:
    shutil.copytree(SAMPLE, tmp_path / "docs")
    letters_drawn = re.findall(r'<g data-v="(\w)">', card(tmp_path, VERDICTS))
    assert len(letters_drawn) == len(PLANS)
    assert (letters_drawn[0], letters_drawn[-1]) == ("h", "x")


def test_where_no_build_decides_otherwise_that_is_said(tmp_path: Path) -> None:
    shutil.copytree(SAMPLE, tmp_path / "docs")
    found = card(tmp_path, VERDICTS, {name: Plan(build=plan.build) for name, plan in PLANS.items()})
    assert "No claim holds on one of 3 builds and not on another." in found
    assert "<svg" not in found


def test_the_map_marks_the_fastest_family_at_each_point(tmp_path: Path) -> None:
    (tmp_path / "results").mkdir()
    (tmp_path / "results" / "map.json").write_bytes(encode(map_record()))
    article(tmp_path / "docs", "a", picture='{"kind": "map", "tasks": 10}')
    scenarios = {"crossover": catalogue.find()["crossover"]}
    found = cards(book_of(tmp_path / "results", scenarios, tmp_path / "docs"), "index.md")
    assert found.count("<g class=") == found.count('class="dot"') > 4
    assert '<span class="mark family-asyncio"></span>asyncio' in found


def test_lanes_are_drawn_as_they_are_written(tmp_path: Path) -> None:
    found = card(tmp_path, '{"kind": "lanes", "rows": {"both": ["threads", "rw", ".rww"]}}', {})
    assert re.findall(r'<rect( class="second")? x="([\d.]+)%" y="(\d+)" width="([\d.]+)%"/>', found) == [
        ("", "0", "17", "25"),
        (' class="second"', "25", "17", "25"),
        ("", "25", "31", "25"),
        (' class="second"', "50", "31", "50"),
    ]


def test_a_card_without_a_picture_has_all_else(tmp_path: Path) -> None:
    article(tmp_path / "docs", "a", "# <Why> & how?", description="This & that.")
    (tmp_path / "results").mkdir()
    found = cards(book_of(tmp_path / "results", letters(), tmp_path / "docs"), "deep/index.md")
    assert '<h3><a href="../articles/a.html">&lt;Why&gt; &amp; how?</a></h3>' in found
    assert "<p>This &amp; that.</p>" in found
    assert "cards__picture" not in found
