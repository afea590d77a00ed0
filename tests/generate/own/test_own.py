from pathlib import Path

import msgspec
from click.testing import CliRunner
from own_records import COMPUTING, LOOP, own_record, timed, untimed

from generate import own
from generate.__main__ import main
from generate.data.own_results import OwnResult
from generate.words import patterns
from runners.harness.own.record import OwnSeries, encode
from runners.harness.record.model import SampleRow, Samples

WRONG = untimed("threads", 8, "wrong_answers", wrong=12)
REFUSED = untimed("interpreters", 2, "unsupported", "PIL._imaging does not load there")


def lines(*series: OwnSeries, versions: tuple[str, ...] = ("3.14.7",), **work: object) -> list[str]:
    return [*own.lines(OwnResult(own_record(series, versions, **work)))]


def test_command_prints_the_record_in_eighty_columns(tmp_path: Path) -> None:
    path = tmp_path / "own.json"
    path.write_bytes(encode(own_record([*COMPUTING, WRONG, REFUSED])))
    done = CliRunner().invoke(main, ["own", str(path)])
    assert done.exit_code == 0
    assert max(map(len, done.output.splitlines())) <= own.WIDTH
    assert "\nthe loop                    2.6" in done.output
    assert "thumbs:resize: 400 items, 2 cores, 3.14.7, 5 rounds" in done.output
    for word in ("12 of 400", "PIL._imaging", "best", "58 MB", "1.40", "310"):
        assert word in done.output


def test_missing_record_ends_with_status_2(tmp_path: Path) -> None:
    assert CliRunner().invoke(main, ["own", str(tmp_path / "own.json")]).exit_code == 2


def test_every_model_and_build_has_a_row() -> None:
    printed = lines(
        LOOP, timed("loop", None, 2800, on=1), timed("threads", 2, 1470, on=1), versions=("3.14.7", "3.14.7t")
    )
    assert sum(line.startswith("the loop ") for line in printed) == 2
    assert any(line.startswith("2 threads ") and line.endswith("best") for line in printed)
    assert any("2 threads on 3.14.7t" in line for line in printed)


def test_row_shows_speed_or_no_difference() -> None:
    rows = {line.split("  ")[0]: line for line in lines(*COMPUTING)}
    assert patterns.OWN_SAME in rows["2 threads"]
    assert " 1.9 " in rows["2 processes (fork)"]


def test_race_is_named_and_never_a_time() -> None:
    printed = lines(LOOP, WRONG)
    assert any(line.startswith("8 threads") and "12 of 400" in line for line in printed)
    assert any("shares state" in line for line in printed)


def test_nothing_measured_is_said() -> None:
    assert patterns.OWN_NOTHING in lines(untimed("loop", None, "failed", "ValueError in the first item"))


def test_service_has_a_row_for_each_rate() -> None:
    values = {
        "elapsed_ns": 10**9,
        "completed_count": 49,
        "failed_count": 1,
        "latency_median_us": 2_000,
        "latency_p99_us": 9_000,
    }
    samples = Samples.from_rows([SampleRow(1, 0, "ok", None, None, dict(values))])
    service = msgspec.structs.replace(timed("service", None, 1), rate_per_s=50.0, samples=samples)
    printed = lines(service, kind="service", sha256=None)
    row = next(line for line in printed if line.startswith("50 requests/s"))
    assert patterns.OWN_NOTHING in printed  # a request failed
    kept = msgspec.structs.replace(
        service, samples=Samples.from_rows([SampleRow(1, 0, "ok", None, None, dict(values, failed_count=0))])
    )
    assert any("keeps up with: 50 requests/s" in line for line in lines(kept, kind="service", sha256=None))
    assert all(word in row for word in ("49", "2.00\N{NO-BREAK SPACE}ms", "9.00\N{NO-BREAK SPACE}ms"))


def test_hostile_names_stay_one_line_without_control_characters() -> None:
    printed = lines(untimed("threads", 2, "failed", "a\x1b[2Jb\n::error::c"), function="a\u202eb")
    assert all(line.isprintable() for line in printed)
    assert not any("::error" in line for line in printed)


def test_noise_or_a_busy_machine_decides_nothing() -> None:
    noisy = [LOOP, timed("loop", None, 4000, role="control")]
    printed = " ".join(" ".join(lines(*noisy)).split())
    assert "Measure again" in printed
    assert "Take " not in printed
    assert "Nothing here" not in " ".join(lines(*COMPUTING))


def test_models_far_behind_the_loop_keep_their_columns() -> None:
    rows = lines(timed("loop", None, 0.6), timed("threads", 2, 72, spread=0.3), timed("to_thread", 6, 700, spread=0.4))
    assert all(" to " not in row for row in rows if row.startswith("to_thread"))
    assert max(map(len, rows)) <= own.WIDTH


def test_without_a_loop_the_fastest_is_advised() -> None:
    take = patterns.OWN_TAKE_FASTEST.format(model="8 threads")
    assert any(line.startswith(take) for line in lines(timed("threads", 8, 100), timed("threads", 2, 300)))
