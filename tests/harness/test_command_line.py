"""The commands: what they print, and how they refuse."""

from __future__ import annotations

import errno
import json
import re
import shlex
import sys
from contextlib import nullcontext
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import pytest
from click.testing import CliRunner, Result
from planted import FOLDER, PACKAGE, prepared

from runners.harness import commands, files
from runners.harness.__main__ import SHOW, main
from runners.harness.builds import host, interpreters
from runners.harness.catalogue import scenarios as catalogue
from runners.harness.catalogue.families import FAMILIES
from runners.harness.measure import GIL_REENABLED
from runners.harness.process import launcher, open_files
from runners.harness.process.launcher import SampleResult
from runners.harness.record import codec
from runners.harness.record.model import Observed, Package
from runners.harness.run import new_run, plan, quiet, session

if TYPE_CHECKING:
    from runners.harness.catalogue.scenarios import Scenario
    from runners.harness.process.launcher import Request


@pytest.fixture
def planted(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """Let the commands work on the planted scenarios, and take samples in no time; return the builds asked for."""
    asked: list[list[str]] = []

    def prepare(wanted: tuple[str, ...]) -> list[interpreters.Prepared]:
        asked.append(list(wanted))
        return [prepared(f"3.{10 + index}.1") for index, _ in enumerate(wanted)]

    monkeypatch.setattr(catalogue, "find", partial(catalogue.find, FOLDER, PACKAGE))
    monkeypatch.setattr(interpreters, "prepare", prepare)
    tables = (sys.executable, "-c", "import sys; print('tables of', sys.argv[1:])")
    monkeypatch.setattr("runners.harness.__main__.SHOW", tables)
    monkeypatch.setattr(launcher, "Launcher", nullcontext)
    monkeypatch.setattr(launcher, "take", lambda *_: SampleResult("ok", None, {"elapsed_ns": 1}))
    return asked


def invoke(*arguments: object) -> Result:
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


@pytest.fixture(autouse=True)
def idle(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the machine be idle, whatever else runs on it."""
    monkeypatch.setattr(host, "load_average", lambda: 0.1)
    monkeypatch.setattr(host, "processor_time", lambda: None)


def refusal(*arguments: object) -> str:
    """Return the one line of a command that refuses."""
    result = invoke(*arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith("error: ")
    (line,) = result.stderr.splitlines()
    return line


def test_the_help_says_how_a_variant_is_written() -> None:
    told = " ".join(invoke("run", "--help").output.split())
    assert "each behind a +: name==version, owner/repository@reference, a wheel's path, -Xname=value" in told
    assert "a label of your own and an =, as patched=/opt/python3" in told


@pytest.mark.parametrize("command", ["plan", "run"])
def test_an_unknown_name_is_refused_with_those_that_exist(command: str) -> None:
    scenarios = catalogue.find()
    runners = sorted({name for scenario in scenarios.values() for name in scenario.runners})
    told = refusal(command, "--scenario", "prims")
    assert told == f"error: no scenario is called 'prims' (did you mean primes?); there are: {', '.join(scenarios)}"
    assert refusal(command, "--runner", "@").endswith(f"no runner is called '@'; there are: {', '.join(runners)}")
    assert refusal(command, "--profile", "@").endswith("no profile is called '@'; there are: quick, full, map")
    assert "no runner is called 'gevent_pywsgi'" in refusal(
        command, "--scenario", "primes", "--runner", "gevent_pywsgi"
    )


def test_an_unknown_build_is_refused_with_those_that_exist(tmp_path: Path) -> None:
    for command in (["plan"], ["run", "--out", tmp_path]):
        told = refusal(*command, "--python", "3.77")
        assert told.startswith("error: no Python '3.77' is on this machine; there are: ")
    assert not list(tmp_path.iterdir())


AIOHTTP = ["--python", "3.13", "--python", "3.13+aiohttp==99.9"]


@pytest.mark.parametrize(
    ("asked", "what_to_do"),
    [
        (["--scenario", "hand_over"], "is in the quick profile: add --profile full"),
        (["--scenario", "primes", "--runner", "nested_awaits"], "no runner is called"),
        (["--scenario", "open_loop", "--case", "closed loop, nothing to do", *AIOHTTP], "add --profile full"),
        (
            ["--scenario", "primes", *AIOHTTP],
            "3.13+aiohttp==99.9 would measure nothing: no runner of what you chose imports aiohttp; runners of ",
        ),
        (
            ["--scenario", "download", "--python", "3.13", "--python", "3.13+aio-libs/aiohttp@master"],
            "aiohttp's repository does not build as it is cloned: build a wheel of the branch, and measure that",
        ),
        (
            ["--scenario", "download", "--python", "3.13", "--python", "3.13+dist/aiohttp-9-py3-none-any.whl"],
            f"there is no file {Path('dist/aiohttp-9-py3-none-any.whl').absolute()}: name a wheel by its path",
        ),
        (["--scenario", "download", "--runner", "threads", *AIOHTTP], "no runner of what you chose imports aiohttp"),
    ],
)
def test_a_run_that_would_measure_nothing_or_lack_its_package_is_refused_with_what_to_do(
    tmp_path: Path, asked: list[str], what_to_do: str
) -> None:
    assert what_to_do in refusal("run", *asked, "--out", tmp_path)
    assert what_to_do in refusal("plan", *asked)
    assert not list(tmp_path.iterdir())


@pytest.mark.usefixtures("planted")
def test_a_run_ends_before_its_first_sample_where_the_package_of_a_variant_did_not_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lacking = replace(prepared("3.10.1"), packages={"aiohttp": Package(None, "no compiler")}, varied=("aiohttp",))
    monkeypatch.setattr(interpreters, "prepare", lambda _: [prepared("3.11.1"), lacking])
    assert "aiohttp did not install: no compiler" in refusal("run", "--out", tmp_path)
    assert not list(tmp_path.iterdir())
    origin = new_run.Origin("run.job1", "run", "dispatch", "https://example.org", has_reference_build=True)
    request = new_run.RunRequest(plan.Selection("quick"), 1, 0, ("3.11", "3.10"))
    hosted = new_run.begin(request, catalogue.find(), tmp_path, None, origin)
    assert len(hosted.builds) == 2, "one that did not install keeps no other of a run of the workflow"


@pytest.mark.usefixtures("planted")
def test_results_that_can_not_be_written_or_named_are_refused(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    assert "no results can be written to" in refusal("run", "--out", tmp_path / "file")
    assert "can't name a machine" in refusal("run", "--out", tmp_path, "--machine", "a\nb")
    assert "holds no result file to go on with" in refusal("run", "--resume", tmp_path / "nothing")


@pytest.mark.parametrize(("option", "value"), [("--rounds", 0), ("--rounds", 1001), ("--seed", -1), ("--seed", 2**40)])
def test_numbers_that_no_file_could_hold_are_refused(option: str, value: int) -> None:
    result = invoke("plan", option, value)
    assert result.exit_code == 2
    assert str(value) in result.stderr


def test_the_list_names_every_scenario_and_runner() -> None:
    scenarios = catalogue.find()
    listed = json.loads(invoke("list", "--json").stdout)
    assert {one["scenario"]: [runner["runner"] for runner in one["runners"]] for one in listed} == {
        scenario.name: list(scenario.runners) for scenario in scenarios.values()
    }
    primes = next(one for one in listed if one["scenario"] == "primes")
    pool = next(one for one in primes["runners"] if one["runner"] == "thread_pool")
    assert (pool["family"], pool["cases"], pool["problem"]) == ("threads", ["published"], None)
    assert (pool["name"], primes["cases"]["published"]["name"]) == ("thread pool", "eight numbers")
    words = invoke("list").stdout
    assert re.search(r"^  thread_pool +thread pool  ", words, re.MULTILINE)
    assert all(f"  {runner} " in words for scenario in scenarios.values() for runner in scenario.runners)


@pytest.mark.usefixtures("planted")
def test_the_list_says_what_is_wrong_with_a_runner() -> None:
    assert "has_no_family" in invoke("list").stdout
    assert "[FAMILY is missing; it must be one of sync," in invoke("list").stdout


def test_the_plan_is_that_of_the_catalogue(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(interpreters, "find", lambda _: None)
    scenarios = catalogue.find()
    told = json.loads(invoke("plan", "--json", "--seed", "3", "--rounds", "2", "--python", "a", "--python", "b").stdout)
    assert (told["profile"], told["rounds"], told["seed"], told["pythons"]) == ("quick", 2, 3, ["a", "b"])
    expected = plan.steps(scenarios, plan.entries(scenarios, plan.Selection("quick"), [()] * 2), 2, 3)
    assert [(step["round"], step["scenario"], step["runner"], step["python"]) for step in told["steps"]] == [
        (step.round, step.entry.scenario, step.entry.runner, "ab"[step.entry.build]) for step in expected
    ]
    words = invoke("plan", "--rounds", "2").stdout.splitlines()
    assert words[-1] == f"{len(expected) // 2:5} samples in all: roughly 3 minutes where nothing else runs"


@pytest.mark.usefixtures("planted")
def test_a_run_writes_a_file_a_build_and_says_where(tmp_path: Path) -> None:
    result = invoke("run", "--scenario", "hanging", "--rounds", 2, "--seed", 7, "--python", "a", "--python", "b",
                    "--machine", "desk", "--out", tmp_path)  # fmt: skip
    assert result.exit_code == 0, result.output
    files = sorted(tmp_path.glob("*/*/*.json"))
    assert [file.name for file in files] == ["desk-cpython-3.10.1.json", "desk-cpython-3.11.1.json"]
    assert all(str(file) in result.stdout for file in files)
    one = codec.decode(files[1].read_bytes())
    assert (one.complete, one.run.rounds, one.run.seed, one.machine.label) == (True, 2, 7, "desk")
    assert (one.run.scenarios, one.run.runners, one.run.profile) == (["hanging"], [], "quick")
    assert one.run.cases == []
    assert one.run.id == files[1].parent.name
    assert "2 ok series" in result.stdout


def test_without_a_wish_our_own_interpreter_is_measured_with_the_profiles_rounds(
    planted: list[list[str]], tmp_path: Path
) -> None:
    result = invoke("run", "--scenario", "hanging", "--profile", "full", "--out", tmp_path)
    assert result.exit_code == 0, result.output
    assert planted == [[new_run.default_python()]]
    (path,) = tmp_path.glob("*/*/*.json")
    assert codec.decode(path.read_bytes()).run.rounds == plan.ROUNDS["full"]


@pytest.mark.usefixtures("planted")
def test_a_run_ends_with_the_tables_of_its_files_which_a_process_of_its_own_prints(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    result = invoke("run", "--scenario", "hanging", "--rounds", 1, "--python", "a", "--python", "b", "--out", "here")
    assert result.exit_code == 0, result.output
    files = sorted(map(str, tmp_path.glob("here/*/*/*.json")))
    assert capfd.readouterr().out == f"tables of {files}\n"


@pytest.mark.usefixtures("planted")
@pytest.mark.parametrize(
    ("command", "reason"),
    [
        (("/no/such/program",), "No such file or directory"),
        ((sys.executable, "-c", "raise ModuleNotFoundError('no numpy')"), "ModuleNotFoundError: no numpy"),
    ],
)
def test_where_the_tables_can_not_be_shown_one_line_says_so_and_the_status_stays(
    command: tuple[str, ...], reason: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("runners.harness.__main__.SHOW", command)
    result = invoke("run", "--scenario", "hanging", "--rounds", 1, "--out", tmp_path)
    assert result.exit_code == 0
    (path,) = tmp_path.glob("*/*/*.json")
    line = f"the tables can't be shown ({reason}); try: {commands.module_command('generate', 'show', path)}"
    assert line in result.stderr.splitlines()
    assert "Traceback" not in result.stderr
    assert str(path) in result.stdout


UNLIKE = {"runs_too_many": "timed_out", "forever": "failed"}
"""By runner, how its samples end; the others' are ok."""


@pytest.fixture
def ending_differently(planted: list[list[str]], monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """Let samples fail and time out, a package not be there, and a runner be for a newer Python than there is."""
    find = catalogue.find

    def found() -> dict[str, Scenario]:
        scenarios = find()
        runners = scenarios["misbehaving"].runners
        newer = replace(runners["misspells_its_limit"], problem=None, requires_python=(3, 99))
        changed = replace(scenarios["misbehaving"], runners={**runners, newer.name: newer})
        return {**scenarios, "misbehaving": changed}

    def take(_launcher: object, request: Request, _conversation: object) -> SampleResult:
        status: Any = UNLIKE.get(request.runner, "ok")
        return SampleResult(status, None if status == "ok" else "so it goes", {"elapsed_ns": 10**9})

    monkeypatch.setattr(catalogue, "find", found)
    monkeypatch.setattr(launcher, "take", take)
    return planted


SHOW_PLANTED = f"""
import sys
from functools import partial
from pathlib import Path
from generate.__main__ import main
from runners.harness.catalogue import scenarios
scenarios.find = partial(scenarios.find, Path({str(FOLDER)!r}), {PACKAGE!r})
main(["show", "--after-run", *sys.argv[1:]])
"""
PLANTED_RUNNERS = ("doubles", "runs_too_many", "misses_a_package", "has_no_family", "misspells_its_limit")


@pytest.mark.usefixtures("ending_differently")
def test_what_has_no_value_is_in_the_tables_and_named_after_them(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert SHOW[1:] == ("-m", "generate", "show", "--after-run")
    monkeypatch.setattr("runners.harness.__main__.SHOW", (sys.executable, "-c", SHOW_PLANTED))
    chosen = [word for name in (*PLANTED_RUNNERS, "forever") for word in ("--runner", name)]
    result = invoke(
        "run", "--scenario", "misbehaving", "--scenario", "hanging", *chosen, "--rounds", 2, "--out", tmp_path
    )
    assert result.exit_code == 4, result.output
    tables = capfd.readouterr().out
    rows = {line.split()[0]: line for line in tables.splitlines() if line.startswith(PLANTED_RUNNERS)}
    assert "1.0 s" in rows["doubles"]
    assert "ran out of time: so it goes" in rows["runs_too_many"]
    assert "not supported: needs Python 3.99" in rows["misspells_its_limit"]
    build = "cpython-3.10.1"
    assert result.stdout[result.stdout.index("5 of 8 series have") :].splitlines() == [
        "5 of 8 series have no value:",
        "  failed: so it goes",
        f"    {build} hanging, tiny: forever",
        f"    {build} hanging, tiny: forever (control)",
        f"  failed: FAMILY is missing; it must be one of {', '.join(FAMILIES)}",
        f"    {build} misbehaving, tiny: has_no_family",
        "  not installed: needs no_such_package, which no file in requirements/runners pins",
        f"    {build} misbehaving, tiny: misses_a_package",
        "  ran out of time: so it goes",
        f"    {build} misbehaving, tiny: runs_too_many",
    ]


@pytest.mark.usefixtures("ending_differently")
def test_what_a_build_does_not_support_by_design_is_no_fault(tmp_path: Path) -> None:
    chosen = ("--scenario", "misbehaving", "--runner", "misspells_its_limit")
    result = invoke("run", *chosen, "--rounds", 1, "--out", tmp_path)
    assert result.exit_code == 0, result.output
    assert "2 ok, 1 unsupported series" in result.stdout
    assert "no value" not in result.stdout


@pytest.mark.usefixtures("planted")
def test_a_runner_whose_imports_turn_the_gil_on_is_no_fault_of_the_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    refused = SampleResult("unsupported", GIL_REENABLED[0], observed=Observed(gil_before=False, gil_after_imports=True))
    monkeypatch.setattr(launcher, "take", lambda *_: refused)
    result = invoke("run", "--scenario", "hanging", "--rounds", 2, "--out", tmp_path)
    assert result.exit_code == 0, result.output
    assert "2 unsupported series" in result.stdout


@pytest.mark.usefixtures("planted")
def test_a_round_that_failed_is_named_too_and_not_as_a_series_without_a_value(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ends = iter([SampleResult("failed", "it fell\nover"), *[SampleResult("ok", None, {"elapsed_ns": 1})] * 3])
    monkeypatch.setattr(launcher, "take", lambda *_: next(ends))
    result = invoke("run", "--scenario", "hanging", "--rounds", 2, "--seed", 1, "--out", tmp_path)
    assert result.exit_code == 4
    first, reason, name = result.stdout.splitlines()[-3:]
    assert first == "1 of 2 series have a value of some rounds alone:"
    assert reason == "  partial: 1 of 2 samples: it fell over"
    assert name.startswith("    cpython-3.10.1 hanging, tiny: forever")


@pytest.mark.usefixtures("planted")
def test_a_busy_machine_is_named_first_and_once_at_the_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(host, "load_average", lambda: 99_999.0)
    monkeypatch.setattr(quiet, "LONGEST_WAIT_S", 0)
    monkeypatch.setattr(launcher, "take", lambda *_: SampleResult("failed", "it fell over"))
    result = invoke("run", "--scenario", "hanging", "--rounds", 1, "--repeat", 2, "--out", tmp_path)
    assert result.exit_code == 4
    lines = result.stderr.splitlines()
    assert lines[0].startswith("still busy: the load is 99999.0 on ")
    assert lines[-1].endswith("it fell over")
    last = result.stdout.splitlines()[-1]
    assert result.stdout.count("was busy") == 1
    assert last.startswith("The machine was busy (the load was 99999.0 on ")
    assert last.endswith("), so 2 of 2 runs decide nothing: measure again when it is idle.")


def test_a_full_disk_ends_a_run_in_one_line_that_says_how_to_go_on_and_keeps_what_was_written(
    planted: list[list[str]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    del planted
    writes = iter([files.write_atomically] * 3)

    def write(path: Path, data: bytes) -> None:
        if (write_atomically := next(writes, None)) is None:
            raise OSError(errno.ENOSPC, "No space left on device", str(path))
        write_atomically(path, data)

    monkeypatch.setattr(session, "write_atomically", write)
    out = tmp_path / "a b"
    told = refusal("run", "--scenario", "hanging", "--seed", 7, "--out", out)
    (path,) = out.glob("*/*/*.json")
    assert told == (
        "error: the run stopped: No space left on device; make room on that disk; what was measured is kept, and goes"
        f" on with: {commands.module_command('runners', 'run', '--resume', path.parent)}"
    )
    record = codec.decode(path.read_bytes())
    assert not record.complete
    assert sum(len(series.samples.round) for series in record.series) == 2


@pytest.mark.usefixtures("planted")
@pytest.mark.skipif(sys.platform == "win32", reason="it has other limits")
def test_a_name_that_is_too_long_for_a_file_is_said_in_one_line(tmp_path: Path) -> None:
    label = "\U00020000" * host.LONGEST_LABEL  # a letter of four bytes
    assert refusal("run", "--scenario", "hanging", "--out", tmp_path, "--machine", label) == (
        "error: the run stopped: File name too long; choose a shorter --machine or --out; run it again"
    )
    told = refusal("run", "--scenario", "hanging", "--out", tmp_path / ("x" * 300))
    assert told.startswith("error: no results can be written to ")
    assert told.endswith(": File name too long")
    assert refusal("run", "--resume", tmp_path / ("x" * 300)).endswith("x can't be resumed: File name too long")


@pytest.mark.usefixtures("planted")
def test_more_open_files_are_asked_for_before_the_first_sample(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[str] = []

    def take(*_: object) -> SampleResult:
        done.append("taken")
        return SampleResult("failed", "so it goes")

    monkeypatch.setattr(open_files, "allow_enough", lambda: done.append("asked"))
    monkeypatch.setattr(launcher, "take", take)
    invoke("run", "--scenario", "hanging", "--rounds", 1, "--out", tmp_path)
    assert done[:2] == ["asked", "taken"]


def interrupt(*_: object) -> NoReturn:
    raise KeyboardInterrupt


def test_an_interrupt_before_the_first_sample_ends_with_the_status_of_any_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(new_run, "begin", interrupt)
    result = invoke("run", "--scenario", "primes", "--out", tmp_path)
    assert (result.exit_code, result.stderr) == (130, "cut off before the first sample: run it again\n")


@pytest.mark.usefixtures("planted")
def test_the_command_that_goes_on_after_an_interrupt_can_be_pasted_into_a_shell(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(launcher, "take", interrupt)
    result = invoke("run", "--scenario", "hanging", "--out", tmp_path / "it's mine")
    (path,) = tmp_path.glob("*/*/*/*.json")
    command = result.stderr.splitlines()[-1].removeprefix("cut off; go on with: ")
    assert (result.exit_code, shlex.split(command)) == (
        130,
        [str(commands.short_path(Path(sys.executable))), "-m", "runners", "run", "--resume", str(path.parent)],
    )


@pytest.mark.usefixtures("planted")
def test_repeated_runs_differ_in_id_seed_and_folder(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    asked = ("run", "--scenario", "hanging", "--rounds", 1, "--seed", 7, "--repeat", 3)
    seeds = []
    for out in (tmp_path / "a", tmp_path / "b"):
        result = invoke(*asked, "--out", out)
        assert result.exit_code == 0, result.output
        assert [line for line in result.stderr.splitlines() if line.startswith("run ")] == [
            "run 1 of 3",
            "run 2 of 3",
            "run 3 of 3",
        ]
        paths = [*out.glob("*/*/*.json")]
        runs = [codec.decode(path.read_bytes()).run for path in paths]
        assert {path.parent.name for path in paths} == {run.id for run in runs}
        seeds.append({run.seed for run in runs})
        tables = capfd.readouterr().out
        assert tables.count("tables of") == 1, "all runs are shown as one"
        assert all(str(path) in tables for path in paths)
    assert seeds[0] == seeds[1], "the other seeds follow from the first"
    assert 7 in seeds[0]
    assert len(seeds[0]) == 3


def test_repeated_runs_are_of_the_same_builds(planted: list[list[str]], tmp_path: Path) -> None:
    invoke("run", "--scenario", "hanging", "--rounds", 1, "--repeat", 2, "--python", "a", "--out", tmp_path)
    assert planted == [["a"]], "a branch may move between two runs"


@pytest.mark.usefixtures("planted")
def test_an_interrupted_repetition_leaves_the_runs_before_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    taken = iter([SampleResult("ok", None, {"elapsed_ns": 1})] * 3)
    monkeypatch.setattr(launcher, "take", lambda *_: next(taken, None) or interrupt())
    result = invoke("run", "--scenario", "hanging", "--rounds", 1, "--repeat", 3, "--out", tmp_path)
    assert result.exit_code == 130
    last = result.stderr.splitlines()[-1]
    assert last.startswith("cut off in run 2 of 3, and those before it are complete; go on with: ")
    records = [codec.decode(path.read_bytes()) for path in tmp_path.glob("*/*/*.json")]
    assert sorted(record.complete for record in records) == [False, True]
    (cut,) = [record.run.id for record in records if not record.complete]
    assert last.endswith(cut)


@pytest.mark.parametrize("number", ["0", "-1", "51", "x", "1.5"])
def test_a_number_of_runs_out_of_bounds_is_refused(number: str) -> None:
    result = invoke("run", f"--repeat={number}")
    assert result.exit_code == 2
    assert "--repeat" in result.stderr
    assert "1<=x<=50" in result.stderr or "not a valid integer" in result.stderr


def test_a_run_that_is_resumed_is_not_repeated(tmp_path: Path) -> None:
    told = refusal("run", "--resume", tmp_path, "--repeat", 2)
    assert told.endswith("leave out --repeat, and measure the other runs afterwards")


@pytest.mark.usefixtures("planted")
@pytest.mark.parametrize("metric", ["elapsed_ns", "all"])
def test_the_tables_are_of_the_metric_that_is_named(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], metric: str
) -> None:
    result = invoke("run", "--scenario", "hanging", "--rounds", 1, "--metric", metric, "--out", tmp_path)
    assert result.exit_code == 0, result.output
    assert f"tables of ['--metric', '{metric}', " in capfd.readouterr().out


def test_an_unknown_metric_is_refused_with_those_of_the_scenarios(tmp_path: Path) -> None:
    told = refusal("run", "--scenario", "primes", "--metric", "elapsd_ns", "--out", tmp_path)
    assert told.startswith(
        "error: no metric of these scenarios is called 'elapsd_ns' (did you mean elapsed_ns?); there"
    )
    assert told.endswith(", all")
    assert "requests_per_s" not in told
    assert not list(tmp_path.iterdir())


@pytest.mark.usefixtures("planted")
def test_what_the_gate_rejects_is_in_the_status(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("runners.harness.__main__.SHOW", (sys.executable, "-c", "raise SystemExit(4)"))
    result = invoke("run", "--scenario", "hanging", "--rounds", 1, "--out", tmp_path)
    assert result.exit_code == 4
    assert result.stdout.splitlines()[-1] == "The sanity gate rejected samples: the tables say which, and why."
    assert "can't be shown" not in result.stderr
