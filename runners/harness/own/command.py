"""The command `try`."""

import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import Any

import click
import msgspec
from uv import find_uv_bin

from runners.harness import commands, programs
from runners.harness.builds import environments, host, interpreters
from runners.harness.builds.build_request import parse
from runners.harness.catalogue.scenarios import IS_CLONE, ROOT
from runners.harness.errors import UnknownNameError, UserError
from runners.harness.files import write_atomically
from runners.harness.own import record, work
from runners.harness.own.function import FunctionSession
from runners.harness.own.serve import ServiceSession
from runners.harness.own.session import MeasuredBuild, Trial
from runners.harness.process.launcher import Launcher
from runners.harness.record.build_names import build_name
from runners.harness.record.model import Machine
from runners.harness.run.new_run import write_remedy
from runners.harness.run.session import timestamp

INTERRUPTED = 130
OUT = ROOT / "results" / "local" if IS_CLONE else Path("remeasured-results")
SHOW = (sys.executable, "-m", "generate", "own")
INSTALL_LIMIT_S = 600
PACKED = (".whl", ".tar.gz", ".zip")
"""Files of packages. Any other file of --with is one of requirements."""
EXPLAIN_S = 10


@click.command("try")
@click.argument("function", required=False, metavar="FILE.py:FUNCTION")
@click.option("--items", metavar="FILE", help="A file of lines, of JSON lines (.jsonl), or FILE.py:GENERATOR.")
@click.option("--at-once", type=click.IntRange(1, 10_000), help="The most items in flight; 100 coroutines by default.")
@click.option("--models", multiple=True, help=f"Only these, separated by commas: {', '.join(work.MODELS)}.")
@click.option("--workers", help="Sizes of pools instead of the usual ones, as 2,8,32.")
@click.option(
    "--python", "pythons", multiple=True, help="A version or path, repeatable; by default the active environment's."
)
@click.option("--setup", metavar="FILE.py:FUNCTION", help="Called once in each worker before its first item.")
@click.option("--reset", metavar="FILE.py:FUNCTION", help="Called before each pass over the items.")
@click.option("--same", default="exact", help="How answers are compared: exact, unordered, close or FILE.py:FUNCTION.")
@click.option("--budget", default="90s", show_default=True, help="How long it may take.")
@click.option("--with", "packages", multiple=True, metavar="PACKAGE", help="A package, or a requirements file.")
@click.option("--explain", is_flag=True, help="Only look at items, for some seconds, and predict each model's time.")
@click.option("--keep-code", is_flag=True, help="Keep the function's source in the record.")
@click.option("--serve", metavar="COMMAND", help="Measure a service instead; {port} and {python} are filled in.")
@click.option("--get", "path", default="/", metavar="PATH", show_default=True, help="What is requested of the service.")
@click.option("--rate", "rates", default="50", show_default=True, help="Requests a second, as 50,200.")
@click.option("--out", type=click.Path(path_type=Path), default=OUT, help="Where the record goes.")
def try_(**options: Any) -> None:  # noqa: ANN401 - click's options
    """Measure your own function with every concurrency model, and advise one.

    \b
    remeasured try thumbs.py:resize --items photos.txt
    remeasured try api.py:fetch --items ids.txt --at-once 50 --python 3.13 --python 3.14t
    remeasured try --serve "uvicorn app:app --port {port}" --get /item/7 --rate 50,200

    Exit status 0: answered. 2: it can't be measured. 4: a model of --models did not run, or none did.
    5: answers differ from the loop's. 130: interrupted; what was measured is kept.
    """  # noqa: D301 - click reads the backspace
    if bool(options["function"]) is bool(options["serve"]) or (options["serve"] and options["explain"]):
        msg = "name what to measure: FILE.py:FUNCTION with --items, or --serve COMMAND, which --explain can't"
        raise UserError(msg)
    for name in {"SIGTERM", "SIGHUP"} & {*dir(signal)}:  # so that none leaves items behind
        signal.signal(signal.Signals[name], signal.default_int_handler)
    with tempfile.TemporaryDirectory(prefix="pcr-try-", ignore_cleanup_errors=True) as scratch:
        machine = host.look()
        sys.exit(_run(_session(options, Path(scratch), machine.usable_cores), machine, options))


def say(line: str) -> None:
    click.echo(line, err=True)


def _session(options: dict[str, Any], scratch: Path, cores: int) -> FunctionSession | ServiceSession:
    """Return what is to be measured. Raises UserError."""
    workers, rates = work.numbers(options["workers"]), work.numbers(options["rates"])
    deadline_s = time.monotonic() + (EXPLAIN_S if options["explain"] else work.seconds(options["budget"]))
    builds = [*_builds(options, scratch)]
    if options["serve"]:
        return ServiceSession(builds, deadline_s, options["serve"], options["path"], rates)
    is_named = options["same"] in work.SAME
    if not is_named and ":" not in options["same"]:
        raise UnknownNameError("comparison", options["same"], [*work.SAME, "FILE.py:FUNCTION"])  # noqa: EM101
    task = {
        **{role: work.reference(options[role]) for role in ("function", "setup", "reset")},
        "items": work.item_source(options["items"]),
        "same": options["same"] if is_named else "function",
        "same_function": None if is_named else work.reference(options["same"]),
        "keeps_code": options["keep_code"],
    }
    limits = work.Limits(work.model_names(options["models"]), workers, options["at_once"], cores)
    return FunctionSession(builds, deadline_s, task, limits)


def _builds(options: dict[str, Any], scratch: Path) -> Iterator[MeasuredBuild]:
    """Find the interpreters, and install the packages of --with. Raises UserError."""
    names: set[str] = set()
    for text in options["pythons"] or [work.default_python()]:
        request = parse(text, environments.packages())
        python = interpreters.find(request.interpreter)
        build = msgspec.structs.replace(interpreters.ask(python, request, text), variant=request.variant)
        name = build_name(build)
        if request.packages or name in names:
            msg = f"two --python are {name}: label one, as b={text}"
            msg = f"{text} names packages: add them by --with" if request.packages else msg
            raise UserError(msg)
        names.add(name)
        folder = scratch / str(len(names))
        folder.mkdir()
        if options["packages"]:
            _install(options["packages"], python, folder / "packages")
        yield MeasuredBuild(python, build, folder)


def _install(packages: Sequence[str], python: Path, folder: Path) -> None:
    """Install packages into a folder of their own, next to those that the interpreter has. Raises UserError."""
    lists = {text for text in packages if Path(text).is_file() and not text.endswith(PACKED)}
    wanted = [word for text in packages for word in (["-r", text] if text in lists else [text])]
    say(f"installing {', '.join(packages)}")
    command = (find_uv_bin(), "pip", "install", "--quiet", "--python", python, "--target", folder)
    ran = programs.run(*command, *wanted, limit_s=INSTALL_LIMIT_S)
    if ran.returncode:
        msg = f"--with could not install: {environments.one_line(ran.stderr)}"
        raise UserError(msg)


def _run(session: FunctionSession | ServiceSession, machine: Machine, options: dict[str, Any]) -> int:
    """Measure, write the record, show it, and return the exit status."""
    started, name = timestamp(), (options["function"] or "service").rpartition(":")[2]
    folder = f"{started[11:19].replace(':', '')}-{name}"
    path = options["out"] / started[:10] / folder / record.FILE

    def keep(finished: str | None = None) -> None:
        measured = record.OwnRecord(
            schema_version=1,
            kind="own",
            id=folder,
            started=started,
            finished=finished,
            rounds=max((row.round for trial in session.trials for row in trial.rows), default=0),
            work=session.work(),
            machine=msgspec.structs.replace(machine, load_after=host.load_average()),
            builds=[each.row() for each in session.builds],
            notes=[*session.notes],
            series=[*map(Trial.series, session.trials)],
        )
        try:
            write_atomically(path, record.encode(measured))
        except OSError as error:
            msg = f"{path} can't be written: {error.strerror}; {write_remedy(error)}, or choose another --out"
            raise UserError(msg) from None

    try:
        with Launcher() as launcher:
            for line in chain(session.look(launcher), () if options["explain"] else session.measure(launcher, keep)):
                say(line)
        keep(timestamp())
        status = session.status() if session.trials else 0
    except KeyboardInterrupt:
        say("interrupted; what was measured is kept" if path.is_file() else "interrupted; nothing was measured")
        status = INTERRUPTED
    if path.is_file():
        show(path)
    return status


def show(path: Path) -> None:
    """Print what a record says, in a process of its own: what measures imports nothing that reads results."""
    sys.stdout.flush()
    done = subprocess.run([*SHOW, path.absolute()], cwd=ROOT, check=False)  # noqa: S603 - our own command
    if done.returncode:
        say(f"the table can't be shown; try: {commands.module_command('generate', 'own', path.absolute())}")
    say(f"record: {path}")
