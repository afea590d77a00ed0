"""The pages of machines, of builds and of both: every file that is current is on them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
from factory import Plan, build, make
from map_factory import map_record
from sample_site import book_of

from generate.pages.machines_and_builds import cell_list, pages
from generate.text.front_matter import front_matter
from runners.harness.catalogue.scenarios import find
from runners.harness.record.codec import encode

if TYPE_CHECKING:
    from pathlib import Path


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
    assert "<summary>crossover: " in both
    assert "<summary>primes: " in both
    assert made["machines/fixture-host.md"].count("## cpython-3.14.0 ") == 1
    assert made["machines/fixture-host.md"].count(">Every series</a>") == 2
    assert cell_list(context, "build", "builds/index.md").count("profile map") == 1


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
