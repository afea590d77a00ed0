"""The data page, the number that is followed to its files, and the validation."""

import re
import subprocess
import sys
from pathlib import Path
from typing import Literal

import msgspec
import pytest
from factory import REFERENCE, Plan, make_record
from sample_site import DOCS, build_context, build_site, letters, text_at, write_results

from generate.data.estimates import SURE_ROUNDS
from generate.downloads import validation
from generate.pages.data import VALIDATION_PARTS, one_number, validation_html
from runners.harness.catalogue.scenarios import ROOT
from runners.harness.errors import UserError
from runners.harness.record.codec import encode


def test_pooled_files_are_listed_and_the_others_counted(tmp_path: Path) -> None:
    plans = {f"{n}.json": Plan(run_id=f"r{n}") for n in range(2)}
    write_results(tmp_path, plans, letters())
    busy = make_record(letters(), Plan(run_id="busy"))
    machine = msgspec.structs.replace(busy.machine, load_before=9.0)
    (tmp_path / "busy.json").write_bytes(encode(msgspec.structs.replace(busy, machine=machine)))
    page = text_at(build_site(tmp_path, letters(), DOCS), "docs/data.md")
    assert page.count('href="data/raw/') == len(plans)
    assert "1 other file is history" in page


def test_broken_file_has_a_row_and_a_warning(tmp_path: Path) -> None:
    (tmp_path / "broken.json").write_text('{"schema_version": 1,')
    files = build_site(tmp_path, letters(), DOCS)
    assert "broken.json" in text_at(files, "docs/data-problems.md")
    assert "1 result file could not be used" in text_at(files, "docs/data.md")


def run(name: str, speed: float, rounds: int = 12) -> dict[str, Plan]:
    profile: Literal["quick", "full"] = "quick" if rounds < SURE_ROUNDS else "full"
    plan = Plan(build=REFERENCE, rounds=rounds, run_id=name, profile=profile, speed={"thread_pool": speed})
    return {f"{name}/a.json": plan}


@pytest.mark.processes
@pytest.mark.parametrize(
    "plans",
    [
        run("1", 0.5),
        run("1", 0.5) | run("2", 0.4, 9) | run("3", 0.45, 6),
        run("1", 0.5, 3),
        run("1", 0.5, 3) | run("2", 0.6),
    ],
    ids=["one run", "three runs", "a quick run", "both"],
)
def test_printed_program_recomputes_the_number(tmp_path: Path, plans: dict[str, Plan]) -> None:
    results = tmp_path / "results"
    write_results(results, plans, letters())
    text = one_number(build_context(results, letters()), "method.md", "letters", "published", "thread_pool")
    (program,) = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    done = subprocess.run(  # noqa: S603 - our own words
        [sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    printed = [f"{float(number):.3f}" for number in re.findall(r"[\d.]+", done.stdout)]
    assert re.findall(r"\d+\.\d{3}", text.rpartition("It prints")[2]) == printed
    assert text.count("data/raw/") == len(plans)


def test_figures_of_the_committed_validation_are_on_the_page() -> None:
    known = validation.read(ROOT / "docs")
    page = validation_html(known).replace("&nbsp;", " ")
    assert known.made.keys() == VALIDATION_PARTS.keys()
    assert known.detection
    figures = [f"{100 * each.inside.share:.1f} %<small>of {each.inside.of:,}" for each in known.predictions]
    figures += [f"{known.detection.controls.count:,} of {known.detection.controls.of:,}"]
    figures += [f"{each.ours.reference:.3f}" for each in known.pyperf]
    assert [figure for figure in figures if figure not in page] == []


@pytest.mark.parametrize("text", ["{", '{"detection": {"controls": "many"}}', '{"unknown": 1}'])
def test_broken_validation_is_named_with_the_remedy(tmp_path: Path, text: str) -> None:
    (tmp_path / validation.FILE).write_text(text)
    with pytest.raises(UserError, match=r"validation\.json.*make validate"):
        validation.read(tmp_path)
