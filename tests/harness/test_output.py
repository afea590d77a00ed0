"""Whatever is printed fits the encoding of its file."""

from __future__ import annotations

import io
import sys

import pytest

from runners.harness import output


@pytest.mark.parametrize(
    ("encoding", "written"),
    [
        ("utf-8", "1.5\N{NO-BREAK SPACE}µs … \u22fd"),
        ("cp1252", "1.5\N{NO-BREAK SPACE}µs … ?"),
        ("cp932", "1.5 us … ?"),
        ("ascii", "1.5 us ... ?"),
    ],
)
def test_characters_that_an_encoding_lacks_are_replaced(
    monkeypatch: pytest.MonkeyPatch, encoding: str, written: str
) -> None:
    file = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(file, encoding=encoding))
    output.replace_unencodable()
    print("1.5\N{NO-BREAK SPACE}µs … \u22fd", end="", flush=True)  # noqa: T201 - it is what is tested
    assert file.getvalue().decode(encoding) == written
