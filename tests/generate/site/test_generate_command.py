"""The generator's commands: the site, the verdicts, and their exit statuses."""

import json
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from factory import Plan, build
from sample_site import BUNDLE, write_results

from generate.__main__ import main
from generate.claims.read import read
from generate.site import commands
from runners.harness.catalogue.scenarios import ROOT, find


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(commands, "find_bundle", lambda _: BUNDLE)
    write_results(tmp_path / "results", {"r/a.json": Plan()}, {"primes": find()["primes"]})
    shutil.copytree(ROOT / "docs/claims", tmp_path / "docs/claims", ignore=shutil.ignore_patterns("*.md"))
    (tmp_path / "docs/index.md").write_text("# Home\n")
    return tmp_path


def invoke(place: Path, *command: str) -> Result:
    options = [f"--{name}={place / name}" for name in ("results", "docs", *(() if command else ("out",)))]
    return CliRunner().invoke(main, [*command, *options])


def test_site_has_pages_and_downloads(place: Path) -> None:
    done = invoke(place)
    assert done.exit_code == 0, done.output
    assert (place / "out/docs/data/raw/r/a.json").samefile(place / "results/r/a.json")
    assert (place / "out/docs/scenarios/primes.md").is_file()


def test_command_after_options_is_refused() -> None:
    done = CliRunner().invoke(main, ["--out", "x", "verdicts"])
    assert done.exit_code == 2
    assert "verdicts" in done.output


@pytest.mark.parametrize(("command", "status"), [([], commands.LEFT_OUT), (["verdicts"], 0)])
def test_bad_file_is_one_harmless_line_and_left_out(place: Path, command: list[str], status: int) -> None:
    record = json.loads((place / "results/r/a.json").read_bytes())
    (place / "results/r/b.json").write_text(json.dumps(record | {"a\n::error file=x::evil": 1}))
    (place / "results/r/a.json").unlink()
    done = invoke(place, *command)
    assert done.exit_code == status
    (line,) = (each for each in done.output.splitlines() if "evil" in each)
    assert "r/b.json" in line
    assert "::" not in done.output  # no command to a log of GitHub Actions
    assert commands.PROBLEMS.format(1) in done.stderr


def test_verdicts_are_printed_and_written(place: Path) -> None:
    claims = {claim.id for claim in read(place / "docs").claims}
    assert claims <= {*invoke(place, "verdicts").output.split()}
    invoke(place)
    verdicts = json.loads((place / "out/docs/data/verdicts.json").read_bytes())["verdicts"]
    assert {each["claim"] for each in verdicts} == claims
    ranges = [estimate for each in verdicts for estimate in each["estimates"] if estimate["high"] is not None]
    assert ranges
    assert all(each["low"] <= each["estimate"] <= each["high"] for each in ranges)


@pytest.mark.parametrize(("name", "shown", "hidden"), [("S1.1a", "S1.1a", "S1.2"), ("S1", "S1.3", "S2.1")])
def test_only_named_claims_are_printed(place: Path, name: str, shown: str, hidden: str) -> None:
    assert {shown, hidden} & {*invoke(place, "verdicts", name).output.split()} == {shown}


def test_verdicts_name_every_build(place: Path) -> None:
    versions = [f"3.{minor}.9" for minor in range(11, 15)]
    plans = {f"r/{version}.json": Plan(build=build(version), run_id=version) for version in versions}
    write_results(place / "results", plans, {"primes": find()["primes"]})
    assert f": {', '.join(versions)}\n" in invoke(place, "verdicts").output
