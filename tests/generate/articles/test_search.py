"""What the search holds of a page that asks for its headings alone."""

from __future__ import annotations

from generate.articles.search import searched

PAGE = """---
title: A page
searched: headings
---

# A page

Its text.

## A part

```console
# no heading
```

- a list
"""


def test_text_is_kept_out_of_the_search_and_headings_are_not() -> None:
    found = searched(PAGE)
    outside = [part.partition("</section>")[2] for part in ("</section>" + found).split("<section")]
    assert [line for part in outside for line in part.splitlines() if line][4:] == ["# A page", "## A part"]
    assert "# no heading" in found


def test_nothing_of_the_page_is_lost_or_moved() -> None:
    marks = ("<section markdown data-search-exclude>", "</section>", "")
    assert [line for line in searched(PAGE).splitlines() if line not in marks] == [
        line for line in PAGE.splitlines() if line
    ]


def test_a_page_that_does_not_ask_is_left_as_it_is() -> None:
    page = PAGE.replace("searched: headings\n", "")
    assert searched(page) == page


def test_a_fragment_that_is_not_searched_stands_alone_since_markdown_would_read_it_again() -> None:
    fragment = '<section class="result" data-search-exclude><p>one</p>\n<p>two</p></section>'
    found = searched(PAGE.replace("- a list\n", f"Before.\n\n{fragment}\n\nAfter.\n"))
    before, after = found.split(f"\n{fragment}\n")
    assert before.count("<section markdown") == before.count("</section>")
    assert "After." in after
    assert after.count("<section markdown") == after.count("</section>") == 1
