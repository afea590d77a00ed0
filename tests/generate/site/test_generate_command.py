"""The generator's commands: all, the pages alone, the verdicts, and a word of before."""

from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner
from factory import Plan
from sample_site import BUNDLE, put

from generate.__main__ import main
from generate.claims.read import read
from generate.site import commands
from runners.harness.catalogue.scenarios import ROOT, find

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(commands, "find_bundle", lambda _: BUNDLE)
    put(tmp_path / "results", {"r/a.json": Plan()}, {"primes": find()["primes"]})
    shutil.copytree(ROOT / "docs/claims", tmp_path / "docs/claims", ignore=shutil.ignore_patterns("*.md"))
    (tmp_path / "docs/index.md").write_text("# Home\n")
    return tmp_path


def options(place: Path) -> list[str]:
    return [f"--{name}={place / folder}" for name, folder in (("results", "results"), ("out", "out"), ("docs", "docs"))]


def test_pages_and_downloads_are_made_by_one_command_and_pages_alone_by_another(place: Path) -> None:
    done = CliRunner().invoke(main, options(place))
    assert done.exit_code == 0, done.output
    assert (place / "out/docs/data/raw/r/a.json").samefile(place / "results/r/a.json")
    assert (place / "out/docs/scenarios/primes.md").is_file()
    done = CliRunner().invoke(main, ["pages", *options(place)])
    assert done.exit_code == 0, done.output
    assert not (place / "out/docs/data").exists()
    assert (place / "out/docs/scenarios/primes.md").is_file()


def test_the_word_of_before_prints_the_new_command() -> None:
    done = CliRunner().invoke(main, ["data", "--out", "x"])
    assert done.exit_code == 2
    assert "this command is now: python -m generate --out x" in done.output


def test_an_option_before_a_command_that_would_not_see_it_is_refused() -> None:
    done = CliRunner().invoke(main, ["--out", "x", "pages"])
    assert done.exit_code == 2
    assert "--out stands before pages, which does not see it there: put it behind" in done.output


def test_a_problem_is_one_line_in_which_a_log_finds_no_command_and_the_site_is_made_without_the_file(
    place: Path,
) -> None:
    record = json.loads((place / "results/r/a.json").read_bytes())
    (place / "results/r/b.json").write_text(json.dumps(record | {"a\n::error file=x::evil": 1}))
    for command, exit_code in (("pages", 3), ("verdicts", 0)):
        done = CliRunner().invoke(main, [command, *options(place)])
        assert done.exit_code == exit_code
        (line,) = (each for each in done.output.splitlines() if "evil" in each)
        assert "r/b.json" in line
        assert "::" not in done.output
        assert "the site was made without 1 result file(s)" in done.stderr
    assert (place / "out/docs/data-problems.md").is_file()


def test_the_board_is_printed_and_written(place: Path) -> None:
    done = CliRunner().invoke(main, ["verdicts", *options(place)])
    assert done.exit_code == 0, done.output
    claims = {claim.id for claim in read(place / "docs").claims}
    assert claims <= {*done.output.split()}
    assert "parts of claims: " in done.output
    verdicts = json.loads((place / "out/verdicts.json").read_bytes())["verdicts"]
    assert {each["claim"] for each in verdicts} == claims
    noises = [(each["noise_ratio"], each["noise"]) for each in verdicts if each["noise"]]
    assert noises
    assert all(low <= ratio <= high for ratio, (low, high) in noises)
    assert all(each["noise_ratio"] is None for each in verdicts if not each["noise"])


def test_each_command_that_reads_results_says_what_is_wrong_with_the_cache(place: Path) -> None:
    (place / "out").mkdir()
    (place / "out/cache").write_text("in the way")
    for command in ("pages", "verdicts"):
        done = CliRunner().invoke(main, [command, *options(place)])
        assert done.exit_code == 0, done.output
        assert done.stderr.count("nothing can be kept in") == 1


def test_a_mistake_in_a_claim_fails_the_build_with_file_and_key_and_the_rest_is_made(place: Path) -> None:
    claims = place / "docs/claims/S1.toml"
    text = claims.read_text(encoding="utf-8")
    claims.write_text(text.replace('candidate = "asyncio_naive"\nbaseline', 'candidate = "asyncio_naif"\nbaseline'))
    done = CliRunner().invoke(main, options(place))
    assert done.exit_code == 2
    assert "docs/claims/S1.toml: S1.2.candidate: no candidate is called 'asyncio_naif'" in done.output
    assert (place / "out/docs/scenarios/primes.md").is_file()
