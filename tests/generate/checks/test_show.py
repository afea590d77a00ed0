"""The output of `show`: who is faster by how much, and reasons for missing values."""

import io
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from factory import REFERENCE, Plan, altered, build, make_record, some_scenarios
from frames import is_subject
from msgspec.structs import replace
from outside import ROOT
from rich.console import Console

from generate.__main__ import main
from generate.show import MOST_ANSWERS, show
from generate.words.patterns import (
    NO_RATIO,
    NOTHING_DECIDED,
    RUN_LEFT_OUT,
    STATUSES,
    TERMINAL_AGAINST,
    TERMINAL_MORE,
    THE_BASELINE,
    TIMES_AS_FAST,
)
from runners.harness import commands
from runners.harness.catalogue import scenarios as catalogue
from runners.harness.errors import EXIT_INCOMPLETE, UserError
from runners.harness.record.codec import encode
from runners.harness.record.model import Package, Record, Status

SCENARIOS = {"primes": some_scenarios()["primes"]}
NEW = build("3.14.0")


def shown(folder: Path, *plans: Plan) -> str:
    for number, plan in enumerate(plans):
        (folder / f"{number}.json").write_bytes(encode(make_record(SCENARIOS, plan)))
    return printed(folder)


def printed(folder: Path, metric: str = "") -> str:
    text = io.StringIO()
    show([folder], Console(file=text, width=200, highlight=False), metric)
    return text.getvalue()


def find_line(text: str, runner: str) -> str:
    return next(line for line in text.splitlines() if line.startswith(f"{runner} "))


def test_each_case_has_a_table_the_baseline_first(tmp_path: Path) -> None:
    text = shown(tmp_path, Plan(build=REFERENCE, speed={"process_pool": 0.5, "thread_pool": 2.0}))
    table = text.partition("primes, published: Time for all eight numbers\n")[2].partition("\n\n")[0]
    head, *rows = table.splitlines()
    assert head.split() == ["runner", "value", "range", "against", "sync_loop"]
    runners = [line.split()[0] for line in rows if not line.startswith(" ")]
    assert (runners[0], runners[1], runners[-1]) == ("sync_loop", "process_pool", "thread_pool")
    assert THE_BASELINE in find_line(table, "sync_loop")
    assert TIMES_AS_FAST.format("") in find_line(table, "process_pool")


def test_busy_machine_is_named_once_and_not_after_a_run(tmp_path: Path) -> None:
    record = make_record(SCENARIOS, Plan(build=REFERENCE, speed={"process_pool": 0.5}))
    (tmp_path / "a.json").write_bytes(encode(replace(record, machine=replace(record.machine, load_before=3.1))))
    text = printed(tmp_path)
    assert "undecided" in find_line(text, "process_pool")
    assert text.splitlines()[-1].startswith(NOTHING_DECIDED.partition("{")[0])
    assert text.count("busy") == 1
    (tmp_path / "b.json").write_bytes(encode(make_record(SCENARIOS, Plan(build=REFERENCE, run_id="quiet"))))
    text = printed(tmp_path)
    assert "undecided" not in find_line(text, "process_pool")
    assert text.splitlines()[-1].startswith(RUN_LEFT_OUT.format(run="fixture-1", reason=""))
    done = CliRunner().invoke(main, ["show", "--after-run", str(tmp_path)])
    assert (done.exit_code, "busy" in done.output) == (0, False)


@pytest.mark.parametrize("status", ["timed_out", "unsupported"])
def test_missing_values_have_a_reason(tmp_path: Path, status: Status) -> None:
    text = shown(tmp_path, Plan(build=REFERENCE, status={"process_pool": status}))
    assert f"{STATUSES[status]}: fixture: {status}" in find_line(text, "process_pool")


def test_baseline_of_0_or_none_gives_no_ratio(tmp_path: Path) -> None:
    text = shown(tmp_path, Plan(build=REFERENCE, status={"sync_loop": "failed"}))
    assert NO_RATIO in find_line(text, "thread_pool")
    (tmp_path / "0.json").write_bytes(encode(make_server_record("", Package("3.14", None, requires=()))))
    assert NO_RATIO in find_line(printed(tmp_path, "failed_count"), "aiohttp_awaiting")


def test_rejected_round_is_named_with_its_reason(tmp_path: Path) -> None:
    def spoil(series: dict[str, Any]) -> None:
        series["samples"]["values"]["cpu_us"][2] = 10**10

    record = altered(make_record(SCENARIOS, Plan(build=REFERENCE)), is_subject("thread_pool"), spoil)
    (tmp_path / "a.json").write_bytes(encode(record))
    assert "rejected 1 round: " in find_line(printed(tmp_path), "thread_pool")
    statuses = [CliRunner().invoke(main, ["show", *each, str(tmp_path)]).exit_code for each in ((), ("--after-run",))]
    assert statuses == [0, EXIT_INCOMPLETE]


def test_builds_follow_the_reference_and_are_summed_up(tmp_path: Path) -> None:
    slower = Plan(build=NEW, speed=dict.fromkeys(SCENARIOS["primes"].runners, 2.0))
    text = shown(tmp_path, Plan(build=REFERENCE), slower)
    assert text.index("\ncpython-3.12.8\n") < text.index("\ncpython-3.14.0\n")
    assert TERMINAL_AGAINST.format("cpython-3.12.8") in text
    assert len(re.findall(r" (?:1\.9|2\.[01]) times", text)) >= len(SCENARIOS["primes"].runners)
    assert re.search(r"\n\ncpython-3\.14\.0 against cpython-3\.12\.8: .*\d slower", text)


WHEEL = "aiohttp-4.0.dev1+g1a2b3c-cp314-cp314-manylinux2014_x86_64.whl"


def make_server_record(variant: str, aiohttp: Package) -> Record:
    scenarios = {"blocking_server": some_scenarios()["blocking_server"]}
    packages = {"aiohttp": Package("3.14.5", None, requires=()), "tornado": Package("6.6", None, requires=())}
    build = replace(REFERENCE, variant=(variant,)) if variant else REFERENCE
    made = make_record(scenarios, Plan(build=build, packages=packages))
    return replace(made, packages=packages | {"aiohttp": aiohttp}, reference_packages=packages)


@pytest.mark.parametrize("version", ["3.15", "3.14.5"], ids=["another version", "a wheel of the same version"])
def test_packages_of_other_versions_are_named(version: str, tmp_path: Path) -> None:
    theirs = Package(version, None, source=WHEEL, requires=())
    (tmp_path / "0.json").write_bytes(encode(make_server_record("", Package("3.14.5", None, requires=()))))
    (tmp_path / "1.json").write_bytes(encode(make_server_record("wheel", theirs)))
    text = printed(tmp_path)
    assert f"\ncpython-3.12.8+wheel (aiohttp {version} ({WHEEL}), not 3.14.5)\n" in text
    assert "tornado 6.6" not in text


def test_other_metrics_can_be_shown(tmp_path: Path) -> None:
    text = shown(tmp_path, Plan(build=REFERENCE), Plan(build=NEW))
    hint, command = text.splitlines()[-2:]
    assert "timer_worst_delay_ns" in hint
    assert command == f"  {commands.module_command('generate', 'show', '--metric', 'NAME')}"
    text = printed(tmp_path, "timer_worst_delay_ns")
    assert "\nprimes, published, with a timer: Worst delay of the 10 ms timer\n" in text
    assert "Time for all eight numbers" not in text
    assert command not in text
    with pytest.raises(UserError, match=r"'speed': .* all_jobs_ns, elapsed_ns, "):
        printed(tmp_path, "speed")


def answer(folder: Path, *options: str) -> list[str]:
    """Return what a run prints at its end."""
    done = CliRunner().invoke(main, ["show", "--after-run", *options, str(folder)])
    assert done.exit_code == 0, done.output
    return done.stdout.split("\n\n")[-1].strip().splitlines()


def test_run_ends_with_one_line_a_scenario(tmp_path: Path) -> None:
    shown(tmp_path, Plan(build=REFERENCE, speed={"process_pool": 0.5}), Plan(build=NEW))
    (line,) = answer(tmp_path)
    assert answer(tmp_path, "--all") == [line]
    assert line.startswith("primes, published: process_pool ")
    assert TERMINAL_AGAINST.format("sync_loop") in line
    assert "; cpython-3.14.0: " in line
    (tmp_path / "1.json").unlink()
    (tmp_path / "0.json").write_bytes(encode(make_record(catalogue.find(), Plan(build=REFERENCE))))
    *lines, last = answer(tmp_path)
    assert (len(lines), last[:4]) == (MOST_ANSWERS - 1, TERMINAL_MORE[:4])


def test_tables_can_be_pasted_as_markdown(tmp_path: Path) -> None:
    (tmp_path / "0.json").write_bytes(encode(make_record(SCENARIOS, Plan(build=REFERENCE, status={"x": "failed"}))))
    done = CliRunner().invoke(main, ["show", "--markdown", str(tmp_path)])
    lines = [line for line in done.stdout.splitlines() if line]
    assert lines[0].startswith("**cpython-3.12.8: ")
    head, rule, *rows = [line for line in lines if line.startswith("|")][: 2 + len(SCENARIOS["primes"].runners)]
    assert [cell.strip() for cell in head.strip("|").split("|")] == ["runner", "value", "range", "against sync_loop"]
    assert {*rule} <= {*"|-: "}
    assert all(row.count("|") == head.count("|") for row in rows)


def test_unusable_file_is_named_and_others_are_shown(tmp_path: Path) -> None:
    (tmp_path / "bad.json").write_text("{")
    with pytest.raises(UserError, match="name one"):
        show([tmp_path], Console(file=io.StringIO()))
    assert shown(tmp_path, Plan(build=REFERENCE)).startswith("bad.json: ")


def test_the_newest_own_run_is_the_default(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(catalogue, "ROOT", tmp_path)
    nothing = CliRunner().invoke(main, ["show"])
    assert (nothing.exit_code, nothing.stdout) == (2, "")
    assert nothing.stderr.endswith(f"{commands.module_command('runners', 'run')}\n")
    for day, version in (("2026-01-02", "3.12.8"), ("2026-01-10", "3.13.1"), ("2026-01-03", "3.14.0")):
        folder = tmp_path / "results" / "local" / day / f"{day}-run"
        folder.mkdir(parents=True)
        (folder / "a.json").write_bytes(encode(make_record(SCENARIOS, Plan(build=build(version)))))
    done = CliRunner().invoke(main, ["show"])
    assert done.exit_code == 0, done.output
    assert done.stdout.startswith("\ncpython-3.13.1: 1 run ")


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


def run_with_only_measuring_installed(*arguments: str) -> subprocess.CompletedProcess[str]:
    pins = (ROOT / "requirements" / "measure.txt").read_text(encoding="utf-8")
    names = re.findall(r"^([\w-]+)==", pins, re.MULTILINE)
    there = {name.removesuffix("-py").replace("-", "_") for name in names}
    program = ONLY % ({"generate", "runners", *there}, [*arguments])
    return subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=False)  # noqa: S603 - our own words


@pytest.mark.processes
@pytest.mark.parametrize("command", ["show", "check", "compare"])
def test_reading_results_needs_no_package_of_the_site(command: str, tmp_path: Path) -> None:
    shown(tmp_path, Plan(build=REFERENCE), Plan(build=NEW))
    files = [str(tmp_path / f"{number}.json") for number in (0, 1)]
    done = run_with_only_measuring_installed(command, *files)
    assert done.returncode == 0 or command == "check", done.stderr  # they lie outside of results/local
    assert done.stderr == ""
    assert "sync_loop" in done.stdout or "2 files read" in done.stdout


@pytest.mark.processes
@pytest.mark.parametrize("arguments", [[], ["verdicts", "--out", "x"]])
def test_missing_package_is_named_in_one_line(arguments: list[str]) -> None:
    done = run_with_only_measuring_installed(*arguments)
    assert done.returncode == 2
    (line,) = done.stderr.splitlines()
    assert re.fullmatch(r"error: \w+ needs \w+, which is not installed: install requirements/site.txt", line)
    assert "needs " in run_with_only_measuring_installed("--help").stdout
