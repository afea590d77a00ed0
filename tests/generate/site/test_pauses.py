"""The pauses of long pages."""

from __future__ import annotations

from generate.site.pauses import MOST_ELEMENTS, PAUSE, with_pauses

LONG = "<p>" * MOST_ELEMENTS + "\n"
FOLD = '<details class="more"><summary>More</summary></details>\n'


def test_a_long_page_has_a_pause_before_a_part_of_it() -> None:
    assert with_pauses(LONG + FOLD + FOLD) == f"{LONG}{PAUSE}\n\n{FOLD}{FOLD}"


def test_there_is_another_pause_after_as_many_elements() -> None:
    assert with_pauses((LONG + FOLD) * 3) == f"{LONG}{PAUSE}\n\n{FOLD}" * 3


def test_a_short_page_is_left_as_it_is() -> None:
    page = LONG.removeprefix("<p>") + FOLD
    assert with_pauses(page) == page


def test_nothing_is_added_inside_a_line_or_a_block_of_code() -> None:
    page = f"{LONG}text <details></details>\n\n```html\n{FOLD}```\n"
    assert with_pauses(page) == page


def test_lines_of_code_count_as_what_highlighting_makes_of_them() -> None:
    code = "```python\n" + "x = 1\n" * 70 + "```\n\n"
    assert with_pauses(f"{code}## Next\n") == f"{code}{PAUSE}\n\n## Next\n"
