"""The pages of machines, of builds, and of both."""

import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest
from factory import REFERENCE, Plan, build, make_record
from map_factory import map_record
from sample_site import build_context, letters, write_results

from generate.pages.machines_and_builds import describe_observed, pages, result_list
from generate.pages.pieces import SiteContext
from runners.harness.catalogue.scenarios import find
from runners.harness.record.codec import encode
from runners.harness.record.model import Build, Observed

MACHINE = "machines/fixture-host-2-cores-fixture-cpu"


def make_context(folder: Path, plans: Mapping[str, Plan]) -> SiteContext:
    write_results(folder, plans, letters())
    return build_context(folder, letters())


def plan_builds(*builds: Build) -> dict[str, Plan]:
    return {f"{number}.json": Plan(build=of, run_id=f"r{number}") for number, of in enumerate(builds)}


def test_build_has_the_series_of_all_its_runs_on_one_page(tmp_path: Path) -> None:
    catalogue, of = find(), build("3.14.0")
    full = make_record({"primes": catalogue["primes"]}, Plan(build=of, run_id="full"))
    full = msgspec.structs.replace(full, machine=map_record().machine)
    for name, record in {"map": map_record(of=of), "full": full}.items():
        (tmp_path / f"{name}.json").write_bytes(encode(record))
    context = build_context(tmp_path, catalogue)
    made = pages(context)
    (page,) = (text for path, text in made.items() if re.fullmatch(r"machines/.*/cpython-3.14.0.md", path))
    assert re.findall(r'id="scenario-(\w+)"', page) == ["crossover", "primes"]
    assert "Crossover 1, Primes 1</td>" in made["builds/cpython-3.14.0.md"]
    assert "2 runs, the newest" in result_list(context, "build", "builds/index.md")


@pytest.mark.parametrize(
    ("sizes", "words"),
    [([], ""), ([6], "pool 6"), ([2] * 16, "pool 2"), ([6, 2, 6], "pool 6, 2")],
)
def test_pools_are_named_once_by_size(sizes: list[int], words: str) -> None:
    assert describe_observed(Observed(pool_sizes=sizes)) == words


@pytest.mark.parametrize(
    ("machine", "is_busy"), [({"load_before": 2.0}, False), ({"load_before": 2.1}, True), ({"steal_share": 0.02}, True)]
)
def test_busy_run_is_a_caution_at_its_load(tmp_path: Path, machine: dict[str, float], *, is_busy: bool) -> None:
    record = make_record(letters(), Plan(build=REFERENCE))
    busy = msgspec.structs.replace(record.machine, usable_cores=2, **machine)
    (tmp_path / "a.json").write_bytes(encode(msgspec.structs.replace(record, machine=busy)))
    page = pages(build_context(tmp_path, letters()))["builds/cpython-3.12.8.md"]
    (load,) = re.findall(r'<th scope="row">Load</th><td>(.*?)</td>', page)
    assert ("caution" in load) is is_busy


def test_runs_that_are_left_out_are_named_with_the_reason(tmp_path: Path) -> None:
    write_results(tmp_path, {"calm.json": Plan(build=REFERENCE, run_id="calm")}, letters())
    record = make_record(letters(), Plan(build=REFERENCE, run_id="newer"))
    busy = msgspec.structs.replace(record.machine, load_before=3.0, usable_cores=2)
    (tmp_path / "b.json").write_bytes(encode(msgspec.structs.replace(record, machine=busy)))
    write_results(
        tmp_path,
        {"gone.json": Plan(build=REFERENCE, run_id="old")},
        {"gone": replace(letters()["letters"], name="gone")},
    )
    page = pages(build_context(tmp_path, letters()))[f"{MACHINE}.md"]
    reasons = dict(re.findall(r'data/raw/(\w+)\.json">.*?</a></bdi>: (.*?)</li>', page.partition("left out")[2]))
    assert reasons.keys() == {"b", "gone"}
    assert "load 3.0 on 2 cores" in reasons["b"]


def test_own_machine_has_a_page_of_its_own(tmp_path: Path) -> None:
    plans = {"a.json": Plan(build=build("3.14.0")), "local/b.json": Plan(build=build("3.13.1"), run_id="own")}
    made = pages(make_context(tmp_path, plans))
    for path, own, other in ((MACHINE, "3.14.0", "3.13.1"), (f"{MACHINE}-local", "3.13.1", "3.14.0")):
        assert own in made[f"{path}.md"]
        assert other not in made[f"{path}.md"]
