"""`python -m generate verdicts`, and what mistakes in the claims do to the exit status."""

from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner
from factory import make

from generate.__main__ import main
from runners.harness.catalogue.scenarios import ROOT, find
from runners.harness.record.codec import encode

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def place(tmp_path: Path) -> Path:
    (tmp_path / "results").mkdir()
    (tmp_path / "results" / "a.json").write_bytes(encode(make(find())))
    shutil.copytree(ROOT / "docs", tmp_path / "docs")
    return tmp_path


def options(place: Path) -> list[str]:
    return [f"--{name}={place / name}" for name in ("results", "out", "docs")]


def test_the_board_is_printed_and_written(place: Path) -> None:
    done = CliRunner().invoke(main, ["verdicts", *options(place)])
    assert done.exit_code == 0, done.output
    assert "S5.9" in done.output
    assert "parts of claims: " in done.output
    verdicts = json.loads((place / "out" / "verdicts.json").read_bytes())["verdicts"]
    assert {each["claim"] for each in verdicts} >= {"S1.1", "S5.9"}


def test_a_mistake_in_a_claim_fails_the_build_with_file_and_key_and_the_rest_is_made(place: Path) -> None:
    claims = place / "docs" / "claims" / "S1.toml"
    text = claims.read_text(encoding="utf-8")
    claims.write_text(text.replace('candidate = "asyncio_naive"\nbaseline', 'candidate = "asyncio_naif"\nbaseline'))
    done = CliRunner().invoke(main, options(place))
    assert done.exit_code == 2
    assert "docs/claims/S1.toml: S1.2.candidate: no candidate is called 'asyncio_naif'" in done.output
    assert (place / "out" / "docs" / "scenarios" / "primes.md").is_file()
    made = json.loads((place / "out" / "docs" / "data" / "verdicts.json").read_bytes())["verdicts"]
    faulty = [each for each in made if each["claim"] == "S1.2"]
    assert {each["verdict"] for each in faulty} == {"not measured"}
    assert "asyncio_naif" in faulty[0]["reason"]
    assert any(each["verdict"] == "holds" for each in made)


def test_a_broken_result_is_named_on_one_line_that_commands_nothing_and_the_verdicts_are_still_printed(
    place: Path,
) -> None:
    (place / "results" / "broken.json").write_text('{"made up\\n::error::x": 1}')
    done = CliRunner().invoke(main, ["verdicts", *options(place)])
    assert done.exit_code == 0
    (line,) = [line for line in done.output.splitlines() if "broken.json" in line]
    assert "made up : :error: :x" in line
