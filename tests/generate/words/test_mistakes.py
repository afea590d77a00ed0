"""A mistake of this project is said with the line of our code in which it was made."""

from __future__ import annotations

import re

import pytest

from generate.words.log_lines import log_line
from generate.words.mistakes import describe_mistake


class Broken:
    def __str__(self) -> str:
        raise KeyError


def test_the_line_of_our_code_is_named_though_other_code_raised_it() -> None:
    with pytest.raises(KeyError) as caught:
        log_line(Broken())
    assert re.fullmatch(r"KeyError \(generate/words/log_lines\.py:\d+\)", describe_mistake(caught.value))


def test_without_a_line_of_our_code_the_error_stands_alone() -> None:
    with pytest.raises(ValueError, match="of no number") as caught:
        float("of no number")
    assert describe_mistake(caught.value) == "ValueError: could not convert string to float: 'of no number'"
