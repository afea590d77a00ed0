"""The commands: effects and refusals. Samples and tables are fakes."""

import errno
import math
import re
import shlex
import sys
from contextlib import nullcontext
from dataclasses import replace
from functools import partial
from itertools import chain, count, repeat
from pathlib import Path
from unittest.mock import Mock

import pytest
from click.testing import CliRunner, Result
from planted import FOLDER, PACKAGE, prepared

from runners.harness import __main__ as command_line
from runners.harness import commands, errors, files, matrix
from runners.harness.builds import build_request, environments, host, interpreters
from runners.harness.catalogue import scenarios as catalogue
from runners.harness.catalogue import skeleton
from runners.harness.process import launcher, open_files
from runners.harness.process.launcher import SampleResult
from runners.harness.record import codec
from runners.harness.record.model import Package, Record
from runners.harness.run import new_run, plan, quiet, session

OK = SampleResult("ok", None, {"elapsed_ns": 1})
FAILED = SampleResult("failed", "it fell\nover")
HANGING = ("run", "--scenario", "hanging")


@pytest.fixture(autouse=True)
def idle(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(host, "load_average", lambda: 0.1)
    monkeypatch.setattr(host, "lost_times", dict)


@pytest.fixture
def planted(monkeypatch: pytest.MonkeyPatch) -> Mock:
    """Let the commands see only the planted scenarios, and take samples in no time."""
    fake = Mock()
    fake.prepare.side_effect = lambda requests: [prepared(f"3.{10 + index}.1") for index, _ in enumerate(requests)]
    fake.show.return_value = ""
    fake.take.return_value = OK
    monkeypatch.setattr(catalogue, "find", partial(catalogue.find, FOLDER, PACKAGE))
    monkeypatch.setattr(interpreters, "prepare", fake.prepare)
    monkeypatch.setattr(environments, "compile_runners", fake.compile)
    monkeypatch.setattr(command_line, "_show", fake.show)
    monkeypatch.setattr(launcher, "Launcher", nullcontext)
    monkeypatch.setattr(launcher, "take", fake.take)
    monkeypatch.setattr(open_files, "raise_limit", fake.raise_limit)
    return fake


def invoke(*arguments: object) -> Result:
    return CliRunner().invoke(command_line.main, [str(argument) for argument in arguments])


def refusal(*arguments: object, after: int = 0) -> str:
    """Return the only line of a command that refuses, *after* so many others."""
    result = invoke(*arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    (line,) = result.stderr.splitlines()[after:]
    assert line.startswith("error: ")
    return line


def read(out: Path) -> list[Record]:
    return [codec.decode(path.read_bytes()) for path in sorted(out.glob("*/*/*.json"))]


def test_new_names_the_files_and_the_next_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(skeleton, "create", lambda _: [catalogue.RUNNERS / "primes" / "my_pool.py"])
    path, following = invoke("new", "primes/my_pool").stdout.splitlines()
    assert path == "runners/primes/my_pool.py"
    *_, test, _, chosen = shlex.split(following)
    assert (catalogue.ROOT / test).exists()
    assert chosen == "primes and my_pool"


def test_plan_counts_the_samples(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(interpreters, "find", lambda _: None)
    scenarios = catalogue.find()
    steps = plan.steps(scenarios, plan.entries(scenarios, plan.Selection("quick"), [(), ()]), 2, 3)
    *_, last = invoke("plan", "--rounds", "2", "--python", "a", "--python", "b").stdout.splitlines()
    assert last.startswith(f"{len(steps):5} samples")
    shown = [int(re.search(r"(\d+) minute", invoke("plan", *options).stdout)[1])  # type: ignore[index]
             for options in ((), ("--rounds", 6), ("--rounds", 6, "--python", "a", "--python", "b"))]  # fmt: skip
    assert shown == [math.ceil(matrix.read().minutes.quick * times) for times in (1, 2, 4)]


SCENARIOS = catalogue.find()
AIOHTTP = ["--python", "3.13", "--python", "3.13+aiohttp==99.9"]
OTHER = build_request.parse(f"{sys.executable}+aiohttp==1", ["aiohttp"])
WHEEL = "dist/aiohttp-9-py3-none-any.whl"


@pytest.mark.parametrize(
    ("selection", "remedy"),
    [
        (["--scenario", "prims"], f"did you mean primes?); choose from: {', '.join(SCENARIOS)}"),
        (["--runner", "@"], ", ".join(sorted({name for each in SCENARIOS.values() for name in each.runners}))),
        (["--scenario", "primes", "--runner", "gevent_pywsgi"], "'gevent_pywsgi'"),
        (["--scenario", "hand_over"], "--profile full"),
        (["--scenario", "open_loop", "--case", "closed loop, nothing to do", *AIOHTTP], "--profile full"),
        (["--scenario", "download", "--runner", "threads", *AIOHTTP], "importing aiohttp"),
        (["--scenario", "download", "--python", "3.13", "--python", f"3.13+{WHEEL}"], str(Path(WHEEL).absolute())),
        (["--scenario", "primes", "--python", "./nothing"], "./nothing"),
    ],
)
def test_run_that_would_measure_nothing_is_refused(tmp_path: Path, selection: list[str], remedy: str) -> None:
    assert remedy in refusal("run", *selection, "--out", tmp_path)
    assert remedy in refusal("plan", *selection)
    assert not list(tmp_path.iterdir())


def test_run_that_could_not_be_shown_is_refused(tmp_path: Path) -> None:
    line = refusal("run", "--scenario", "primes", "--metric", "elapsd_ns", "--out", tmp_path)
    assert "did you mean elapsed_ns?" in line
    assert line.endswith(", all")
    assert "requests_per_s" not in line
    assert "--repeat" in refusal("run", "--resume", tmp_path, "--repeat", 2)
    for option, value in (("--profile", "@"), ("--rounds", 1001), ("--seed", -1), ("--repeat", 51)):
        result = invoke("run", option, value)
        assert (result.exit_code, option in result.stderr) == (2, True)
    assert not list(tmp_path.iterdir())


def test_variant_without_its_package_ends_only_a_local_run(planted: Mock, tmp_path: Path) -> None:
    lacking = replace(prepared("3.10.1"), packages={"aiohttp": Package(None, "no compiler")}, request=OTHER)
    planted.prepare.side_effect = lambda _: [prepared("3.11.1"), lacking]
    assert "no compiler" in refusal("run", "--out", tmp_path)
    assert not list(tmp_path.iterdir())
    origin = new_run.Origin("run.job1", "run", "dispatch", "https://example.org", has_reference_build=True)
    request = new_run.RunRequest(plan.Selection("quick"), 1, 0, [new_run.DEFAULT_PYTHON] * 2)
    assert len(new_run.begin(request, catalogue.find(), tmp_path, None, origin).builds) == 2


@pytest.mark.usefixtures("planted")
def test_unusable_paths_and_labels_are_refused(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    assert str(tmp_path / "file") in refusal("run", "--out", tmp_path / "file")
    assert "can't name a machine" in refusal("run", "--out", tmp_path, "--machine", "a\nb")
    assert str(tmp_path / "nothing") in refusal("run", "--resume", tmp_path / "nothing")
    for option in ("--out", "--resume"):
        assert "File name too long" in refusal(*HANGING, option, tmp_path / ("x" * 300))


def test_run_writes_a_file_per_build_and_shows_them(planted: Mock, tmp_path: Path) -> None:
    result = invoke(*HANGING, "--rounds", 2, "--seed", 7, "--python", "a", "--python", "b", "--machine", "desk",
                    "--metric", "all", "--out", tmp_path)  # fmt: skip
    assert result.exit_code == 0, result.output
    paths = sorted(tmp_path.glob("*/*/*.json"))
    assert [path.name for path in paths] == ["desk-cpython-3.10.1.json", "desk-cpython-3.11.1.json"]
    assert all(str(path) in result.stdout for path in paths)
    planted.show.assert_called_once_with(["--metric", "all", *paths])
    planted.raise_limit.assert_called()
    record = read(tmp_path)[1]
    assert (record.complete, record.machine.label, record.run.id) == (True, "desk", paths[1].parent.name)
    assert (record.run.rounds, record.run.seed, record.run.profile) == (2, 7, "quick")
    assert (record.run.scenarios, record.run.runners, record.run.cases) == (["hanging"], [], [])
    assert invoke(*HANGING, "--profile", "full", "--out", tmp_path / "full").exit_code == 0
    (default,) = planted.prepare.call_args.args[0]
    assert default.interpreter == new_run.DEFAULT_PYTHON.interpreter
    assert [record.run.rounds for record in read(tmp_path / "full")] == [plan.ROUNDS["full"]]


def test_faults_are_listed_by_reason(planted: Mock, tmp_path: Path) -> None:
    planted.take.side_effect = chain([OK], repeat(FAILED))
    chosen = ("--scenario", "misbehaving", "--runner", "misses_a_package", "--runner", "has_no_family")
    result = invoke("run", *chosen, "--rounds", 2, "--seed", 1, "--out", tmp_path)
    assert result.exit_code == 4
    problem = catalogue.find()["misbehaving"].runners["has_no_family"].problem
    total, *reasons = result.stdout.splitlines()[-10:-1]
    assert total.startswith("4 of 4 series ")
    build = "    cpython-3.10.1 misbehaving, tiny:"
    assert sorted(reasons) == sorted([
        "  failed: it fell over", f"{build} doubles",
        "  partial: 1 of 2 samples: it fell over", f"{build} doubles (control)",
        f"  failed: {problem}", f"{build} has_no_family",
        "  not installed: needs no_such_package, which no file in requirements/runners pins",
        f"{build} misses_a_package",
    ])  # fmt: skip
    listed = invoke("list").stdout
    assert f"[{problem}]" in listed
    for scenario in catalogue.find().values():
        assert f"{scenario.name} ({scenario.source}): {scenario.question}" in listed
        assert all(f"  {runner} " in listed for runner in scenario.runners)


def test_busy_machine_and_rejected_samples_are_named(
    planted: Mock, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    planted.show.return_value = command_line.REJECTED
    monkeypatch.setattr(host, "load_average", lambda: 99_999.0)
    monkeypatch.setattr(quiet, "CHECKS", 0)
    result = invoke(*HANGING, "--rounds", 1, "--repeat", 2, "--all", "--out", tmp_path)
    assert planted.show.call_args.args[0][0] == "--all"
    assert "the load is 99999.0" in result.stderr.splitlines()[0]
    assert "2 of 2 runs" in result.stdout.splitlines()[-1]
    assert "sanity gate" in result.stdout
    assert result.exit_code == 4


@pytest.mark.usefixtures("planted")
def test_full_disk_ends_a_run_in_one_line_that_resumes_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def write(path: Path, data: bytes) -> None:
        if next(numbers) == 3:
            raise OSError(errno.ENOSPC, "No space left on device", str(path))
        files.write_atomically(path, data)

    numbers = count()
    monkeypatch.setattr(session, "write_atomically", write)
    line = refusal(*HANGING, "--seed", 7, "--out", tmp_path / "a b", after=1)
    (path,) = tmp_path.glob("a b/*/*/*.json")
    assert f"No space left on device; {new_run.REMEDIES[errno.ENOSPC]}; " in line
    assert line.endswith(commands.module_command("runners", "run", "--resume", path.parent))
    (record,) = read(tmp_path / "a b")
    assert not record.complete
    assert sum(len(series.samples.round) for series in record.series) == 2


def test_repeated_runs_differ_in_id_seed_and_folder(planted: Mock, tmp_path: Path) -> None:
    seeds = []
    for out in (tmp_path / "a", tmp_path / "b"):
        planted.reset_mock()
        result = invoke(*HANGING, "--rounds", 1, "--seed", 7, "--repeat", 2, "--python", "a", "--out", out)
        assert [line for line in result.stderr.splitlines() if line.startswith("run ")] == ["run 1 of 2", "run 2 of 2"]
        runs = [record.run for record in read(out)]
        paths = {*out.glob("*/*/*.json")}
        assert {path.parent.name for path in paths} == {run.id for run in runs}
        seeds.append({run.seed for run in runs})
        planted.show.assert_called_once()
        assert {*planted.show.call_args.args[0]} == paths
        planted.prepare.assert_called_once()  # a branch may move between two runs
    assert seeds[0] == seeds[1] > {7}, "the other seed follows from the first"


def test_interrupted_run_prints_a_command_for_a_shell(
    planted: Mock, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    planted.take.side_effect = [OK, OK, OK, KeyboardInterrupt]
    result = invoke(*HANGING, "--rounds", 1, "--repeat", 3, "--out", tmp_path / "it's mine")
    assert result.exit_code == 130
    paths = {codec.decode(path.read_bytes()).complete: path for path in tmp_path.glob("*/*/*/*.json")}
    assert paths.keys() == {False, True}, "the runs before it are kept"
    place, _, command = result.stderr.splitlines()[-1].partition("resume with: ")
    assert "run 2 of 3" in place
    python = str(commands.short_path(Path(sys.executable)))
    assert shlex.split(command) == [python, "-m", "runners", "run", "--resume", str(paths[False].parent)]
    monkeypatch.setattr(new_run, "begin", Mock(side_effect=KeyboardInterrupt))
    before = invoke(*HANGING, "--out", tmp_path)
    assert (before.exit_code, len(before.stderr.splitlines())) == (130, 1)


@pytest.mark.usefixtures("planted")
def test_second_run_of_one_second_and_seed_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(new_run, "timestamp", lambda: "2026-01-01T00:00:00Z")
    request = new_run.RunRequest(plan.Selection("quick"), 1, 7, [new_run.DEFAULT_PYTHON])
    new_run.begin(request, catalogue.find(), tmp_path, None)
    with pytest.raises(errors.UserError, match="run it again"):
        new_run.begin(request, catalogue.find(), tmp_path, None)
