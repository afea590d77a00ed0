from io import StringIO
from pathlib import Path
from typing import Any

import msgspec
import pytest
from click.testing import CliRunner
from own_records import COMPUTING, LOOP, MS, own_record, timed, untimed
from rich.console import Console

from generate import own
from generate.__main__ import main
from generate.data.own_results import OwnResult
from generate.words import patterns
from runners.harness.own.record import OwnRecord, OwnSeries, encode
from runners.harness.record.model import SampleRow, Samples

WRONG = untimed("threads", 8, "wrong_answers", wrong=12)


def printed(record: OwnRecord) -> list[str]:
    screen = Console(file=StringIO(), width=own.WIDTH)
    own.show(OwnResult(record), [], screen)
    lines = screen.file.getvalue().splitlines()  # type: ignore[attr-defined]
    assert max(map(len, lines)) <= own.WIDTH
    return [line.rstrip() for line in lines]


def lines(*series: OwnSeries, versions: tuple[str, ...] = ("3.14.7",), **work: Any) -> list[str]:  # noqa: ANN401 - fields of Work
    return printed(own_record(series, versions, **work))


def test_command_prints_table_advice_and_failures(tmp_path: Path) -> None:
    path = tmp_path / "own.json"
    refused = [untimed(model, 2, "unsupported", "PIL is not made for it") for model in ("interpreters", "greenlets")]
    path.write_bytes(encode(own_record([*COMPUTING, WRONG, *refused])))
    done = CliRunner().invoke(main, ["own", str(path)])
    text = " ".join(done.output.split())
    assert done.exit_code == 0
    for words in (
        "thumbs:resize: 400 items, 2 cores, 3.14.7, 5 rounds",
        "2 processes (fork) 1.40 s 1.9 ",
        " 1.26 s 58 MB best",  # after the range, which borrows the published scatter
        f"2 threads 2.7 s {patterns.OWN_SAME}",
        patterns.OWN_START.format("90 ms", "1.40 s"),
        "8 threads (12 of 400) gave wrong answers",
        patterns.OWN_NOT_RUN.format(models="2 interpreters and 2 greenlets", reason="PIL is not made for it"),
    ):
        assert words in text


def test_missing_record_ends_with_status_2(tmp_path: Path) -> None:
    assert CliRunner().invoke(main, ["own", str(tmp_path / "own.json")]).exit_code == 2


def test_every_build_has_its_rows() -> None:
    rows = lines(LOOP, timed("loop", None, 2800, on=1), timed("threads", 2, 1470, on=1), versions=("3.14.7", "3.14.7t"))
    assert sum(row.startswith("plain loop ") for row in rows) == 2
    assert any(row.startswith("2 threads ") and row.endswith("best") for row in rows)
    assert any("2 threads on 3.14.7t" in row for row in rows)


def test_largest_cells_stay_within_eighty_columns() -> None:
    rows = lines(timed("loop", None, 0.6), timed("processes_forkserver", 128, 700, spread=0.4, memory=123_000_000))
    assert any(row.startswith("128 processes (forkserver) ") and "123 MB" in row for row in rows)


@pytest.mark.parametrize(("failed", "is_kept"), [(0, True), (1, False)])
def test_service_keeps_up_only_without_failures(failed: int, *, is_kept: bool) -> None:
    values = {"elapsed_ns": 1000 * MS, "completed_count": 49, "failed_count": failed}
    values |= {"latency_median_us": 2_000, "latency_p99_us": 9_000}
    samples = Samples.from_rows([SampleRow(1, 0, "ok", None, None, dict(values))])
    service = msgspec.structs.replace(timed("service", None, 1), rate_per_s=50.0, samples=samples)
    rows = lines(service, kind="service", sha256=None)
    assert any(row.split()[:4] == ["50", "requests/s", "49.0/s", "2.00"] for row in rows)
    assert any("keeps up with: 50 requests/s" in row for row in rows) is is_kept


def test_hostile_names_stay_one_line_without_control_characters() -> None:
    rows = lines(untimed("threads", 2, "failed", "a\x1b[2Jb\n::error::c [bold]"), function="a\u202eb")
    assert all(row.isprintable() for row in rows)
    assert not any("::error" in row for row in rows)
    assert any("[bold]" in row for row in rows)


@pytest.mark.parametrize("is_busy", [True, False])
def test_noise_or_a_busy_machine_makes_advice_uncertain(*, is_busy: bool) -> None:
    record = own_record(COMPUTING if is_busy else [LOOP, timed("loop", None, 4000, role="control")])
    machine = msgspec.structs.replace(record.machine, load_before=9.0 if is_busy else 0.1)
    text = " ".join(" ".join(printed(msgspec.structs.replace(record, machine=machine))).split())
    assert patterns.OWN_UNCERTAIN.partition("{")[0] in text


def test_without_a_loop_the_fastest_is_advised() -> None:
    take = patterns.OWN_TAKE_FASTEST.format(model="8 threads")
    assert any(line.startswith(take) for line in lines(timed("threads", 8, 100), timed("threads", 2, 300)))


def test_explained_record_has_predictions_only() -> None:
    rows = lines()
    assert any(row.split()[:2] == ["plain", "loop"] and row.endswith("2.6 s") for row in rows)
    assert any(row.startswith("By arithmetic, take 2 processes") for row in rows)
    assert all(words in " ".join(rows) for words in ("computes for 6.1 ms", "100 % of", "310 kB", "60 µs", "130 ms"))
