"""The command: what is measured, refused and recorded, with real processes."""

import functools
import os
import re
import signal
import subprocess
import sys
import venv
import zipfile
from collections.abc import Callable
from pathlib import Path

import own_work
import pytest
from click.testing import CliRunner, Result
from planted import eventually, is_alive

from runners.harness.__main__ import main
from runners.harness.builds import interpreters
from runners.harness.catalogue.scenarios import ROOT
from runners.harness.errors import UserError
from runners.harness.own import command, function, record, session
from runners.harness.process.launcher import SampleResult

Attempt = Callable[..., tuple[Result, record.OwnRecord]]


WORK = Path(own_work.__file__)
PRIVATE = f"{own_work.SECRET}|{re.escape(str(WORK.parent))}|Traceback|def |own_work.py"

ask_once = functools.cache(interpreters.ask)


@pytest.fixture(autouse=True)
def _known_interpreters(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(interpreters, "ask", ask_once)


@pytest.fixture
def attempt(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Attempt:
    """Call `try` with one round, and return its result and record, which has nothing private."""
    monkeypatch.setattr(session, "LEAST_ROUNDS", 1)
    monkeypatch.setattr(session, "MOST_ROUNDS", 1)
    monkeypatch.setattr(command, "show", lambda _path: None)

    def call(function: str, *options: str, items: str = "spans") -> tuple[Result, record.OwnRecord]:
        what = [f"{WORK}:{function}"] if function else []
        given = ["--items", f"{WORK}:{items}"] if items else []
        usual = ["--python", sys.executable, "--out", str(tmp_path / "out"), "--budget", "5s"]
        result = CliRunner().invoke(main, ["try", *what, *given, *usual, *options], prog_name="try")
        written = [*tmp_path.glob("out/*/*/own.json")]
        if not written:
            return result, None  # type: ignore[return-value]
        text = written[0].read_text()
        assert not re.search(f"{PRIVATE}|{re.escape(str(tmp_path))}", text) or "--keep-code" in options
        return result, record.decode(text.encode())

    return call


def by_model(found: record.OwnRecord) -> dict[str, record.OwnSeries]:
    return {each.model: each for each in found.series if each.role == "subject"}


def test_function_is_measured_as_every_model(attempt: Attempt) -> None:
    result, found = attempt("square", "--workers", "2")
    assert result.exit_code == 0, result.output
    series = by_model(found)
    assert {*series} >= {"loop", "threads", "to_thread", "processes_spawn"}
    measured = [each for each in found.series if each.status == "ok"]
    assert [each.role for each in measured].count("control") == 1
    for each in measured:
        assert (each.wrong_count, each.compared_count) == (0, 12)
        assert each.samples.values["elapsed_ns"][0]
    assert {each.reason for each in found.series if each.status == "unsupported"} <= {
        "it needs Python 3.14 or later",
        "gevent isn't installed in this Python; add it: --with gevent",
    }
    assert found.finished


def test_coroutine_is_measured_as_every_model(attempt: Attempt) -> None:
    result, found = attempt("square_later", "--at-once", "4")
    assert result.exit_code == 0, result.output
    assert found.work.kind == "coroutine"
    ok = {each.model: each.workers for each in found.series if each.status == "ok" and each.role == "subject"}
    assert ok.items() >= {"loop": None, "gather": 4, "loops_in_threads": 2}.items()


def test_race_is_named_as_wrong_answers(attempt: Attempt) -> None:
    result, found = attempt("overwrite", "--models", "threads,processes_spawn", "--workers", "2")
    assert result.exit_code == 5
    series = by_model(found)
    assert series["threads"].status == "wrong_answers"
    assert series["threads"].wrong_count
    assert series["threads"].samples.values == {}
    assert series["loop"].status == "ok"


@pytest.mark.parametrize(("name", "reason"), [("fail_in_threads", "KeyError"), ("die_in_threads", "3")])
def test_model_that_fails_spares_the_others(attempt: Attempt, name: str, reason: str) -> None:
    result, found = attempt(name, "--models", "threads,processes_spawn", "--workers", "1", items="secrets")
    series = by_model(found)
    assert (result.exit_code, series["threads"].status, series["processes_spawn"].status) == (4, "failed", "ok")
    assert reason in (series["threads"].reason or "")


@pytest.mark.parametrize(
    ("options", "is_noted"), [(("--explain",), True), (("--models", "loop", "--reset", f"{WORK}:start_again"), False)]
)
def test_changing_answers_are_noted_unless_reset(attempt: Attempt, options: tuple[str, ...], *, is_noted: bool) -> None:
    _, found = attempt("draw", *options)
    assert any("--reset" in note for note in found.notes) is is_noted
    assert {each.wrong_count for each in found.series} <= {0}


@pytest.mark.skipif(sys.platform != "linux", reason="processes are not forked")
def test_forked_workers_inherit_no_earlier_call(attempt: Attempt) -> None:
    _, found = attempt("count_callers", "--models", "processes_fork", "--workers", "2")
    series = by_model(found)["processes_fork"]
    assert (series.status, series.wrong_count) == ("ok", 0)


def test_random_answers_are_compared_with_none(attempt: Attempt) -> None:
    result, found = attempt("draw_at_random", "--models", "loop")
    assert result.exit_code == 0
    assert {each.compared_count for each in found.series} == {None}
    assert [note for note in found.notes if "--same" in note]


def test_answers_are_compared_by_a_function_of_ones_own(attempt: Attempt) -> None:
    result, found = attempt("draw_at_random", "--models", "loop", "--same", f"{WORK}:is_near")
    assert (result.exit_code, by_model(found)["loop"].wrong_count) == (0, 0)


@pytest.mark.parametrize(
    ("function", "items", "remedy"),
    [
        ("double", "spans", "at the top"),
        ("is_locked", "locks", "plain data"),
        ("answer_with_lock", "spans", "plain data"),
    ],
)
def test_what_does_not_pickle_only_keeps_processes_from_running(
    attempt: Attempt, function: str, items: str, remedy: str
) -> None:
    result, found = attempt(function, "--models", "threads,processes_spawn", "--workers", "1", items=items)
    series = by_model(found)
    assert series["threads"].status == "ok"
    assert series["processes_spawn"].status == "unsupported"
    assert remedy in (series["processes_spawn"].reason or "")
    assert result.exit_code == 4


def test_module_that_starts_threads_is_not_forked(attempt: Attempt, tmp_path: Path) -> None:
    work = tmp_path / "starts_threads.py"
    work.write_text(
        "import threading as t\nt.Thread(target=t.Event().wait, daemon=True).start()\ndef f():\n return 1\n"
    )
    _, found = attempt("", str(work) + ":f", "--models", "processes_fork,processes_spawn", "--workers", "1", items="")
    series = by_model(found)
    assert (series["processes_fork"].status, series["processes_spawn"].status) == ("unsupported", "ok")
    assert "spawn" in (series["processes_fork"].reason or "")


def test_module_that_turns_the_gil_on_is_noted(attempt: Attempt, tmp_path: Path) -> None:
    work = tmp_path / "turns_on.py"
    work.write_text("import sys\nsys._is_gil_enabled = lambda: True\ndef f():\n return 1\n")
    venv.create(tmp_path / "venv")
    (packages,) = tmp_path.glob("venv/[lL]ib/**/site-packages")
    (packages / "sitecustomize.py").write_text("import sys\nsys._is_gil_enabled = lambda: False\n")
    python = tmp_path / "venv" / interpreters.INTERPRETER
    _, found = attempt("", f"{work}:f", "--explain", "--python", f"free={python}", items="")
    assert [note for note in found.notes if "GIL" in note]


def test_explain_examines_items_and_measures_nothing(attempt: Attempt) -> None:
    result, found = attempt("sleep", "--explain", "--keep-code")
    assert (found.work.source or "").startswith("def sleep")
    assert (result.exit_code, found.rounds, found.series, found.work.items_count) == (0, 0, [], 12)
    assert len(found.builds[0].starts_ns) == 2
    item = found.builds[0].item
    assert item is not None
    assert item.wait_ns > 40_000_000 > item.compute_ns


def test_coroutine_that_blocks_its_loop_is_seen(attempt: Attempt) -> None:
    _, found = attempt("block_loop", "--explain")
    item = found.builds[0].item
    assert item is not None
    assert 20_000_000 < (item.blocking_ns or 0) < item.wait_ns - 10_000_000


@pytest.mark.parametrize(
    ("arguments", "remedy"),
    [
        ([], "FILE.py:FUNCTION"),
        ([str(WORK)], f"{WORK}:FUNCTION"),
        ([f"{WORK.parent / 'own_wrk.py'}:square"], "FILE.py:FUNCTION"),
        ([f"{WORK}:sqare"], "did you mean square?"),
        ([f"{WORK}:constant"], "name a function"),
        ([f"{WORK}:square"], "--items"),
        ([f"{WORK}:without_items", "--items", f"{WORK}:spans"], "fix or remove this"),
        ([f"{WORK}:twice", "--items", f"{WORK}:spans"], "return a list"),
        ([f"{WORK}:returns_coroutine", "--items", f"{WORK}:spans"], "return the answer"),
        ([f"{WORK}:returns_generator", "--items", f"{WORK}:spans"], "return the answer"),
        ([f"{WORK}:square", "--items", f"{WORK}:nothing"], "yield them"),
        ([f"{WORK}:square", "--items", "no-such-file"], "GENERATOR"),
        ([f"{WORK}:square", "--items", str(WORK)], "GENERATOR"),
        ([f"{WORK}:fail", "--items", f"{WORK}:spans"], "fix or remove this"),
        (["__main__:square", "--items", f"{WORK}:spans"], "move the function"),
        (["no_such_module:f", "--items", f"{WORK}:spans"], "--with"),
        ([f"{WORK}:square", "--items", f"{WORK}:spans", "--models", "threds"], "did you mean threads?"),
        ([f"{WORK}:square", "--items", f"{WORK}:spans", "--workers", "two"], "2,8,32"),
        ([f"{WORK}:square", "--items", f"{WORK}:spans", "--budget", "soon"], "90s"),
        ([f"{WORK}:square", "--items", f"{WORK}:spans", "--same", "unorderd"], "did you mean unordered?"),
        (["--serve", "python -m http.server"], "{port}"),
        (["--serve", "true {port}"], "in a shell and get"),
        (["--serve", "no-such-program {port}"], "in a shell and get"),
        ([f"{WORK}:square", "--items", f"{WORK}:breaks"], "fix the generator"),
    ],
)
def test_mistake_is_one_line_with_a_remedy(arguments: list[str], remedy: str, tmp_path: Path) -> None:
    usual = ["--python", sys.executable, "--out", str(tmp_path)]
    result = CliRunner().invoke(main, ["try", *arguments, *usual])
    assert result.exit_code == 2
    (line,) = [line for line in result.output.splitlines() if line.startswith("error: ")]
    assert remedy in line
    assert not [*tmp_path.iterdir()]


@pytest.mark.parametrize(("name", "code"), [("json.py", "def f():\n return 1\n"), ("exits.py", "exit(3)")])
def test_file_that_cant_be_imported_is_refused(attempt: Attempt, tmp_path: Path, name: str, code: str) -> None:
    (tmp_path / name).write_text(code)
    result, _ = attempt("", f"{tmp_path / name}:f", items="")
    assert result.exit_code == 2
    assert "rename" in result.output or "__main__" in result.output


def test_file_in_a_package_is_imported_as_its_part(attempt: Attempt, tmp_path: Path) -> None:
    (tmp_path / "shop").mkdir()
    (tmp_path / "shop" / "__init__.py").touch()
    (tmp_path / "shop" / "prices.py").write_text("PRICE = 3\n")
    (tmp_path / "shop" / "orders.py").write_text("from .prices import PRICE\ndef total():\n return PRICE\n")
    work = f"{tmp_path / 'shop' / 'orders.py'}:total"
    _, found = attempt("", work, "--models", "processes_spawn", "--workers", "1", items="")
    assert (found.work.function, found.work.items_count) == ("shop.orders:total", 20)
    assert by_model(found)["processes_spawn"].status == "ok"


@pytest.mark.parametrize(("suffix", "text", "count"), [(".txt", "a\n\nb\n", 2), (".jsonl", '{"a": 1}\n[2]\n3\n', 3)])
def test_items_are_the_lines_of_a_file(attempt: Attempt, tmp_path: Path, suffix: str, text: str, count: int) -> None:
    path = tmp_path / f"items{suffix}"
    path.write_text(text)
    (tmp_path / "work.py").write_text("def f(item):\n return item\n")
    _, found = attempt("", f"{tmp_path / 'work.py'}:f", "--items", str(path), "--explain", items="")
    assert found.work.items_count == count


def test_only_so_many_items_are_made(attempt: Attempt, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(function, "MOST_ITEMS", 5)
    _, found = attempt("square", "--explain")
    assert found.work.items_count == 5
    assert [note for note in found.notes if "first 5 items" in note]


def test_with_adds_a_package_of_ones_own(attempt: Attempt, tmp_path: Path) -> None:
    package, facts = tmp_path / "own_extra-1.0-py3-none-any.whl", "own_extra-1.0.dist-info"
    with zipfile.ZipFile(package, "w") as wheel:
        wheel.writestr("own_extra.py", "ANSWER = 42\n")
        wheel.writestr(f"{facts}/METADATA", "Metadata-Version: 2.1\nName: own-extra\nVersion: 1.0\n")
        wheel.writestr(f"{facts}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        wheel.writestr(f"{facts}/RECORD", "")
    work = tmp_path / "work.py"
    work.write_text("import own_extra\ndef f():\n return own_extra.ANSWER\n")
    result, found = attempt(
        "", f"{work}:f", "--models", "processes_spawn", "--workers", "1", "--with", str(package), items=""
    )
    assert (result.exit_code, by_model(found)["processes_spawn"].status) == (0, "ok")


def test_several_pythons_are_measured_with_the_same_setup(attempt: Attempt) -> None:
    options = ("--models", "threads", "--workers", "2", "--setup", f"{WORK}:prepare")
    _, found = attempt("needs_preparation", *options, "--python", f"other={sys.executable}")
    assert [build.build.variant for build in found.builds] == [(), ("other",)]
    assert {each.build for each in found.series if each.status == "ok"} == {0, 1}


def test_interpreters_are_measured_from_3_14_on(attempt: Attempt) -> None:
    try:
        python = interpreters.find("3.14")
    except UserError:
        pytest.skip("no Python 3.14 is on this machine")
    options = ("--models", "interpreters", "--workers", "2", "--setup", f"{WORK}:prepare")
    _, found = attempt("needs_preparation", *options, "--python", str(python))
    (series,) = [each for each in found.series if each.model == "interpreters" and each.build == 1]
    assert (series.status, series.wrong_count) == ("ok", 0)


@pytest.fixture
def taken(monkeypatch: pytest.MonkeyPatch) -> list[SampleResult]:
    """Replace samples by these; then the user presses Ctrl-C."""
    results: list[SampleResult] = []

    def take(*_: object) -> SampleResult:
        if not results:
            raise KeyboardInterrupt
        return results.pop(0)

    monkeypatch.setattr(function.FunctionSession, "_take", take)
    return results


def test_ctrl_c_keeps_what_was_measured(attempt: Attempt, taken: list[SampleResult]) -> None:
    taken += [SampleResult("ok", None, {"elapsed_ns": 100})] * 3
    result, found = attempt("square", "--models", "threads")
    assert (result.exit_code, found.finished) == (130, None)
    assert sum(len(each.samples.round) for each in found.series) == 2  # the other only compares the loop with itself


def test_nothing_measured_ends_with_status_4(attempt: Attempt, taken: list[SampleResult]) -> None:
    taken += [SampleResult("failed", "it was killed")] * 3
    result, found = attempt("square", "--models", "loop")
    assert (result.exit_code, {each.status for each in found.series}) == (4, {"failed"})


def test_unwritable_folder_is_refused_before_a_sample(
    attempt: Attempt, taken: list[SampleResult], tmp_path: Path
) -> None:
    taken += [SampleResult("ok", None, {"elapsed_ns": 100})]
    (tmp_path / "file").touch()
    result, _ = attempt("square", "--models", "loop", "--out", str(tmp_path / "file" / "out"))
    assert result.exit_code == 2
    assert "choose another --out" in result.output
    assert len(taken) == 1


def test_service_is_measured_at_each_rate(attempt: Attempt) -> None:
    serve = "{python} -m http.server --bind 127.0.0.1 {port}"
    get = f"/{WORK.name}" if (Path.cwd() / WORK.name).exists() else "/pyproject.toml"
    result, found = attempt("", "--serve", serve, "--get", get, "--rate", "20,40", items="")
    assert result.exit_code == 0, result.output
    assert [(each.rate_per_s, each.status) for each in found.series] == [(20, "ok"), (40, "ok")]
    assert all(each.samples.values["failed_count"] == [0] for each in found.series)


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such signals")
@pytest.mark.parametrize(("cut", "status"), [("SIGKILL", -9), ("SIGINT", 130)])
def test_interrupted_try_leaves_no_process(tmp_path: Path, cut: str, status: int) -> None:
    command = [sys.executable, "-m", "runners", "try", f"{WORK}:hang", "--items", f"{WORK}:spans"]
    process = subprocess.Popen(  # noqa: S603 - our own program
        [*command, "--python", sys.executable, "--out", str(tmp_path / "out")],
        cwd=ROOT,
        env={**os.environ, "OWN_WORK_MARKS": str(tmp_path)},
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert eventually(lambda: [*tmp_path.glob("*.process")] or process.poll() is not None, 60)
        process.send_signal(signal.Signals[cut])
        _, stderr = process.communicate(timeout=60)
    finally:
        process.kill()
    assert process.returncode == status
    assert "Traceback" not in stderr
    (started,) = [int(path.stem) for path in tmp_path.glob("*.process")]
    assert eventually(lambda: not is_alive(started), 10)
