"""What of an article follows the choice of a machine and a build."""

from __future__ import annotations

import json
import re
import shutil
from typing import TYPE_CHECKING, Any

import pytest
from factory import REFERENCE, Plan, build
from sample_site import DOCS, book_of, letters, put

from generate.articles.functions import functions
from generate.articles.pieces import ARGUMENTS, OF_BUILD, OF_MACHINE
from generate.articles.render import PageError, fetched, render
from generate.pages.choices import FOLDER, machines

if TYPE_CHECKING:
    from pathlib import Path

NAME = "articles/letters.md"
FIXED = (
    *("article_cards", "barred", "between_runs", "noisy_runs", "board", "cell_list", "choose_form", "choose_pictures"),
    *("choose_small", "claim_list", "code", "compare_form", "decided_by_several", "everyday_table", "home_pictures"),
    *("link", "one_model_table", "one_number", "own_rule", "quoted_list", "reference_version", "repository"),
    *("rules_table", "source", "source_list", "surprises", "validation"),
)
"""What the others say is the same whatever is chosen, or they stand on pages that offer no choice."""
ARTICLE = """---
place: 1
---

# Which letters?

{{ value("letters", "published", "sync_loop") }} and {{ verdict("S1.1") }},
{{ times("letters", "published", "thread_pool") }};
always {{ value("letters", "published", "sync_loop", build="cpython-3.12.8") }}.

{{ measured_on("letters") }}

{{ table("letters", "published") }}

{{ chart("letters", "published") }}
"""
OWN = {
    "a.json": Plan(build=REFERENCE, speed={"thread_pool": 0.25}),
    "b.json": Plan(speed={"thread_pool": 0.5, "sync_loop": 2.0}),
}
OTHER = {"c.json": Plan(machine="other", run_id="0", build=build("3.11.9"), speed={"thread_pool": 3.0})}


def made(tmp_path: Path, plans: dict[str, Plan], text: str = ARTICLE) -> tuple[str, dict[str, Any]]:
    """Return the article, and what it fetches by path below the folder of machines."""
    put(tmp_path / "results", plans, letters())
    page = tmp_path / "docs" / NAME
    page.parent.mkdir(parents=True)
    page.write_text(text)
    docs = tmp_path / "docs"
    shutil.copytree(DOCS / "claims", docs / "claims")
    context = book_of(tmp_path / "results", letters(), docs)
    files = [each for host, alone in machines(context) for each in fetched(context, alone, host, docs)]
    return str(render(context, docs)[NAME]), {path.removeprefix(f"{FOLDER}/"): json.loads(text) for path, text in files}


def pieces(article: str) -> dict[str, str]:
    """Return the pieces that stand in a line, by number."""
    return dict(re.findall(r'<span data-piece="(\d+)">(.*?)</span>', article))


def test_the_numbers_of_another_build_are_fetched_and_no_more(tmp_path: Path) -> None:
    article, files = made(tmp_path, OWN)
    own = pieces(article)
    assert own.keys() == {"1", "2", "3", "4", "5"}
    of_build = files["fixture-host/articles/letters.json"]["builds"]["cpython-3.13.1"]
    assert of_build.keys() == {"1", "3", "4", "5", "6", "7"}  # not the verdict, which is of all builds
    assert of_build["4"] == own["4"] + ", on CPython 3.12.8"  # it is named, and is not what was chosen
    assert own["3"].startswith("3.9")
    assert of_build["3"].startswith("3.9") is False
    assert "cpython-3.13.1" in of_build["5"]
    assert "cpython-3.12.8" in own["5"]
    assert "-cpython-3.13.1.json" in of_build["7"]
    assert ", on fixture-host" not in of_build["1"]  # it is what was chosen


def test_the_form_below_the_title_offers_the_builds(tmp_path: Path) -> None:
    article, _ = made(tmp_path, OWN)
    title, form = article.partition("# Which letters?")[2].split("\n\n")[:2]
    assert not title
    assert form.startswith('<form class="filters" data-page-filters')
    assert 'data-page="articles/letters"' in form
    assert re.findall(r"<option( selected)?>([^<]+)</option>", form) == [
        (" selected", "cpython-3.12.8"),
        ("", "cpython-3.13.1"),
    ]


def test_another_machine_changes_what_is_said_of_all_builds_as_well(tmp_path: Path) -> None:
    article, files = made(tmp_path, OWN | OTHER)
    other = files["other/articles/letters.json"]
    assert other["pieces"].keys() == {"1", "2", "3", "4", "5", "6", "7"}
    assert other["pieces"]["2"] != pieces(article)["2"]
    assert "does not hold" in other["pieces"]["2"]
    assert other["pieces"]["4"] == "not measured"  # it has not the build that is named
    assert other["builds"] == {}
    assert 'value="other"' in article


def test_where_there_is_nothing_to_choose_there_is_no_form(tmp_path: Path) -> None:
    article, files = made(tmp_path, {"a.json": OWN["a.json"]})
    assert "<form" not in article
    assert files == {}


def test_a_page_that_speaks_of_no_build_has_no_form_and_fetches_nothing(tmp_path: Path) -> None:
    article, files = made(tmp_path, OWN | OTHER, "# Words\n\n{{ link('letters') }}\n")
    assert "<form" not in article
    assert files == {}


def test_a_page_that_loops_by_what_was_measured_is_refused_by_name(tmp_path: Path) -> None:
    value = "{{ value('letters', 'published', 'sync_loop') }}"
    text = f"# Letters\n\n{{% if with_gil('letters').endswith('8') %}}{value}{{% endif %}}\n"
    with pytest.raises(PageError, match=r"^docs/articles/letters\.md: it branches or loops"):
        made(tmp_path, OWN | OTHER, text)


def test_a_page_whose_builds_are_all_named_offers_none(tmp_path: Path) -> None:
    text = "# Letters\n\n{{ value('letters', 'published', 'sync_loop', build=with_gil('letters')) }}\n"
    article, files = made(tmp_path, OWN, text)
    assert "<form" not in article
    assert files == {}


def test_of_each_function_that_pages_may_call_it_is_known_whether_it_follows_a_choice(tmp_path: Path) -> None:
    put(tmp_path, OWN, letters())
    assert sorted([*OF_BUILD, *OF_MACHINE, *ARGUMENTS, *FIXED]) == sorted(functions(book_of(tmp_path, letters()), NAME))
