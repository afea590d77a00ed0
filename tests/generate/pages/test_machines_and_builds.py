"""The pages of machines, of builds and of both: every file that is current is on them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import msgspec
import pytest
from factory import REFERENCE, Plan, build, make
from map_factory import map_record
from sample_site import book_of

from generate.pages.machines_and_builds import cell_list, observed_words, pages
from generate.text.front_matter import front_matter
from runners.harness.catalogue.scenarios import find
from runners.harness.record.codec import encode
from runners.harness.record.model import Observed

if TYPE_CHECKING:
    from pathlib import Path

    from runners.harness.record.model import Build


def test_a_build_whose_map_is_of_another_run_has_one_heading_and_the_series_of_both_files(tmp_path: Path) -> None:
    catalogue, of = find(), build("3.14.0")
    full = make({"primes": catalogue["primes"]}, Plan(build=of, run_id="full"))
    results = tmp_path / "results"
    results.mkdir()
    for name, record in {"map": map_record(of=of), "full": full}.items():
        (results / f"{name}.json").write_bytes(encode(record))
    context = book_of(results, catalogue)
    made = pages(context)
    both = made["machines/fixture-host/cpython-3.14.0.md"]
    assert "<summary>Crossover: " in both
    assert "<summary>Primes: " in both
    assert made["machines/fixture-host.md"].count("## cpython-3.14.0 ") == 1
    assert cell_list(context, "build", "builds/index.md").count("profile map") == 1
    for path in ("machines/fixture-host.md", "builds/cpython-3.14.0.md"):
        links = re.findall(r'cpython-3.14.0.html#([^"]+)">Every series</a> of ([^:]+): ', made[path])
        assert sorted(links) == [("full", "Primes"), ("map", "Crossover")]
    assert re.findall(r"^## .*: (\w+) {: #(\w+) }$", both, re.MULTILINE) in (
        [("Crossover", "map"), ("Primes", "full")],
        [("Primes", "full"), ("Crossover", "map")],
    )


def test_the_page_of_a_machine_has_the_facts_of_one_run_and_of_each_its_processor_and_a_link_to_the_others(
    tmp_path: Path,
) -> None:
    catalogue, results = find(), tmp_path / "results"
    results.mkdir()
    for version in ("3.12.1", "3.13.1", "3.14.0"):
        record = make({"primes": catalogue["primes"]}, Plan(build=build(version), run_id=f"of-{version}"))
        (results / f"{version}.json").write_bytes(encode(record))
    made = pages(book_of(results, catalogue))
    facts, page = "<summary>Machine, build and run</summary>", made["machines/fixture-host.md"]
    assert page.count(facts) == 1
    lines = re.findall(r'<a href="([^"#]+)\.html#[^"]+">Every series</a> of .*, on <bdi>([^<]+)</bdi></p>', page)
    assert [processor for _, processor in lines] == [record.machine.cpu] * 3
    for address, _ in lines:
        assert facts in made[f"{address.removeprefix('../')}.md"]
    assert facts in made["builds/cpython-3.14.0.md"]


def test_a_link_to_the_section_of_the_only_file_leads_to_the_top_of_its_page(tmp_path: Path) -> None:
    (tmp_path / "results").mkdir()
    record = make({"primes": find()["primes"]}, Plan(build=build("3.14.0")))
    (tmp_path / "results" / "a.json").write_bytes(encode(record))
    made = pages(book_of(tmp_path / "results", find()))
    assert 'cpython-3.14.0.html#a">Every series</a> of Primes: ' in made["builds/cpython-3.14.0.md"]
    assert (
        "\n# cpython-3.14.0 on a 2-core x86-64 machine {: #a }\n\n" in made["machines/fixture-host/cpython-3.14.0.md"]
    )


def test_a_table_of_every_series_says_what_its_values_are_and_which_are_better(tmp_path: Path) -> None:
    (tmp_path / "results").mkdir()
    chosen = {name: find()[name] for name in ("blocking_server", "primes")}
    record = make(chosen, Plan(build=build("3.14.0")))
    (tmp_path / "results" / "a.json").write_bytes(encode(record))
    page = pages(book_of(tmp_path / "results", find()))["machines/fixture-host/cpython-3.14.0.md"]
    captions = re.findall(r"<caption><span>(.*?)</span></caption>", page)
    better = {"blocking_server": "higher", "primes": "lower"}
    titles = {name: scenario.metrics[0].title for name, scenario in chosen.items()}
    assert captions == [f"Every series: {titles[name]}; {better[name]} is better" for name in chosen]


@pytest.mark.parametrize(
    ("sizes", "words"),
    [([], ""), ([6], "pool 6"), ([2] * 16, "pool 2 (made 16 times)"), ([6, 2, 6], "pool 6 (made 2 times), 2")],
)
def test_what_was_observed_names_each_size_of_a_pool_once(sizes: list[int], words: str) -> None:
    assert observed_words(Observed(pool_sizes=sizes)) == words


@pytest.mark.parametrize(
    ("machine", "caution"),
    [
        ({"load_before": 1.0}, ""),
        ({"load_before": 1.1}, "it had other work before this run, but not so much as to count as busy"),
        ({"load_before": 2.1}, "busy, so nothing is decided by this run"),
        ({"load_before": 0.1, "steal_share": 0.02}, "busy, so nothing is decided by this run"),
    ],
)
def test_the_load_is_said_once_and_so_is_what_it_means(tmp_path: Path, machine: dict[str, float], caution: str) -> None:
    (tmp_path / "results").mkdir()
    record = make({"primes": find()["primes"]}, Plan(build=build("3.14.0")))
    of = msgspec.structs.replace(record.machine, usable_cores=2, **machine)
    (tmp_path / "results" / "a.json").write_bytes(encode(msgspec.structs.replace(record, machine=of)))
    page = pages(book_of(tmp_path / "results", find()))["builds/cpython-3.14.0.md"]
    (load,) = re.findall(r'<th scope="row">Load</th><td>(.*?)</td>', page)
    assert load.startswith(f"before the first sample: {machine['load_before']}; after the last, with the run")
    assert load.count("before") == 1 + caution.count("before")
    assert re.findall(r'<span class="caution">(.*?)</span>', load) == ([caution] if caution else [])


def test_the_navigation_has_variants_under_a_heading_of_their_own(tmp_path: Path) -> None:
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


def test_the_page_of_a_machine_has_the_verdicts_of_one_s_own_results_and_of_the_published_ones(tmp_path: Path) -> None:
    catalogue, results = find(), tmp_path / "results"
    (results / "local").mkdir(parents=True)
    for path, of in {"a.json": build("3.14.0"), "local/b.json": build("3.13.1")}.items():
        (results / path).write_bytes(encode(make({"primes": catalogue["primes"]}, Plan(build=of, run_id=path[-6:]))))
    page = pages(book_of(results, catalogue))["machines/fixture-host.md"]
    _, published, own = page.split("## The claims on this machine")
    assert published.startswith(": published results")
    assert own.startswith(": your own results")
    assert "3.14.0" in published
    assert "3.13.1" in own
    assert "3.13.1" not in published


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
def test_the_list_of_builds_says_where_a_pre_release_stands_for_a_release(
    tmp_path: Path, others: list[Build], words: str
) -> None:
    (tmp_path / "results").mkdir()
    for number, of in enumerate([build("3.15.0rc2", free_threaded=True), *others]):
        record = make({"primes": find()["primes"]}, Plan(build=of, run_id=str(number)))
        (tmp_path / "results" / f"{number}.json").write_bytes(encode(record))
    written = cell_list(book_of(tmp_path / "results", find()), "build", "builds/index.md")
    assert words in written
    assert ("is a pre-release" in written) == bool(words)


@pytest.mark.parametrize(("newest", "is_said"), [("3.15.2", True), ("3.11.9", False), ("3.15.0rc1", False)])
def test_the_list_of_builds_says_why_pages_begin_with_another_than_the_newest_release(
    tmp_path: Path, newest: str, *, is_said: bool
) -> None:
    (tmp_path / "results").mkdir()
    variant = msgspec.structs.replace(build(newest), variant=("patched",))
    for number, of in enumerate((REFERENCE, build(newest), build(newest, free_threaded=True), variant)):
        record = make({"primes": find()["primes"]}, Plan(build=of, run_id=f"{number}"))
        (tmp_path / "results" / f"{number}.json").write_bytes(encode(record))
    written = cell_list(book_of(tmp_path / "results", find()), "build", "builds/index.md")
    words = f"cpython-{newest} is the newest. Pages begin with cpython-3.12.8, beside which the others were measured."
    assert (words in written) is is_said
