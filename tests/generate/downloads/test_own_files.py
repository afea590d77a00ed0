"""Result files beside what Compare has of them, kept for the browser, which is to make the same of a reader's own.

Written anew with UPDATE_GOLDEN=1.
"""

from __future__ import annotations

import json
import os
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from factory import Plan, altered, build, make
from sample_site import book_of

from generate.downloads.browser_values import cell_values, current_cells
from generate.downloads.scenario_metrics import metrics
from generate.text.builds import build_words
from runners.harness.catalogue.scenarios import ROOT, find
from runners.harness.record.build_names import build_name
from runners.harness.record.codec import encode
from runners.harness.record.model import Package

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from runners.harness.record.model import Record

OWN = ROOT / "tests" / "javascript" / "own.json"
KEPT = ("sync_loop", "one_thread", "threads", "greenlets")
FOUND = find()["power"]
SCENARIOS = {"power": replace(FOUND, runners={name: FOUND.runners[name] for name in KEPT})}
PACKAGES = {
    "aiohttp": Package("3.14.0", None, requires=()),
    "gevent": Package("26.1", None, requires=("zope.interface", "greenlet")),
    "greenlet": Package("4.0.dev0", None, "python-greenlet/greenlet@abc", requires=()),
    "zope-interface": Package("8.0", None, requires=()),
    "uvloop": Package(None, "does not build", requires=None),
}


def record(change: Callable[[dict[str, Any]], None] | None = None, runner: str = "one_thread", **plan: Any) -> Record:  # noqa: ANN401 - of a Plan
    made = make(SCENARIOS, Plan(rounds=9, packages=PACKAGES, **plan))
    return altered(made, lambda series: (series.runner, series.role) == (runner, "subject"), change) if change else made


def fail_a_round(series: dict[str, Any]) -> None:
    series["samples"]["status"][2], series["samples"]["reason"][2] = "timed_out", "slow"
    series.update(status="partial", reason="slow")


def not_reached(series: dict[str, Any]) -> None:
    series["samples"] = {"round": [], "position": [], "status": [], "reason": [], "warm_up_us": [], "values": {}}
    series.update(status="not_reached", reason="cut off", observed=None)


RECORDS: Mapping[str, Record] = {
    "whole": record(),
    "quick": record(profile="quick"),
    "without the GIL": record(build=build("3.14.0", free_threaded=True)),
    "a round of the second control failed": record(fail_a_round),
    "the second control was not reached": record(not_reached),
    "a round of the baseline failed": record(fail_a_round, "sync_loop"),
    "a round of another failed": record(fail_a_round, "greenlets"),
}


PLAIN, FREE_THREADED = build("3.14.0"), build("3.14.0", free_threaded=True)
PACKAGE = ("aiohttp 3.13.5",)
VARIANTS = (
    *(("patched", "aiohttp 3.13.5", "PYTHON_JIT=1", "-X cpu_count=2"), ("@", "X=-1", "über alles")),
    *((f"aio-libs/aiohttp@{letter * 40}",) for letter in "ab"),
    *((f"aiohttp-4.0.dev0-cp313-cp313-manylinux_2_17_x86_64.whl{of}",) for of in (" 1a2b3c4d", "")),
)
BUILDS = (
    *(
        PLAIN,
        FREE_THREADED,
        build("3.15.0a1+"),
        build("7.3.17", implementation="PyPy"),
        build("?", implementation="<b>"),
    ),
    *(msgspec.structs.replace(PLAIN, jit=jit) for jit in (False, True)),
    *(
        msgspec.structs.replace(FREE_THREADED, gil_at_start=True, jit=jit, variant=of)
        for jit in (False, True)
        for of in ((), PACKAGE)
    ),
    *(msgspec.structs.replace(PLAIN, variant=variant) for variant in VARIANTS),
)


def told(folder: Path, one: Record) -> dict[str, Any]:
    (folder / "a.json").write_bytes(encode(one))
    site = book_of(folder, SCENARIOS).site
    (cells,) = current_cells(site).values()
    (run,) = cell_values(site, cells)
    return {**run, "machine": one.machine.label}  # a reader knows his own machine by the label that he gave it


def shortened(one: Record) -> dict[str, Any]:
    """Return what the page reads of a file: its other columns make it many times as long."""
    tree: dict[str, Any] = msgspec.to_builtins(one)
    for series in tree["series"]:
        samples = series["samples"]
        for name in {*samples} - {"round", "position", "status", "values"}:
            del samples[name]
        samples["values"] = {name: column for name, column in samples["values"].items() if name == "elapsed_ns"}
    return tree


def test_what_the_page_makes_of_a_reader_s_file_is_what_stands_here_of_ours(tmp_path: Path) -> None:
    files = [{"what": what, "file": shortened(one), "told": told(tmp_path, one)} for what, one in RECORDS.items()]
    builds = [(msgspec.to_builtins(one), build_words(build_name(one))) for one in BUILDS]
    held = {"metrics": metrics(SCENARIOS), "files": files, "builds": builds}
    said = json.dumps(held, ensure_ascii=False, separators=(",", ":"))
    for start in ('{"what":', '{"name":', '[{"implementation":'):
        said = said.replace(start, f"\n{start}")
    said += "\n"
    if os.environ.get("UPDATE_GOLDEN"):
        OWN.write_text(said, encoding="utf-8")
    assert OWN.read_text(encoding="utf-8") == said


@pytest.mark.parametrize(
    ("what", "unknown"),
    [
        ("whole", set()),
        ("quick", {*KEPT}),
        ("without the GIL", set()),
        ("a round of the second control failed", {"sync_loop", "threads", "greenlets"}),
        ("the second control was not reached", {"sync_loop", "threads", "greenlets"}),
        ("a round of the baseline failed", {*KEPT}),
        ("a round of another failed", set()),
    ],
)
def test_where_a_control_lacks_a_round_the_noise_of_what_it_bounds_is_not_known(
    tmp_path: Path, what: str, unknown: set[str]
) -> None:
    series = told(tmp_path, RECORDS[what])["series"]
    assert {each["name"][2] for each in series if each["noise"] is None} == unknown
