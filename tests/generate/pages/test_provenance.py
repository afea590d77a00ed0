"""How it is said of which builds absolute figures are."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from factory import Plan, build, make
from msgspec.structs import replace
from sample_site import book_of

from generate.pages.provenance import how_they_were_built
from runners.harness.catalogue.scenarios import find
from runners.harness.record.codec import encode

if TYPE_CHECKING:
    from pathlib import Path

KNOWN, PLAIN, UNKNOWN = {"pgo": True, "lto": True}, {"pgo": False, "lto": False}, {"pgo": None, "lto": None}


@pytest.mark.parametrize(
    ("ways", "said"),
    [
        ([], ""),
        ([KNOWN, KNOWN], "These Pythons were built with PGO and LTO."),
        (
            [KNOWN, KNOWN, UNKNOWN, PLAIN],
            (
                "These Pythons were built with PGO and LTO; CPython 3.12.9: optimisation not known; "
                "CPython 3.13.9: built without PGO and LTO."
            ),
        ),
        ([UNKNOWN], "How these Pythons were optimised is not known."),
    ],
)
def test_how_builds_were_optimised_is_one_sentence_with_those_that_differ(
    tmp_path: Path, ways: list[dict[str, bool | None]], said: str
) -> None:
    for minor, way in enumerate(ways, 10):
        of = replace(build(f"3.{minor}.9"), **way)
        record = make({"primes": find()["primes"]}, Plan(build=of, run_id=f"{minor}"))
        (tmp_path / f"{minor}.json").write_bytes(encode(record))
    assert how_they_were_built(book_of(tmp_path, find()).site.cells()) == said
