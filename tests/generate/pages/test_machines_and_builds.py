"""The pages of machines, of builds and of both: every file that is current is on them."""

from __future__ import annotations

import dataclasses
import re
from typing import TYPE_CHECKING

import msgspec
import pytest
from factory import REFERENCE, Plan, build, make
from map_factory import map_record
from sample_site import book_of

from generate.pages.machines_and_builds import cell_list, observed_words, pages
from generate.words.front_matter import front_matter
from runners.harness.catalogue.scenarios import find
from runners.harness.record.codec import encode
from runners.harness.record.model import Observed

if TYPE_CHECKING:
    from pathlib import Path

    from runners.harness.record.model import Build


MACHINE = "machines/fixture-host-2-cores-fixture-cpu"


def test_a_build_has_the_series_of_all_its_runs_on_one_page(tmp_path: Path) -> None:
    catalogue, of = find(), build("3.14.0")
    full = make({"primes": catalogue["primes"]}, Plan(build=of, run_id="full"))
    full = msgspec.structs.replace(full, machine=map_record().machine)
    results = tmp_path / "results"
    results.mkdir()
    for name, record in {"map": map_record(of=of), "full": full}.items():
        (results / f"{name}.json").write_bytes(encode(record))
    context = book_of(results, catalogue)
    made = pages(context)
    (page,) = (text for path, text in made.items() if re.fullmatch(r"machines/.*/cpython-3.14.0.md", path))
    assert "<summary>Crossover: " in page
    assert "<summary>Primes: " in page
    assert "Crossover 1, Primes 1</td>" in made["builds/cpython-3.14.0.md"]
    assert "2 runs, the newest" in cell_list(context, "build", "builds/index.md")


def test_a_machine_s_page_has_the_facts_of_one_run(tmp_path: Path) -> None:
    catalogue, results = find(), tmp_path / "results"
    results.mkdir()
    for version in ("3.12.1", "3.13.1", "3.14.0"):
        record = make({"primes": catalogue["primes"]}, Plan(build=build(version), run_id=f"of-{version}"))
        (results / f"{version}.json").write_bytes(encode(record))
    made = pages(book_of(results, catalogue))
    facts, page = "<summary>Machine, build and run</summary>", made[f"{MACHINE}.md"]
    assert page.count(facts) == 1
    assert f"<bdi>{record.machine.cpu}</bdi>" in page
    for version in ("3.12.1", "3.13.1", "3.14.0"):
        assert f'{MACHINE}/cpython-{version}.html"' in page
        assert facts in made[f"{MACHINE}/cpython-{version}.md"]
    assert facts in made["builds/cpython-3.14.0.md"]


def test_every_series_has_its_runs_and_what_the_newest_observed(tmp_path: Path) -> None:
    results = tmp_path / "results"
    results.mkdir()
    for number in range(2):
        record = make({"primes": find()["primes"]}, Plan(build=build("3.14.0"), run_id=f"r{number}", seed=number))
        (results / f"{number}.json").write_bytes(encode(record))
    page = pages(book_of(results, find()))[f"{MACHINE}/cpython-3.14.0.md"]
    rows = [row for row in re.findall(r"<tr role=\"row\"><th.*?</tr>", page) if ">measured</td>" in row]
    assert rows
    assert all(">2<small>24 rounds</small></td>" in row for row in rows)
    assert any("GIL before on" in row or "pool" in row for row in rows)


def test_every_series_has_a_caption_with_metric_and_direction(tmp_path: Path) -> None:
    (tmp_path / "results").mkdir()
    chosen = {name: find()[name] for name in ("blocking_server", "primes")}
    record = make(chosen, Plan(build=build("3.14.0")))
    (tmp_path / "results" / "a.json").write_bytes(encode(record))
    page = pages(book_of(tmp_path / "results", find()))[f"{MACHINE}/cpython-3.14.0.md"]
    captions = re.findall(r"<caption><span>(.*?)</span></caption>", page)
    better = {"blocking_server": "higher", "primes": "lower"}
    titles = {name: scenario.metrics[0].title for name, scenario in chosen.items()}
    assert captions == [f"Every series: {titles[name]}; {better[name]} is better" for name in chosen]


@pytest.mark.parametrize(
    ("sizes", "words"),
    [([], ""), ([6], "pool 6"), ([2] * 16, "pool 2 (made 16 times)"), ([6, 2, 6], "pool 6 (made 2 times), 2")],
)
def test_observed_pools_are_named_once_by_size(sizes: list[int], words: str) -> None:
    assert observed_words(Observed(pool_sizes=sizes)) == words


@pytest.mark.parametrize(
    ("machine", "caution"),
    [
        ({"load_before": 2.0}, ""),
        ({"load_before": 2.1}, "the machine was busy: load 2.1 on 2 cores before the first sample"),
        ({"steal_share": 0.02}, "the machine was busy: its host kept 2.0 % of the processor time for others"),
    ],
)
def test_a_busy_machine_is_a_caution_at_its_load(tmp_path: Path, machine: dict[str, float], caution: str) -> None:
    (tmp_path / "results").mkdir()
    record = make({"primes": find()["primes"]}, Plan(build=build("3.14.0")))
    of = msgspec.structs.replace(record.machine, usable_cores=2, **machine)
    (tmp_path / "results" / "a.json").write_bytes(encode(msgspec.structs.replace(record, machine=of)))
    page = pages(book_of(tmp_path / "results", find()))["builds/cpython-3.14.0.md"].replace("\u00a0", " ")
    (load,) = re.findall(r'<th scope="row">Load</th><td>(.*?)</td>', page)
    said = [f"nothing is decided by this run: {caution}"] if caution else []
    assert re.findall(r'<span class="caution">(.*?)</span>', load) == said


def test_what_is_left_out_of_a_machine_is_on_its_page(tmp_path: Path) -> None:
    catalogue = find()
    scenarios = {"primes": catalogue["primes"], "gone": dataclasses.replace(catalogue["primes"], name="gone")}
    record = make(scenarios, Plan(run_id="known"))
    backwards = msgspec.structs.replace(record.run, id="backwards", finished="2025-12-31T23:59:59Z")
    results = tmp_path / "results"
    results.mkdir()
    (results / "known.json").write_bytes(encode(record))
    (results / "backwards.json").write_bytes(encode(msgspec.structs.replace(record, run=backwards)))
    page = pages(book_of(results, catalogue))[f"{MACHINE}.md"]
    assert ">known</bdi></a>: not known any more: gone<" in page
    assert ">backwards</bdi></a>: its clock ran backwards: " in page


def test_variants_have_a_section_of_the_navigation(tmp_path: Path) -> None:
    catalogue, plain = find(), build("3.14.0")
    with_jit = msgspec.structs.replace(plain, variant=("PYTHON_JIT=1",), jit=True)
    results = tmp_path / "results"
    results.mkdir()
    for name, of in {"plain": plain, "jit": with_jit}.items():
        record = make({"primes": catalogue["primes"]}, Plan(build=of))
        (results / f"{name}.json").write_bytes(encode(record))
    made = pages(book_of(results, catalogue))
    sections = {path: front_matter(text).get("section") for path, text in made.items() if path.startswith("builds/")}
    assert len(sections) == 2
    assert sections.pop("builds/cpython-3.14.0.md") is None
    assert [*sections.values()] == ["Variants"]


def test_one_s_own_machine_has_a_page_of_its_own(tmp_path: Path) -> None:
    catalogue, results = find(), tmp_path / "results"
    (results / "local").mkdir(parents=True)
    for path, of in {"a.json": build("3.14.0"), "local/b.json": build("3.13.1")}.items():
        (results / path).write_bytes(encode(make({"primes": catalogue["primes"]}, Plan(build=of, run_id=path[-6:]))))
    made = pages(book_of(results, catalogue))
    for path, own, other in ((MACHINE, "3.14.0", "3.13.1"), (f"{MACHINE}-local", "3.13.1", "3.14.0")):
        assert "## The claims on this machine" in made[f"{path}.md"]
        assert own in made[f"{path}.md"]
        assert other not in made[f"{path}.md"]


@pytest.mark.parametrize(
    ("others", "words"),
    [
        (
            [build("3.15.2")],
            "cpython-3.15.0rc2t is a pre-release. 3.15 itself without the GIL was not measured, and what it does may",
        ),
        ([build("3.15.2", free_threaded=True)], ""),
    ],
)
def test_a_pre_release_without_its_release_has_a_note(tmp_path: Path, others: list[Build], words: str) -> None:
    (tmp_path / "results").mkdir()
    for number, of in enumerate([build("3.15.0rc2", free_threaded=True), *others]):
        record = make({"primes": find()["primes"]}, Plan(build=of, run_id=str(number)))
        (tmp_path / "results" / f"{number}.json").write_bytes(encode(record))
    written = cell_list(book_of(tmp_path / "results", find()), "build", "builds/index.md")
    assert words in written
    assert ("is a pre-release" in written) == bool(words)


@pytest.mark.parametrize(("newest", "is_said"), [("3.15.2", True), ("3.11.9", False), ("3.15.0rc1", False)])
def test_the_list_says_why_pages_begin_with_an_older_build(tmp_path: Path, newest: str, *, is_said: bool) -> None:
    (tmp_path / "results").mkdir()
    variant = msgspec.structs.replace(build(newest), variant=("patched",))
    without_gil = build(REFERENCE.version, free_threaded=True)
    for number, of in enumerate((REFERENCE, without_gil, build(newest), build(newest, free_threaded=True), variant)):
        record = make({"primes": find()["primes"]}, Plan(build=of, run_id=f"{max(number, 1)}"))
        (tmp_path / "results" / f"{number}.json").write_bytes(encode(record))
    written = cell_list(book_of(tmp_path / "results", find()), "build", "builds/index.md")
    words = f"cpython-{newest} is the newest. Pages begin with cpython-3.12.8, the newest that was measured with and"
    assert (words in written) is is_said
