"""Warnings before the first sample, and the lines after the last."""

from dataclasses import replace
from pathlib import Path

import msgspec
import planted
import pytest
from factory import make_record

from runners.harness.builds import environments
from runners.harness.builds.build_request import BuildRequest, parse
from runners.harness.builds.interpreters import Prepared
from runners.harness.record.build_names import DEBUG_BUILD
from runners.harness.record.model import Machine, Package
from runners.harness.run import package_remedies, report
from runners.harness.run.report import busy_lines, fault_lines, opening_lines
from runners.harness.run.revision import Revision
from runners.harness.run.session import Session

OTHER = parse("3.13+aiohttp==99", ["aiohttp"])
UNUSED = parse("3.13+unused==1", ["unused"])
HOST = make_record({}).machine
UNRESOLVED = "No solution found when resolving dependencies cause: Because"


def machine(**different: object) -> Machine:
    return msgspec.structs.replace(HOST, **{"usable_cores": 2, "load_before": 0.2, "governor": None, **different})


def session(folder: Path, *builds: Prepared, reason: str | None = None, **different: object) -> Session:
    """Return a run on *builds*, by default on one that lacks a runner's package for *reason*."""
    made = planted.session(folder, ["misbehaving"])
    packages = {"no_such_package": Package(None if reason else "1.0", reason), "unused": Package(None, "no wheel")}
    run = msgspec.structs.replace(made.order.run, commit="a" * 40)
    order = replace(made.order, machine=machine(**different), run=run)
    return Session(order, made.scenarios, builds or [replace(made.builds[0], packages=packages)])


@pytest.mark.parametrize(
    ("reason", "hint"),
    [
        ("Failed to fetch cause: invalid peer certificate: UnknownIssuer", "SSL_CERT_FILE"),
        (f"{UNRESOLVED} it was not found hint: lack of valid authentication credentials (401 Unauthorized)", "netrc"),
        (f"{UNRESOLVED} there is no version of no_such_package==1", "UV_DEFAULT_INDEX"),
        (f"{UNRESOLVED} no_such_package==1 has no wheels with a matching Python ABI tag", "remove {folder}"),
        ("Failed to build `no_such_package==1` … error: command 'gcc' failed", "remove {folder}"),
    ],
)
def test_uninstalled_package_has_its_reason_and_remedy(tmp_path: Path, reason: str, hint: str) -> None:
    (build,) = planted.session(tmp_path, ["misbehaving"]).builds
    log = environments.log_path("aiohttp", build.python)
    hint = hint.format(folder=log.parent)
    (line,) = opening_lines(session(tmp_path, reason=reason))
    assert line.startswith(f"cpython-3.11.7: no_such_package did not install: {reason}; ")
    assert line.endswith("misbehaving/misses_a_package")
    assert environments.would_recur(reason) is ("remove " in line), "others are tried again without the user's help"
    packages = {"aiohttp": Package(None, f"error: {reason}"), "gevent": Package(None, "no compiler")}
    variant = replace(build, packages=packages, request=OTHER)
    (problem,) = package_remedies.variant_problems([build, variant])
    assert problem.startswith(f"3.13+aiohttp==99: aiohttp did not install: {reason}")
    assert hint in problem
    assert str(log) in problem


@pytest.mark.parametrize("is_pinned", [False, True])
def test_package_not_made_for_this_platform_is_no_fault(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, is_pinned: bool
) -> None:
    monkeypatch.setattr(environments, "packages", lambda: ["no_such_package"] * is_pinned)
    without = session(tmp_path, replace(planted.prepared("3.11.7"), packages={}))
    assert opening_lines(without) == []
    assert ("misses_a_package" in "\n".join(fault_lines(without))) is not is_pinned


def test_doubts_about_builds_and_machine_have_a_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(report, "revision", lambda: Revision(problem="fatal: detected dubious ownership"))
    made = session(tmp_path)
    assert opening_lines(made) == []
    (line,) = opening_lines(session(tmp_path, reason="a\n  b\x1b[1m"))
    assert "a b" in line
    assert line.isprintable()
    (line,) = opening_lines(session(tmp_path, made.builds[0], replace(made.builds[0], request=UNUSED)))
    assert "unused" in line
    debug = msgspec.structs.replace(made.builds[0].build, flags="-Og --with-pydebug")
    (line,) = opening_lines(session(tmp_path, replace(made.builds[0], build=debug)))
    assert all(part in line for part in ("cpython-3.11.7-debug", DEBUG_BUILD, "--with-pydebug"))
    (slowed,) = opening_lines(session(tmp_path, governor="powersave"))
    assert "powersave" in slowed
    object.__setattr__(made.order, "run", msgspec.structs.replace(made.order.run, commit=None))
    assert "dubious ownership" in opening_lines(made)[0]


@pytest.mark.parametrize(("labels", "has_line"), [(("", "patched"), True), (("a", "b"), True), (("", ""), False)])
def test_only_labelled_builds_compiled_differently_have_a_line(
    tmp_path: Path, labels: tuple[str, str], *, has_line: bool
) -> None:
    plain, other = (replace(*session(tmp_path).builds, request=BuildRequest("", label)) for label in labels)
    other = replace(other, build=msgspec.structs.replace(other.build, compiler="GCC 14", lto=False, version="3.11.8"))
    lines = opening_lines(session(tmp_path, plain, other))
    assert ["in version, compiler, lto," in line for line in lines] == [True] * has_line


@pytest.mark.parametrize(
    ("busy", "reason"),
    [
        ({"load_before": None}, ""),
        ({"load_before": 2.0, "steal_share": 0.01}, ""),
        ({"load_before": 3.1}, "load 3.1 on 2 cores"),
        ({"load_before": 1.2, "usable_cores": 1}, "load 1.2 on 1 core"),
        ({"steal_share": 0.014}, "its host kept 1.4\N{NO-BREAK SPACE}% of the processor time for others"),
        ({"others_share": 0.1}, ""),
        ({"others_share": 0.23}, "other programs took 23.0\N{NO-BREAK SPACE}% of the processor time"),
        ({"throttled_share": 0.2}, "a quota withheld 20.0\N{NO-BREAK SPACE}% of the processor time"),
    ],
)
def test_last_line_explains_a_run_that_decides_nothing(busy: dict[str, float | None], reason: str) -> None:
    printed = busy_lines([machine(**busy)])
    assert bool(printed) is bool(reason)
    assert reason in "".join(printed)
    if reason:
        assert "2 of 3 runs" in busy_lines([machine(**busy), machine(), machine(**busy)])[1]
