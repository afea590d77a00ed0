"""What `show` prints of result files: who is faster by how much, and what has no value and why."""

from __future__ import annotations

import io
import re
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner
from factory import REFERENCE, Plan, altered, build, make, some_scenarios
from msgspec.structs import replace
from outside import ROOT
from rich.console import Console

from generate.__main__ import main
from generate.checks.show import NO_RATIO, show
from runners.harness import commands
from runners.harness.catalogue import scenarios as catalogue
from runners.harness.errors import UserError
from runners.harness.record.build_names import build_name
from runners.harness.record.codec import encode
from runners.harness.record.model import Package

if TYPE_CHECKING:
    from pathlib import Path

    from runners.harness.record.model import Record

SCENARIOS = {"primes": some_scenarios()["primes"]}
NEW = build("3.14.0")


def shown(folder: Path, *plans: Plan, width: int = 80) -> str:
    for number, plan in enumerate(plans):
        (folder / f"{number}.json").write_bytes(encode(make(SCENARIOS, plan)))
    text = io.StringIO()
    show([folder], Console(file=text, width=width, highlight=False))
    return text.getvalue()


def line_of(text: str, runner: str) -> str:
    return next(line for line in text.splitlines() if line.startswith(f"{runner} "))


def test_each_case_has_a_table_with_the_baseline_first_and_the_best_before_the_others(tmp_path: Path) -> None:
    text = shown(tmp_path, Plan(build=REFERENCE, speed={"process_pool": 0.5, "thread_pool": 2.0}))
    assert "primes, published: Time for all eight numbers\nbaseline: sync_loop; the baseline against itself: " in text
    table = text.partition("primes, published:")[2].partition("\n\n")[0]
    runners = [line.split()[0] for line in table.splitlines()[3:] if not line.startswith(" ")]
    assert (runners[0], runners[1], runners[-1]) == ("sync_loop", "process_pool", "thread_pool")
    assert "the baseline" in line_of(table, "sync_loop")
    assert "times as fast" in line_of(table, "process_pool")


def test_a_quick_run_says_that_it_is_one(tmp_path: Path) -> None:
    text = shown(tmp_path, Plan(build=REFERENCE, rounds=3, profile="quick", speed={"process_pool": 0.6}), width=120)
    assert "quick profile, 3 rounds" in text
    assert "quick run)" in line_of(text, "process_pool")


def test_few_rounds_of_a_full_run_are_called_by_their_number(tmp_path: Path) -> None:
    text = shown(tmp_path, Plan(build=REFERENCE, rounds=6, speed={"process_pool": 0.6}), width=120)
    assert "full profile, 6 rounds" in text
    assert re.search(r"times as fast \([\d.]+ to [\d.]+, 6 rounds\)", line_of(text, "process_pool"))
    assert "quick run" not in text


def test_a_run_on_a_busy_machine_says_so_and_decides_nothing(tmp_path: Path) -> None:
    record = make(SCENARIOS, Plan(build=REFERENCE, speed={"process_pool": 0.5}))
    (tmp_path / "a.json").write_bytes(encode(replace(record, machine=replace(record.machine, load_before=3.1))))
    text = io.StringIO()
    show([tmp_path], Console(file=text, width=160, highlight=False))
    heading = text.getvalue().splitlines()[1]
    assert heading.endswith("; it decides nothing: the machine was busy: load 3.1 on 2 cores before the first sample")
    assert "not decided (12 pairs); it leans to: 1.97 times as fast" in line_of(text.getvalue(), "process_pool")


def test_intervals_are_named_by_the_coverage_that_so_few_rounds_reach(tmp_path: Path) -> None:
    assert " 96.1\N{NO-BREAK SPACE}% interval " in shown(tmp_path, Plan(build=REFERENCE))
    assert " 75\N{NO-BREAK SPACE}% interval " in shown(tmp_path, Plan(build=REFERENCE, rounds=3, profile="quick"))


def test_what_has_no_value_says_why(tmp_path: Path) -> None:
    status = {"process_pool": "timed_out", "thread_pool": "unsupported"}
    text = shown(tmp_path, Plan(build=REFERENCE, status=status), width=120)  # type: ignore[arg-type]
    assert "ran out of time: fixture: timed_out" in line_of(text, "process_pool")
    assert "not supported: fixture: unsupported" in line_of(text, "thread_pool")


def test_a_value_whose_baseline_is_nought_or_absent_is_there_and_has_no_ratio(tmp_path: Path) -> None:
    text = shown(tmp_path, Plan(build=REFERENCE, status={"sync_loop": "failed"}), width=200)
    assert NO_RATIO in line_of(text, "thread_pool")
    (tmp_path / "0.json").write_bytes(encode(of_servers("", Package("3.14", None, requires=()))))
    assert NO_RATIO in line_of(printed(tmp_path, "failed_count"), "aiohttp_awaiting")


def test_files_of_one_run_stand_together_each_build_beside_the_reference(tmp_path: Path) -> None:
    slower = Plan(build=NEW, speed=dict.fromkeys(SCENARIOS["primes"].runners, 2.0))
    text = shown(tmp_path, Plan(build=REFERENCE), slower, width=120)
    assert text.count("\nprimes, published: ") == 1
    assert text.index("\ncpython-3.12.8 (") < text.index("\ncpython-3.14.0 (")
    beside = re.findall(r"beside the first build: takes (?:1\.9|2\.0)\d times as long", text)
    assert len(beside) >= len(SCENARIOS["primes"].runners)


def test_what_lies_inside_the_noise_of_either_build_is_no_plain_difference(tmp_path: Path) -> None:
    def noisy(series: dict[str, Any]) -> None:
        values = series["samples"]["values"]
        values["elapsed_ns"] = [value * 3 for value in values["elapsed_ns"]]

    slower = Plan(build=NEW, speed={"thread_pool": 1.5})
    calm = make(SCENARIOS, Plan(build=REFERENCE))
    references = {"calm": calm, "noisy": altered(calm, lambda series: series.role == "control", noisy)}
    for name, reference in references.items():
        folder = tmp_path / name
        folder.mkdir()
        for number, record in enumerate((reference, make(SCENARIOS, slower))):
            (folder / f"{number}.json").write_bytes(encode(record))
        text = io.StringIO()
        show([folder], Console(file=text, width=200, highlight=False))
        assert ("slower: thread_pool in primes, published: " in text.getvalue()) is (name == "calm")


def test_the_last_lines_sum_up_what_is_plainly_faster_or_slower_than_on_the_first_build(tmp_path: Path) -> None:
    text = shown(tmp_path, Plan(build=REFERENCE), Plan(build=NEW, speed={"process_pool": 2.0}), width=200)
    head = r"\n\ncpython-3\.14\.0 beside the first build: of \d+ comparisons, 1 is plainly slower\n"
    assert re.search(head + r"  slower: process_pool in primes, published: takes \d", text)
    alone = tmp_path / "alone"
    alone.mkdir()
    assert "beside" not in shown(alone, Plan(build=REFERENCE))


def test_no_line_is_wider_than_the_terminal(tmp_path: Path) -> None:
    text = shown(tmp_path, Plan(build=REFERENCE), Plan(build=NEW), width=80)
    assert max(map(len, text.splitlines())) <= 80


WHEEL = "aiohttp-4.0.dev1+g1a2b3c-cp314-cp314-manylinux2014_x86_64.whl"


def test_a_build_has_a_line_of_its_own_so_its_long_name_takes_no_room_from_the_numbers(tmp_path: Path) -> None:
    variant = replace(REFERENCE, variant=(WHEEL,))
    text = shown(tmp_path, Plan(build=REFERENCE), Plan(build=variant, speed={"process_pool": 2.0}))
    assert f"\n{build_name(variant)} (" in text
    assert f"\n{build_name(REFERENCE)} (" in text
    lines = [line for line in text.splitlines() if line.startswith("process_pool ")]
    assert len(lines) > 1
    assert all(re.search(r"^process_pool +\d\.\d+\ss +\d\.\d+ to \d\.\d+\ss   ?\w+", line) for line in lines), lines


def test_each_build_says_how_far_its_own_baseline_lay_from_itself(tmp_path: Path) -> None:
    text = shown(tmp_path, Plan(build=REFERENCE), Plan(build=NEW), width=120)
    assert "\nbaseline: sync_loop\n" in text
    for version in ("3.12.8", "3.14.0"):
        assert re.search(rf"^cpython-{version} \(the baseline against itself: [\d.]+ to [\d.]+\)$", text, re.MULTILINE)


@pytest.mark.parametrize(("width", "are_below"), [(60, True), (80, False)])
def test_words_that_have_no_room_beside_the_numbers_stand_below_them(
    width: int, tmp_path: Path, *, are_below: bool
) -> None:
    text = shown(tmp_path, Plan(build=REFERENCE), Plan(build=NEW, speed={"process_pool": 0.5}), width=width)
    assert max(map(len, text.splitlines())) <= width
    assert ("\n    no difference seen (" in text) is are_below
    assert ("\n    beside the first build: " in text) is are_below
    assert bool(re.search(r"\nprocess_pool .* (no|takes) ", text)) is not are_below


def of_servers(variant: str, aiohttp: Package) -> Record:
    scenarios = {"blocking_server": some_scenarios()["blocking_server"]}
    packages = {"aiohttp": Package("3.14.5", None, requires=()), "tornado": Package("6.6", None, requires=())}
    of_build = replace(REFERENCE, variant=(variant,)) if variant else REFERENCE
    one = make(scenarios, Plan(build=of_build, packages=packages))
    return replace(one, packages=packages | {"aiohttp": aiohttp}, reference_packages=packages)


@pytest.mark.parametrize(
    ("theirs", "said"),
    [
        (Package("3.15", None, source=WHEEL, requires=()), "aiohttp 3.15, not 3.14.5"),
        (Package("3.14.5", None, source=WHEEL, requires=()), f"aiohttp 3.14.5 ({WHEEL}), not 3.14.5"),
    ],
    ids=["another version", "a wheel of the same version"],
)
def test_builds_with_different_versions_of_a_package_name_both_versions(
    theirs: Package, said: str, tmp_path: Path
) -> None:
    (tmp_path / "0.json").write_bytes(encode(of_servers("", Package("3.14.5", None, requires=()))))
    (tmp_path / "1.json").write_bytes(encode(of_servers("wheel", theirs)))
    text = io.StringIO()
    show([tmp_path], Console(file=text, width=200, highlight=False))
    assert "\ncpython-3.12.8 (aiohttp 3.14.5; " in text.getvalue()
    assert f"\ncpython-3.12.8+wheel ({said}; " in text.getvalue()
    assert "tornado 6.6" not in text.getvalue()


def test_another_metric_can_be_asked_for_and_all_and_what_there_is_is_named(tmp_path: Path) -> None:
    text = shown(tmp_path, Plan(build=REFERENCE), Plan(build=NEW), width=200)
    hint, command = text.splitlines()[-2:]
    assert re.fullmatch(r"also measured: timer_worst_delay_ns, .*_ns; for their tables, or those of all:", hint)
    assert command == f"  {commands.module('generate', 'show', '--metric', 'NAME')}"
    of_timer = printed(tmp_path, "timer_worst_delay_ns")
    assert "\nprimes, published, with a timer: Worst delay of the 10 ms timer\n" in of_timer
    assert "Time for all eight numbers" not in of_timer
    assert "also measured" not in of_timer
    every = printed(tmp_path, "all")
    assert every.count("\nprimes, published, with a timer: ") == len(SCENARIOS["primes"].metrics)
    assert every.count("\nprimes, published: Time for all eight numbers\n") == 1
    with pytest.raises(
        UserError, match="nothing here has the metric 'speed': choose all, or one of all_jobs_ns, elapsed_ns, "
    ):
        printed(tmp_path, "speed")


def printed(folder: Path, metric: str) -> str:
    text = io.StringIO()
    show([folder], Console(file=text, width=200, highlight=False), metric)
    return text.getvalue()


def test_a_file_that_can_t_be_used_is_named_and_the_others_are_shown(tmp_path: Path) -> None:
    (tmp_path / "bad.json").write_text("{")
    with pytest.raises(UserError, match="there is no result file to show"):
        show([tmp_path], Console(file=io.StringIO()))
    assert shown(tmp_path, Plan(build=REFERENCE)).startswith("bad.json: ")


def test_without_a_name_the_newest_run_of_this_machine_is_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(catalogue, "ROOT", tmp_path)
    nothing = CliRunner().invoke(main, ["show"])
    assert (nothing.exit_code, nothing.stdout) == (2, "")
    remedy = f"name a file or a folder, or measure: {commands.module('runners', 'run')}"
    assert nothing.stderr == f"error: there is no result under results/local: {remedy}\n"
    for day, version in (("2026-01-02", "3.12.8"), ("2026-01-10", "3.13.1"), ("2026-01-03", "3.14.0")):
        folder = tmp_path / "results" / "local" / day / f"{day}-run"
        folder.mkdir(parents=True)
        (folder / "a.json").write_bytes(encode(make(SCENARIOS, Plan(build=build(version)))))
    done = CliRunner().invoke(main, ["show"])
    assert done.exit_code == 0, done.output
    assert done.stdout.startswith("\ncpython-3.13.1 on ")


ONLY = """
import sys

class Barred:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] not in {*%r, *sys.stdlib_module_names}:
            raise ModuleNotFoundError(f"barred: {name}", name=name)

sys.meta_path.insert(0, Barred())
from generate.__main__ import main
main(%r)
"""
IMPORTED_AS = {"markdown-it-py": "markdown_it", "typing-extensions": "typing_extensions"}
"""What packages of measure.txt are imported as, where not by their own names."""


def where_only_measuring_is_installed(*arguments: str) -> subprocess.CompletedProcess[str]:
    pins = (ROOT / "requirements" / "measure.txt").read_text(encoding="utf-8")
    there = {IMPORTED_AS.get(name, name) for name in re.findall(r"^([\w-]+)==", pins, re.MULTILINE)}
    program = ONLY % ({"generate", "runners", *there}, [*arguments])
    return subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=False)  # noqa: S603 - our own words


@pytest.mark.parametrize("command", ["show", "check", "compare"])
def test_a_command_that_reads_results_needs_the_packages_of_measuring_alone(command: str, tmp_path: Path) -> None:
    shown(tmp_path, Plan(build=REFERENCE), Plan(build=NEW))
    files = [str(tmp_path / f"{number}.json") for number in (0, 1)]
    done = where_only_measuring_is_installed(command, *files)
    assert done.returncode == 0 or command == "check", done.stderr  # they lie outside of results/local
    assert done.stderr == ""
    assert "sync_loop" in done.stdout or "2 files read" in done.stdout


@pytest.mark.parametrize("arguments", [[], ["pages"], ["verdicts", "--out", "x"]])
def test_a_command_that_needs_more_says_in_one_line_what(arguments: list[str]) -> None:
    done = where_only_measuring_is_installed(*arguments)
    assert done.returncode == 2
    (line,) = done.stderr.splitlines()
    assert re.fullmatch(r"error: \w+ needs \w+, which is not installed: install requirements/site.txt", line)
    assert "needs " in where_only_measuring_is_installed("--help").stdout
