"""The generator's commands: all, the pages alone, the verdicts, and a word of before."""

from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner
from factory import Plan, build
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
    assert "Parts of claims: " in done.output
    verdicts = json.loads((place / "out/verdicts.json").read_bytes())["verdicts"]
    assert {each["claim"] for each in verdicts} == claims
    ranges = [estimate for each in verdicts for estimate in each["estimates"] if estimate["high"] is not None]
    assert ranges
    assert all(each["low"] <= each["estimate"] <= each["high"] for each in ranges)


def test_claims_that_are_named_stand_alone_with_what_was_measured_for_each_part(place: Path) -> None:
    done = CliRunner().invoke(main, ["verdicts", "S1.1a", *options(place)])
    assert done.exit_code == 0, done.output
    assert {word for word in done.output.split() if word.startswith("S1.")} == {"S1.1", "S1.1a", "S1.1b"}
    assert "  ? On CPython 3.13.1, not measured: needs 5 cores; this machine has 2.\n" in done.output
    of_source = CliRunner().invoke(main, ["verdicts", "S1", *options(place)]).output
    assert {"S1.1a", "S1.2", "S1.3"} <= {*of_source.split()}
    assert "S2.1" not in of_source
    every = json.loads((place / "out/verdicts.json").read_bytes())["verdicts"]
    assert {each["claim"] for each in every} > {"S1.1", "S2.1"}


def test_on_a_narrow_terminal_no_build_is_cut_off(place: Path) -> None:
    versions = [f"3.{minor}.9" for minor in range(11, 15)]
    plans = {f"r/{version}.json": Plan(build=build(version), run_id=version) for version in versions}
    put(place / "results", plans, {"primes": find()["primes"]})
    for columns, tables in (("120", 1), ("60", 2)):
        done = CliRunner(env={"COLUMNS": columns}).invoke(main, ["verdicts", *options(place)])
        assert [*dict.fromkeys(word for word in done.output.split() if word in versions)] == versions
        assert done.output.count("┃ claim ┃") == tables
        assert max(map(len, done.output.splitlines())) <= int(columns)


def test_an_unknown_claim_is_refused_with_the_nearest_that_exists(place: Path) -> None:
    done = CliRunner().invoke(main, ["verdicts", "S1.99", *options(place)])
    assert done.exit_code == 2
    assert "no claim is called 'S1.99' (did you mean S5.9?)" in done.stderr
    assert not (place / "out/verdicts.json").exists()


def test_a_mistake_in_a_claim_fails_the_build_with_file_and_key_and_the_rest_is_made(place: Path) -> None:
    claims = place / "docs/claims/S1.toml"
    text = claims.read_text(encoding="utf-8")
    claims.write_text(text.replace('candidate = "asyncio_naive"\nbaseline', 'candidate = "asyncio_naif"\nbaseline'))
    done = CliRunner().invoke(main, options(place))
    assert done.exit_code == 2
    assert "docs/claims/S1.toml: S1.2.candidate: no candidate is called 'asyncio_naif'" in done.output
    assert (place / "out/docs/scenarios/primes.md").is_file()
