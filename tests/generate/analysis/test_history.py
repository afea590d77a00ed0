"""Each file is parsed once in its life, and a cache that is not to be trusted is made anew."""

from __future__ import annotations

import dataclasses
import errno
import json
import subprocess
import sys
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from typing import TYPE_CHECKING

import duckdb
import msgspec
import pandas as pd
import pytest
from factory import REFERENCE, Plan, altered, build, make
from sample_site import letters, put

from generate.analysis import history, medians
from generate.analysis.gated import apply_gate
from generate.analysis.selection import select_current
from generate.results.cache import Cache, Entry
from generate.results.load import find_files, load, read_again
from generate.results.model import Problem
from generate.statistics.intervals import median_interval
from runners.harness.catalogue.scenarios import ROOT
from runners.harness.errors import UserError
from runners.harness.record.codec import decode, encode

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from generate.results.load import FoundFile
    from generate.results.model import FileHeader, Listing
    from runners.harness.record.model import Record

PLANS = {
    "2026-01-01/r/a.json": Plan(build=REFERENCE),
    "2026-01-01/r/b.json": Plan(status={"thread_pool": "failed"}),
    "2026-02-01/s/b.json": Plan(run_id="s", seed=1),
    "local/m/c.json": Plan(run_id="m", build=build("3.14.0")),
}


@pytest.fixture
def results(tmp_path: Path) -> Path:
    put(tmp_path / "results", PLANS, letters())
    return tmp_path / "results"


def cache(results: Path) -> Cache:
    return history.cache_of(results.parent, letters())


def listed(results: Path, kept: Cache | None = None) -> Listing:
    return history.list_files(results, kept or cache(results), letters(), is_catalogue=False)


def parts(results: Path) -> list[Path]:
    return sorted((results.parent / history.CACHE).glob("*.parquet"))


def count_parsed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    parsed: list[str] = []
    real = medians.entry

    def counting(found: FoundFile, scenarios: object) -> object:
        parsed.append(found.path)
        return real(found, scenarios)  # type: ignore[arg-type]  # as it is given

    monkeypatch.setattr(history, "entry", counting)
    return parsed


def test_headers_are_the_same_from_a_cold_and_a_warm_cache_and_as_decoded(results: Path) -> None:
    cold, warm = listed(results), listed(results)
    assert cold == warm
    decoded = {file.path: dataclasses.replace(file.header, modified_ns=0) for file in load(results).files}
    assert [dataclasses.replace(file, modified_ns=0) for file in warm.files] == [
        dataclasses.replace(decoded[file.path], has_reference=file.has_reference, machine_name=file.machine_name)
        for file in warm.files
    ]
    assert len(warm.files) == len(PLANS)


def test_a_file_is_parsed_once_in_its_life_wherever_it_lies(results: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    listed(results)
    parsed = count_parsed(monkeypatch)
    (results / "2026-02-01/s/b.json").rename(results / "moved.json")
    put(results, {"2026-03-01/t/b.json": Plan(run_id="t", seed=2)}, letters())
    assert {file.path for file in listed(results).files} >= {"moved.json", "2026-03-01/t/b.json"}
    assert parsed == ["2026-03-01/t/b.json"]
    listed(results)
    assert len(parsed) == 1


def test_files_of_the_same_series_share_what_is_known_of_them(results: Path) -> None:
    listed(results)
    measured = [file.measured for file in listed(results).files]
    assert len({id(one) for one in measured}) == 1


def medians_in(kept: Cache) -> pd.DataFrame:
    """Return a row a file, series and metric: the hash of the file, and what `SeriesMedian` has."""
    found = kept.series(sorted(kept.read()))
    rows = [{"sha256": sha256, **msgspec.structs.asdict(row)} for sha256, series in found.items() for row in series]
    return pd.DataFrame(rows).sort_values(["sha256", "scenario", "case", "runner", "role", "metric"], ignore_index=True)


def test_medians_and_intervals_are_kept_as_they_are_computed(results: Path) -> None:
    kept = cache(results)
    listing = listed(results, kept)
    table = medians_in(kept)
    hashes = {file.path: file.sha256 for file in listing.files}
    (record,) = (one for one in apply_gate(load(results).files, letters()) if one.file.path == "2026-02-01/s/b.json")
    key = ["scenario", "case", "runner", "role", "metric"]
    rows = table[table["sha256"] == hashes[record.file.path]].set_index(key).to_dict("index")
    for series in record.file.record.series:
        if series.role != "reference":
            for metric in record.view.metrics(series):
                values = [*record.by_round(series, metric).values()]
                row, expected = rows[*series.key, metric.name], median_interval(values)
                assert (row["median"], row["low"], row["high"]) == (expected.median, expected.low, expected.high)
                assert row["rounds"] == len(values)
    failed = table[(table["sha256"] == hashes["2026-01-01/r/b.json"]) & (table["runner"] == "thread_pool")]
    assert set(failed["status"]) == {"failed"}
    assert failed["median"].isna().all()


def test_a_file_that_changes_between_its_hash_and_its_reading_is_kept_under_neither(results: Path) -> None:
    (found, *_), _ = find_files([results])
    found.location.write_bytes(found.location.read_bytes() + b"\n")
    kept = medians.entry(found, letters())
    assert isinstance(kept, Problem)
    assert (kept.path, kept.message) == (found.path, "changed while it was read")


def refused(record: Record, runner: str) -> Record:
    """Return *record* with a sample of a runner that the gate refuses."""

    def too_early(series: dict[str, dict[str, dict[str, list[int]]]]) -> None:
        series["samples"]["values"]["elapsed_ns"][0] = 0

    return altered(record, lambda series: (series.runner, series.role) == (runner, "subject"), too_early)


def test_what_the_gate_refuses_is_kept_as_failed(tmp_path: Path) -> None:
    (tmp_path / "results").mkdir()
    (tmp_path / "results/a.json").write_bytes(encode(refused(make(letters()), "thread_pool")))
    kept = cache(tmp_path / "results")
    listed(tmp_path / "results", kept)
    table = medians_in(kept)
    assert set(table[table["runner"] == "thread_pool"]["status"]) == {"failed"}
    assert set(table[table["runner"] != "thread_pool"]["status"]) == {"ok"}


def test_the_medians_of_some_files_are_read_without_those_of_others(results: Path) -> None:
    kept = cache(results)
    wanted = [file for file in listed(results, kept).files if file.path in {"2026-01-01/r/b.json", "local/m/c.json"}]
    table = medians_in(kept)
    for sha256, series in history.medians_of(results, kept, wanted, letters()).items():
        rows = table[table["sha256"] == sha256]
        assert sorted(row.median for row in series if row.median is not None) == sorted(rows["median"].dropna())
        assert len(series) == len(rows)
    assert set(kept.series(file.sha256 for file in wanted)) == {file.sha256 for file in wanted}
    assert kept.series([]) == {}


@pytest.mark.parametrize("spoil", [lambda part: part.unlink(), lambda part: part.write_bytes(b"")])
def test_medians_that_are_not_kept_are_computed_again(results: Path, spoil: Callable[[Path], object]) -> None:
    kept = cache(results)
    wanted = listed(results, kept).files
    before = history.medians_of(results, kept, wanted, letters())
    spoil(parts(results)[0])
    assert history.medians_of(results, kept, wanted, letters()) == before


def of_columns(columns: str) -> Callable[[Path], object]:
    return lambda part: duckdb.execute(f"COPY (SELECT {columns}) TO '{part}' (FORMAT parquet)")


SPOIL: dict[str, Callable[[Path], object]] = {
    "cut off": lambda part: part.write_bytes(part.read_bytes()[:-20]),
    "empty": lambda part: part.write_bytes(b""),
    "of no format": lambda part: part.write_text("no Parquet"),
    "of other columns": of_columns("1 AS sha256"),
    "of other content": of_columns("'x' AS sha256, '{' AS header, '[]' AS measured, [] AS series"),
    "of another version": lambda part: part.rename(part.with_name("0123456789abcdef-1.parquet")),
}


@pytest.mark.parametrize("kind", SPOIL)
def test_a_cache_that_cannot_be_used_is_made_anew_with_one_line(results: Path, kind: str) -> None:
    before = listed(results)
    SPOIL[kind](parts(results)[0])
    kept = cache(results)
    assert listed(results, kept) == before
    assert "made anew" in kept.warning
    assert "\n" not in kept.warning
    again = cache(results)
    assert listed(results, again) == before
    assert again.warning == ""
    assert len(parts(results)) == 1


def test_so_much_is_kept_that_the_last_entry_lies_over_the_bounds_of_what_is_read_at_once(tmp_path: Path) -> None:
    sizes = [500_000] * 33 + [400_000]  # the last from below 16 MiB to above
    entries = [Entry(f"{number}", "{}", "[]", "s" * size) for number, size in enumerate(sizes)]
    Cache(tmp_path, "v")._add([msgspec.json.encode(entry) for entry in entries])
    kept = duckdb.execute("SELECT count(*) FROM read_parquet(?)", [f"{tmp_path}/*.parquet"]).fetchone()
    assert kept == (len(sizes),)


def test_a_cache_from_which_nothing_can_be_removed_is_said_and_hinders_nothing(
    results: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = listed(results)
    SPOIL["of another version"](parts(results)[0])

    def unlink(_: Path, *, missing_ok: bool) -> None:
        raise OSError(errno.EROFS, "Read-only file system", str(missing_ok))

    kept = cache(results)
    monkeypatch.setattr(type(results), "unlink", unlink)
    assert listed(results, kept) == before
    assert kept.warning == f"nothing can be removed from {kept.folder}: Read-only file system"


def test_a_change_of_the_code_or_of_a_runner_makes_another_version(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    known = letters()
    version = history.cache_of(tmp_path, known).version
    scenario = known["letters"]
    changed = dataclasses.replace(scenario, scenario_sha256="0" * 64)
    assert history.cache_of(tmp_path, {"letters": changed}).version != version
    monkeypatch.setattr(history, "SOURCES", history.SOURCES[1:])
    assert history.cache_of(tmp_path, known).version != version


def test_where_nothing_can_be_kept_all_else_goes_on(results: Path) -> None:
    (results.parent / "cache").write_text("in the way")
    kept = cache(results)
    assert len(listed(results, kept).files) == len(PLANS)
    assert "nothing can be kept" in kept.warning


@pytest.mark.parametrize(("of_files", "together"), [(25, True), (1, False)])
def test_parts_of_few_files_are_put_together_and_nothing_is_lost(
    results: Path, monkeypatch: pytest.MonkeyPatch, of_files: int, *, together: bool
) -> None:
    monkeypatch.setattr("generate.results.cache.MOST_SMALL_PARTS", 2)
    monkeypatch.setattr("generate.results.cache.SMALL_PART_FILES", of_files)
    for number in range(4):
        put(results, {f"2026-04-0{number + 1}/r/a.json": Plan(run_id=f"r{number}", seed=number)}, letters())
        listed(results)
    assert (len(parts(results)) <= 3) == together
    parsed = count_parsed(monkeypatch)
    assert len(listed(results).files) == len(PLANS) + 4
    assert parsed == []


def test_where_small_parts_cannot_be_put_together_it_is_said_that_all_is_kept(
    results: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken() -> list[Path]:
        raise duckdb.Error

    kept = cache(results)
    monkeypatch.setattr(kept, "_small_parts", broken)
    listed(results, kept)
    assert kept.warning.endswith("can't be put together (Error): all is kept")
    parsed = count_parsed(monkeypatch)
    assert len(listed(results).files) == len(PLANS)
    assert parsed == []


def test_many_files_are_parsed_by_several_processes_as_by_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    scenarios = {name: one for name, one in medians._catalogue().items() if name == "primes"}
    plans = {f"{number}.json": Plan(run_id=f"r{number}", seed=number, rounds=2) for number in range(4)}
    put(tmp_path / "results", plans, scenarios)
    (tmp_path / "results/broken.json").write_text("{")
    monkeypatch.setattr(history, "FEWEST_FOR_PROCESSES", 2)
    several, one = history.cache_of(tmp_path / "a", scenarios), history.cache_of(tmp_path / "b", scenarios)
    by_several = history.list_files(tmp_path / "results", several, scenarios, is_catalogue=True)
    assert by_several == history.list_files(tmp_path / "results", one, scenarios, is_catalogue=False)
    assert medians_in(several).equals(medians_in(one))
    assert [problem.path for problem in by_several.problems] == ["broken.json"]


def test_where_processes_cannot_be_had_this_one_parses(results: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = listed(results)
    parts(results)[0].unlink()

    def broken(unknown: Sequence[FoundFile]) -> Iterator[bytes | Problem]:
        yield medians.entry(unknown[0], letters())
        raise BrokenProcessPool

    monkeypatch.setattr(history, "FEWEST_FOR_PROCESSES", 2)
    monkeypatch.setattr(history, "_by_processes", broken)
    assert history.list_files(results, cache(results), letters(), is_catalogue=True) == expected


def test_a_file_has_the_series_of_its_reference_which_another_job_measured(results: Path) -> None:
    listing = listed(results)
    current = select_current(listing.files)
    assert "2026-01-01/r/b.json" not in {file.path for file in current}
    decoded = {file.path: file.record for file in history.decode(results, listing.files, listing.files)}
    loaded = {file.path: file.record for file in load(results).files}
    assert decoded == loaded


def test_what_the_gate_refused_once_stays_refused_in_files_and_beside_them(tmp_path: Path) -> None:
    results = tmp_path / "results"
    put(results, {"r/a.json": Plan(build=REFERENCE), "r/b.json": Plan()}, letters())
    for name, runner in (("a", "thread_pool"), ("b", "sync_loop")):
        path = results / f"r/{name}.json"
        own = [one for one in decode(path.read_bytes()).series if one.role != "reference"]
        record = msgspec.structs.replace(decode(path.read_bytes()), series=own)
        path.write_bytes(encode(refused(record, runner)))
    for _ in ("cold", "warm"):
        listing = listed(results)
        kept = apply_gate(history.decode(results, listing.files, listing.files), letters())
        asked = apply_gate(load(results).files, letters())
        assert [dict(one.refused) for one in kept] == [dict(one.refused) for one in asked]
    assert {(key.runner, key.role) for key in kept[1].refused} >= {
        ("sync_loop", "subject"),
        ("thread_pool", "reference"),
    }


@pytest.mark.parametrize("is_gone", [False, True])
def test_a_file_that_changed_after_it_was_listed_ends_it(results: Path, *, is_gone: bool) -> None:
    listing = listed(results)
    put(results, {"local/m/c.json": Plan(run_id="other")}, letters())
    if is_gone:
        (results / "local/m/c.json").unlink()
    with pytest.raises(UserError, match="changed while it was read"):
        history.decode(results, listing.files, listing.files)


def test_only_current_files_are_decoded(results: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for month in range(1, 10):
        put(results, {f"2025-0{month}-01/r/a.json": Plan(run_id=f"old{month}", seed=month)}, letters())
    listing = listed(results)
    read: list[str] = []

    def noting(folder: Path, header: FileHeader) -> Record:
        read.append(header.path)
        return read_again(folder, header)

    monkeypatch.setattr(history, "read_again", noting)
    history.decode(results, select_current(listing.files), listing.files)
    assert len(read) == 3


def test_all_code_that_decides_what_is_kept_makes_the_cache_anew() -> None:
    files = "[each.__file__ for each in sys.modules.values() if getattr(each, '__file__', None)]"
    named = f"import json, sys, generate.analysis.medians; print(json.dumps({files}))"
    said = subprocess.run([sys.executable, "-c", named], cwd=ROOT, capture_output=True, text=True, check=True)  # noqa: S603 - our own code
    ours = {Path(path).relative_to(ROOT) for path in json.loads(said.stdout) if Path(path).is_relative_to(ROOT)}
    ours = {path for path in ours if path.parts[0] in {"generate", "runners"} and path.name != "__init__.py"}
    others = {path.as_posix() for path in ours if not any(path.is_relative_to(folder) for folder in history.SOURCES)}
    assert others == set()
