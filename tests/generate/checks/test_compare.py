"""The output of `compare` for two files or folders, and its refusals."""

import io
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from factory import REFERENCE, Plan, build, make_record, some_scenarios
from rich.console import Console

from generate.__main__ import main
from generate.compare import show
from generate.words.patterns import COMPARE_SERIES, COMPARE_THROUGH_REFERENCE, TIMES_AS_FAST
from runners.harness.errors import UserError
from runners.harness.record.codec import encode
from runners.harness.record.model import Record

SCENARIOS = {"primes": some_scenarios()["primes"]}
NEW = build("3.14.0")


def record(**plan: Any) -> Record:  # noqa: ANN401 - of a Plan
    return make_record(SCENARIOS, Plan(**plan))


def write(folder: Path, *records: Record) -> Path:
    folder.mkdir(parents=True)
    for number, made in enumerate(records):
        (folder / f"{number}.json").write_bytes(encode(made))
    return folder


def find_line(text: str, runner: str) -> str:
    return next(line for line in text.splitlines() if line.startswith(f"{runner} "))


def printed(first: Path, second: Path, metric: str = "", width: int = 200) -> str:
    text = io.StringIO()
    show((first, second), metric, Console(file=text, width=width, highlight=False))
    return text.getvalue()


def test_two_files_of_one_run(tmp_path: Path) -> None:
    folder = write(tmp_path / "run", record(), record(build=NEW, speed={"thread_pool": 0.5}))
    done = CliRunner().invoke(main, ["compare", str(folder / "0.json"), str(folder / "1.json")])
    assert done.exit_code == 0, done.output
    second, first = done.stdout.splitlines()[1:3]
    assert second.startswith("second: cpython-3.14.0: ")
    assert first.startswith("first: cpython-3.13.1: ")
    assert TIMES_AS_FAST.format("2.0") in find_line(done.stdout, "thread_pool")
    assert COMPARE_THROUGH_REFERENCE.format("") not in find_line(done.stdout, "thread_pool")
    series = COMPARE_SERIES.format(runner="thread_pool", scenario="primes", case="published")
    assert f"\n  faster: {series}: {TIMES_AS_FAST.format('2.0')}" in done.stdout


def test_two_folders_are_matched_by_build_and_pooled(tmp_path: Path) -> None:
    folders = [
        write(tmp_path / name, *(record(build=of, run_id=f"{name}{run}", seed=run) for of in builds for run in (1, 2)))
        for name, builds in (("before", (REFERENCE, NEW)), ("after", (REFERENCE, NEW)))
    ]
    text = printed(folders[0], folders[1])
    assert "second: cpython-3.14.0: 2 runs " in text
    assert "second: cpython-3.12.8" not in text
    assert COMPARE_THROUGH_REFERENCE.format("") in find_line(text, "thread_pool")


@pytest.mark.parametrize("versions", [("3.14.0", "3.13.1"), ()])
def test_folders_without_a_common_build_are_refused(tmp_path: Path, versions: tuple[str, ...]) -> None:
    first = write(tmp_path / "first", *(record(build=build(version)) for version in versions))
    second = write(tmp_path / "second", record(build=build("3.12.8")))
    names = ".*".join(f"cpython-{version}" for version in (*sorted(versions), "3.12.8"))
    with pytest.raises(UserError, match=names):
        printed(first, second)


def test_unknown_metrics_and_the_same_results_are_refused(tmp_path: Path) -> None:
    folder = write(tmp_path / "run", record(), record(build=NEW))
    text = printed(folder / "0.json", folder / "1.json", "timer_worst_delay_ns")
    assert "\nprimes, published, with a timer: " in text
    assert SCENARIOS["primes"].metrics[0].title not in text
    with pytest.raises(UserError, match=r"'speed'.*all_jobs_ns, elapsed_ns, "):
        printed(folder / "0.json", folder / "1.json", "speed")
    for path in (folder, folder / "1.json"):
        with pytest.raises(UserError, match="two files, or two folders"):
            printed(path, path)


def test_builds_of_several_machines_are_named_with_them(tmp_path: Path) -> None:
    first = write(tmp_path / "first", record(build=NEW))
    second = write(tmp_path / "second", record(build=NEW, run_id="a"), record(build=NEW, run_id="b", cpu="Other"))
    with pytest.raises(UserError, match=r"cpython-3\.14\.0 on fixture-host \(Other\)"):
        printed(first, second)


def test_unusable_file_is_refused_by_name(tmp_path: Path) -> None:
    missing = CliRunner().invoke(main, ["compare", "nothing.json", "nothing.json"])
    assert missing.exit_code == 2
    assert "nothing.json" in missing.stderr
    folder = write(tmp_path / "run", record(), record(build=NEW))
    (folder / "2.json").write_bytes(b"{}")
    assert printed(folder / "0.json", folder / "1.json")
    with pytest.raises(UserError, match=r"2\.json.*no result file"):
        printed(folder / "0.json", folder / "2.json")
