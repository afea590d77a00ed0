"""The reference build's series are added to the other builds of its run, and of no other."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
from factory import REFERENCE, Plan, build, make_record, some_scenarios

from generate.data.read import load
from runners.harness.record.codec import encode

if TYPE_CHECKING:
    from pathlib import Path

    from runners.harness.record.model import Record

NEW = build("3.14.0")


def without_reference(plan: Plan) -> Record:
    """Make a file as a run of several builds writes it: without the reference build's series."""
    complete = make_record(some_scenarios(), plan)
    own = [series for series in complete.series if series.role != "reference"]
    return msgspec.structs.replace(complete, series=own)


def loaded(folder: Path, **records: Record) -> dict[str, Record]:
    for name, record in records.items():
        (folder / f"{name}.json").write_bytes(encode(record))
    return {file.path.removesuffix(".json"): file.record for file in load(folder).files}


def test_each_run_has_its_own_reference(tmp_path: Path) -> None:
    runs = [tmp_path / name for name in ("first", "second")]
    for seed, folder in enumerate(runs):
        folder.mkdir()
        for name, each_build in (("reference", REFERENCE), ("new", NEW)):
            record = without_reference(Plan(build=each_build, run_id=folder.name, seed=seed))
            (folder / f"{name}.json").write_bytes(encode(record))
    by_path = {file.path: file.record for file in load(*runs).files}
    assert [*by_path] == [f"{folder.as_posix()}/{name}.json" for folder in runs for name in ("new", "reference")]
    for folder in runs:
        new, reference = (by_path[f"{folder.as_posix()}/{name}.json"] for name in ("new", "reference"))
        own = {series.key[:3]: series.samples for series in reference.series if series.role == "subject"}
        taken = {series.key[:3]: series.samples for series in new.series if series.role == "reference"}
        assert taken == own


def test_a_reference_of_elsewhere_is_ignored(tmp_path: Path) -> None:
    (tmp_path / "local").mkdir()
    records = loaded(
        tmp_path,
        other_run=without_reference(Plan(build=REFERENCE, run_id="another")),
        other_machine=without_reference(Plan(build=REFERENCE, machine="another")),
        new=without_reference(Plan(build=NEW)),
        **{"local/reference": without_reference(Plan(build=REFERENCE))},
    )
    assert "reference" not in {series.role for series in records["new"].series}


def test_a_file_with_a_reference_keeps_its_own(tmp_path: Path) -> None:
    complete = make_record(some_scenarios(), Plan(build=NEW))
    records = loaded(tmp_path, reference=without_reference(Plan(build=REFERENCE)), new=complete)
    assert records["new"] == complete
    again = load(tmp_path / "new.json", tmp_path, tmp_path / "new.json")
    assert (len(again.files), again.problems) == (2, [])
