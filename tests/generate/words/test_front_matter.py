"""What a page says of itself in its first lines."""

from __future__ import annotations

import pytest

from generate.words.front_matter import FrontMatterError, front_matter, place_of


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        ("---\nplace: 2\ntags: [a, b]\n---\n\n# A page\n", {"place": "2", "tags": "[a, b]"}),
        ('---\npicture: {"a": 1,\n  "b": 2}\nplace: 1\n---\n', {"picture": '{"a": 1,\n  "b": 2}', "place": "1"}),
        ("---\ndescription: One: and two.\n---\n", {"description": "One: and two."}),
        ("# A page\n\n---\nplace: 2\n---\n", {}),
        ("---\nplace: 2\n", {}),
        ("", {}),
    ],
)
def test_facts_stand_between_the_first_lines_of_dashes_and_go_on_where_indented(
    text: str, facts: dict[str, str]
) -> None:
    assert front_matter(text) == facts


def test_a_page_without_a_place_comes_last_and_one_whose_place_is_no_number_is_named() -> None:
    assert place_of("a.md", {"place": "2"}) < place_of("a.md", {})
    with pytest.raises(FrontMatterError, match=r"^articles/a\.md: place: 'first' is no whole number$"):
        place_of("articles/a.md", {"place": "first"})
