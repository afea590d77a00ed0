"""The reference build's series are added to the other builds of its run, and of no other."""

from pathlib import Path

import msgspec
from factory import REFERENCE, Plan, build, make_record
from frames import SCENARIOS

from generate.data.checked import ByRound, CheckedRecord
from generate.data.gate import check_records
from generate.data.read import load
from runners.harness.record.codec import encode
from runners.harness.record.model import Record, Role

NEW = build("3.14.0")
FILE = Plan(build=REFERENCE)


def own_series(plan: Plan) -> Record:
    """Make a file as a run of several builds writes it: without the reference build's series."""
    complete = make_record(SCENARIOS, plan)
    return msgspec.structs.replace(
        complete, series=[series for series in complete.series if series.role != "reference"]
    )


def read(folder: Path, records: dict[str, Record]) -> dict[str, CheckedRecord]:
    for path, record in records.items():
        (folder / path).parent.mkdir(exist_ok=True)
        (folder / path).write_bytes(encode(record))
    return {record.file.path: record for record in check_records(load(folder).files, SCENARIOS)}


def times(record: CheckedRecord, role: Role) -> list[ByRound]:
    own = (record.find(key._replace(role=role)) for key in record.series if key.role == "subject")
    return [series.by_round(SCENARIOS[series.key.scenario].metrics[0]) for series in own if series]


def test_each_run_has_its_own_reference(tmp_path: Path) -> None:
    plans = {"reference": REFERENCE, "new": NEW}
    records = {
        f"{run}/{name}.json": own_series(Plan(build=each, run_id=run, seed=seed))
        for seed, run in enumerate(("first", "second"))
        for name, each in plans.items()
    }
    seen = read(tmp_path, records)
    for run in ("first", "second"):
        assert times(seen[f"{run}/new.json"], "reference") == times(seen[f"{run}/reference.json"], "subject") != []


def test_a_reference_of_elsewhere_is_ignored(tmp_path: Path) -> None:
    others = {
        "other_run.json": Plan(build=REFERENCE, run_id="another"),
        "other_machine.json": Plan(build=REFERENCE, machine="another"),
        "local/reference.json": FILE,
        "new.json": Plan(build=NEW),
    }
    seen = read(tmp_path, {path: own_series(plan) for path, plan in others.items()})
    assert not times(seen["new.json"], "reference")


def test_a_file_with_a_reference_keeps_its_own(tmp_path: Path) -> None:
    complete = make_record(SCENARIOS, Plan(build=NEW, seed=9))
    seen = read(tmp_path, {"reference.json": own_series(FILE), "new.json": complete})
    assert seen["new.json"].series.keys() == {series.key for series in complete.series}
    assert times(seen["new.json"], "reference") != times(seen["reference.json"], "subject")
    again = load(tmp_path / "new.json", tmp_path, tmp_path / "new.json")
    assert (len(again.files), again.problems) == (2, [])
