"""Lines for a job's log."""

import re

import pytest

from generate.words.log_lines import MAX_LETTERS, describe_mistake, log_line


@pytest.mark.parametrize("text", ["::error::x", " :::x", "a\n::add-mask::b", "###[group]x", "\u2028::x", "\udc00::x"])
def test_no_text_commands_github(text: str) -> None:
    line = log_line(text)
    assert line.isprintable()
    assert "::" not in line
    assert "##[" not in line


def test_line_has_a_limit() -> None:
    assert len(log_line("x" * 2 * MAX_LETTERS)) == MAX_LETTERS


class Broken:
    def __str__(self) -> str:
        raise KeyError


def test_mistake_names_the_last_line_of_our_code() -> None:
    with pytest.raises(KeyError) as caught:
        log_line(Broken())
    assert re.fullmatch(r"KeyError \(generate/words/log_lines\.py:\d+\)", describe_mistake(caught.value))
