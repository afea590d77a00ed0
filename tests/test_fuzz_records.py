"""A few mutated records and odd machines; tests/fuzz_records.py tries thousands."""

from pathlib import Path

from fuzz_records import try_hosts, try_records


def test_mutated_records_are_used_or_named(tmp_path: Path) -> None:
    assert try_records(150, tmp_path, seed=2).keys() == {"used", "left out"}


def test_odd_machines_are_described_or_refused(tmp_path: Path) -> None:
    assert try_hosts(40, tmp_path, seed=2).total() == 40
