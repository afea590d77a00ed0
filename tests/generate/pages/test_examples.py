"""The examples of the page on the data really run, on files as the site serves them."""

import contextlib
import io
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import outside
import pytest
from factory import REFERENCE, Plan, build, make_record
from msgspec import structs
from sample_site import build_downloads, write_results

from runners.harness.catalogue import scenarios as catalogue
from runners.harness.record.codec import encode

PAGE = catalogue.ROOT / "docs" / "use-the-data.md"
RESULTS_EXAMPLES = re.findall(
    r"```python\n(.*?)```", (catalogue.ROOT / "results" / "README.md").read_text(encoding="utf-8"), re.DOTALL
)
ROUNDS = 12
EXAMPLES = re.findall(r"```(bash|python)\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
TOOLS = ("bash", "curl", "jq", "sha256sum")
NEXT_TO_REFERENCE = "2026-01-01/r/b.json"
AGAIN = Plan(build=REFERENCE, run_id="fixture-3", profile="quick", rounds=3, seed=3)
"""Another run of the same build, pooled with the first."""


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("site")
    scenarios = {"primes": catalogue.find()["primes"]}
    plans = {"a": Plan(build=REFERENCE), "b": Plan(), "c": Plan(machine="other-host", run_id="fixture-2")}
    files = {f"2026-01-01/r/{name}.json": plan for name, plan in plans.items()}
    write_results(folder / "results", files | {"2026-01-02/r/newest.json": AGAIN}, scenarios)
    record = make_record(
        scenarios, Plan()
    )  # as a run of several builds writes it: the reference build's series are in its own
    own = [series for series in record.series if series.role != "reference"]
    (folder / "results" / NEXT_TO_REFERENCE).write_bytes(encode(structs.replace(record, series=own)))
    for path, content in build_downloads(folder / "results", scenarios, catalogue.ROOT / "docs").items():
        place = folder / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(content)
    with outside.serving(folder / "docs") as address:
        yield address.rstrip("/")


def run(kind: str, text: str) -> str:
    """Run an example, of Python in this process: each would import pandas again."""
    if kind == "bash":
        command = ["bash", "-euo", "pipefail", "-c", text]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout  # noqa: S603 - our own
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        exec(compile(text, "example", "exec"), {"__name__": "__main__"})  # noqa: S102 - our own
    return printed.getvalue()


def test_examples_run_in_the_order_of_the_page(served: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    missing = [tool for tool in TOOLS if shutil.which(tool) is None]
    if missing and os.environ.get("REQUIRE_BROWSER") != "1":
        pytest.skip(f"not installed: {', '.join(missing)}")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    printed = [run(kind, text.replace("SITE", served)) for kind, text in EXAMPLES]
    assert all(each.strip() for each in printed)
    everything = "\n".join(printed)
    for words in ("primes.csv: OK", "cpython-3.13.1", "process_pool", "median_s", '"ok"'):
        assert words in everything, words
    (computed,) = (text for (_, example), text in zip(EXAMPLES, printed, strict=True) if "def samples_of" in example)
    *run_lines, estimated = computed.splitlines()
    medians = [float(line.split()[-1]) for line in run_lines]
    assert len(medians) > 1
    assert min(medians) < float(estimated.split()[2]) < max(medians)


def test_examples_run_and_distinguish_builds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    scenarios = {"primes": catalogue.find()["primes"]}
    plans = {name: Plan(build=build("3.13.1", free_threaded=name == "free")) for name in ("gil", "free")}
    write_results(tmp_path / "results", {f"2026-01-01/r/{name}.json": plan for name, plan in plans.items()}, scenarios)
    (tmp_path / "results" / "2026-01-01" / "r" / "cells.json").write_text("{}")
    shutil.copy(tmp_path / "results" / "2026-01-01" / "r" / "gil.json", tmp_path / "result.json")
    monkeypatch.chdir(tmp_path)
    printed = [run("python", text) for text in RESULTS_EXAMPLES]
    assert {name for name in plans if name in printed[-1]} == {*plans}
