"""Lines for a job's log, in which nothing acts."""

from __future__ import annotations

import pytest

from generate.words.log_lines import LONGEST, log_line


@pytest.mark.parametrize("text", ["::error::x", " :::x", "a\n::add-mask::b", "###[group]x", "\u2028::x", "\udc00::x"])
def test_no_text_commands_github(text: str) -> None:
    told = log_line(text)
    assert told.isprintable()
    assert "::" not in told
    assert "##[" not in told


def test_a_line_has_a_limit() -> None:
    assert len(log_line("x" * 2 * LONGEST)) == LONGEST
