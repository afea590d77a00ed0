"""What a run says before its first sample: what did not install, and whether the machine is fit to measure."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import msgspec
import planted
import pytest
from factory import make

from runners.harness.builds import environments
from runners.harness.record.model import Package
from runners.harness.run.package_remedies import variant_problems
from runners.harness.run.report import busy_lines, fault_lines, opening_lines

if TYPE_CHECKING:
    from pathlib import Path

    from runners.harness.record.model import Machine
    from runners.harness.run.session import Session

HOST = make({}).machine
RUNNER = "misbehaving/misses_a_package"
STATUS = "HTTP status client error"
UNRESOLVED = "No solution found when resolving dependencies cause: Because"
LACK = "An index URL (an address) could not be queried due to a lack of valid authentication"
START = "cpython-3.11.7: no_such_package did not install: "


def machine(**different: object) -> Machine:
    return msgspec.structs.replace(HOST, **{"usable_cores": 2, "load_before": 0.2, "governor": None, **different})


def session(folder: Path, reason: str | None = None, version: str = "3.11.7") -> Session:
    """Return a run of a runner whose package is not installed, for *reason*."""
    made = planted.session(folder, ["misbehaving"], versions=[version])
    package = Package(None if reason else "1.0", reason)
    builds = [replace(made.builds[0], packages={"no_such_package": package, "unused": Package(None, "no wheel")})]
    return type(made)(made.order, made.scenarios, builds)


@pytest.mark.parametrize(
    ("reason", "remedy"),
    [
        (
            "Failed to fetch: (an address) cause: error sending request cause: invalid peer certificate: UnknownIssuer",
            "set UV_SYSTEM_CERTS=true, or SSL_CERT_FILE to your network's certificate, and run again; ",
        ),
        (
            "Failed to fetch: (an address) cause: client error (Connect) cause: dns error",
            "the index can't be reached: connect, or set UV_DEFAULT_INDEX to another, and run again; ",
        ),
        (
            f"Failed to fetch: (an address) cause: {STATUS} (407 Proxy Authentication Required) for url (an address)",
            "the proxy wants credentials: put them into the address in HTTPS_PROXY, and run again; ",
        ),
        (
            f"Failed to fetch: (an address) cause: {STATUS} (403 Forbidden) for url (an address)",
            "the index refuses: mend its credentials (in ~/.netrc, or in UV_DEFAULT_INDEX), and run again; ",
        ),
        (
            f"{UNRESOLVED} it was not found in the package registry hint: {LACK} credentials (401 Unauthorized)",
            "the index refuses: mend its credentials (in ~/.netrc, or in UV_DEFAULT_INDEX), and run again; ",
        ),
        (
            f"{UNRESOLVED} there is no version of no_such_package==1",
            "the index lacks it: set UV_DEFAULT_INDEX to one that has it, and run again; ",
        ),
        (
            f"{UNRESOLVED} no_such_package was not found in the cache hint: the network was disabled",
            "the index can't be reached: connect, or set UV_DEFAULT_INDEX to another, and run again; ",
        ),
        (
            f"{UNRESOLVED} no_such_package==1 has no wheels with a matching Python ABI tag",
            "there is no wheel for this build; if there is one now, remove {log.parent} and run again; ",
        ),
        (
            f"{UNRESOLVED} the current Python version (3.10.4) does not satisfy Python>=3.11",
            "{log} has all that was said; mend it, remove that file's folder and run again; ",
        ),
        (
            "Failed to build `no_such_package==1` … error: command 'gcc' failed",
            "{log} has all that was said; mend it, remove that file's folder and run again; ",
        ),
        ("No space left on device", ""),
    ],
)
def test_a_package_that_did_not_install_has_a_line_with_reason_remedy_and_the_runners_without_it(
    tmp_path: Path, reason: str, remedy: str
) -> None:
    made = session(tmp_path, reason)
    (line,) = opening_lines(made, machine(), None)
    remedy = remedy.format(log=environments.log_of("no_such_package", made.builds[0].python))
    assert line == f"{START}{reason}; {remedy}left out: {RUNNER}"
    assert environments.would_recur(reason) is ("remove " in remedy), "who is told to run again alone is tried again"


GIT = "error: Git operation failed cause: failed to fetch branch or tag `main` cause: fatal: "


@pytest.mark.parametrize(
    ("reason", "remedy"),
    [
        (f"{GIT}unable to access '(an address)': Could not resolve host", "GitHub can't be reached: connect, and run"),
        (f"{GIT}couldn't find remote ref refs/tags/main", "name a repository on GitHub that anybody may read, and a"),
        (f"{GIT}could not read Username for '(an address)'", "name a repository on GitHub that anybody may read, and"),
        ("error: Failed to fetch: (an address) cause: dns error", "the index can't be reached: connect, or set"),
        (
            f"error: {UNRESOLVED} there is no version of aiohttp==99.",
            "name a version that the index has, or set UV_DEF",
        ),
        (
            f"error: {UNRESOLVED} aiohttp==3 has no wheels with a matching",
            "name a version, or a wheel, that is made for",
        ),
        ("error: Failed to read `aiohttp @ file://aiohttp-5-py3-none-any.whl`", "make that file anew"),
        (
            "error: Failed to build `aiohttp @ git+(an address)` cause: error: gcc",
            "aiohttp's repository does not build",
        ),
        ("error: Failed to build `aiohttp==3.8` cause: error: gcc", "{log} has all that was said"),
    ],
)
def test_a_variant_whose_own_package_did_not_install_is_named_with_reason_and_remedy(
    tmp_path: Path, reason: str, remedy: str
) -> None:
    (plain,) = planted.session(tmp_path, ["misbehaving"]).builds
    packages = {"aiohttp": Package(None, reason), "gevent": Package(None, "no compiler")}
    variant = replace(plain, packages=packages, varied=("aiohttp",), named="3.13+aiohttp==99")
    assert variant_problems([plain, replace(plain, packages=packages)]) == []
    (line,) = variant_problems([plain, variant])
    said = reason.removeprefix("error: ").rstrip(".")
    remedy = remedy.format(log=environments.log_of("aiohttp", variant.python))
    assert line.startswith(f"3.13+aiohttp==99: aiohttp did not install: {said}; {remedy}")


@pytest.mark.parametrize("is_pinned", [False, True])
def test_what_a_marker_leaves_out_on_this_platform_is_no_fault_and_has_no_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, is_pinned: bool
) -> None:
    made = session(tmp_path)
    monkeypatch.setattr(environments, "packages", lambda: ["no_such_package"] * is_pinned)
    without = type(made)(made.order, made.scenarios, [replace(made.builds[0], packages={})])
    chosen = next(entry for entry in without.builders[0].rows if entry.runner == "misses_a_package")
    reason = "is not made for this platform" if is_pinned else "no file in requirements/runners pins"
    assert without.builders[0].series(chosen).reason == f"needs no_such_package, which {reason}"
    assert opening_lines(without, machine(), None) == []
    faults = "\n".join(fault_lines(without))
    assert ("misses_a_package" in faults) is not is_pinned


def test_a_reason_of_many_lines_is_given_in_one(tmp_path: Path) -> None:
    (line,) = opening_lines(session(tmp_path, "a\n  b\x1b[1m"), machine(), None)
    assert line.startswith(f"{START}a b")
    assert line.isprintable()


def test_a_variant_whose_package_no_runner_of_the_run_imports_has_a_line(tmp_path: Path) -> None:
    made = session(tmp_path)
    varied = replace(made.builds[0], varied=("unused",))
    lines = opening_lines(type(made)(made.order, made.scenarios, [made.builds[0], varied]), machine(), None)
    end = "nothing is measured: no runner of what was chosen imports what is other about it"
    assert lines == [f"cpython-3.11.7: {end}"]


def test_a_switch_that_may_change_nothing_has_a_line(tmp_path: Path) -> None:
    made = session(tmp_path)
    builds = [replace(made.builds[0], doubts=("-X hurry may change nothing",))]
    lines = opening_lines(type(made)(made.order, made.scenarios, builds), machine(), None)
    assert lines == ["cpython-3.11.7: -X hurry may change nothing"]


def test_an_interpreter_under_a_label_that_was_built_otherwise_than_the_reference_has_a_line(tmp_path: Path) -> None:
    made = session(tmp_path)
    (plain,) = made.builds

    def lines(*labels: str, **built: object) -> list[str]:
        builds = [
            replace(plain, build=msgspec.structs.replace(plain.build, variant=(label,) if label else ()))
            for label in labels
        ]
        builds[1] = replace(builds[1], build=msgspec.structs.replace(builds[1].build, **built))
        return opening_lines(type(made)(made.order, made.scenarios, builds), machine(), None)

    for first, name in (("", "cpython-3.11.7"), ("base", "cpython-3.11.7+base")):
        (line,) = lines(first, "patched", compiler="GCC 14", lto=False)
        otherwise = f"built otherwise than {name} (compiler, link-time optimisation)"
        assert line == f"cpython-3.11.7+patched: {otherwise}: a part of what differs between the two may be that"
        assert lines(first, "patched") == []
    assert lines("", "", compiler="GCC 14") == lines("", "aiohttp 3.13.5", compiler="GCC 14") == []


def test_a_package_that_is_there_or_that_no_runner_of_the_run_needs_has_no_line(tmp_path: Path) -> None:
    assert opening_lines(session(tmp_path), machine(), None) == []


@pytest.mark.parametrize(
    ("busy", "reason"),
    [
        ({"load_before": None}, ""),
        ({"load_before": 2.0, "steal_share": 0.01}, ""),
        ({"load_before": 3.1}, "the load was 3.1 on 2 cores"),
        ({"load_before": 1.2, "usable_cores": 1}, "the load was 1.2 on 1 core"),
        ({"steal_share": 0.014}, "its host kept 1.4 % of the processor time for others"),
    ],
)
def test_the_last_line_says_why_a_run_decides_nothing(busy: dict[str, float | None], reason: str) -> None:
    words = f"The machine was busy ({reason}), so this run decides nothing: measure again when it is idle."
    assert busy_lines([machine(**busy)]) == (["", words] if reason else [])


def test_of_several_runs_only_the_busy_ones_are_counted() -> None:
    (_, words) = busy_lines([machine(), machine(load_before=3.1), machine()])
    assert "so 1 of 3 runs decide nothing" in words


@pytest.mark.parametrize(("ticks", "is_said"), [(None, False), ((10, 1000), False), ((14, 1000), True)])
def test_processor_time_that_the_host_keeps_for_others_is_said(
    tmp_path: Path, ticks: tuple[int, int] | None, *, is_said: bool
) -> None:
    lines = opening_lines(session(tmp_path), machine(), ticks)
    assert [line.partition(":")[0] for line in lines] == [
        "the host of this machine has kept 1.4 % of its processor time for others so far"
    ] * is_said


@pytest.mark.parametrize(("governor", "is_said"), [("powersave", True), ("schedutil", False), ("performance", False)])
def test_a_governor_that_saves_power_is_said(tmp_path: Path, governor: str, *, is_said: bool) -> None:
    lines = opening_lines(session(tmp_path), machine(governor=governor), None)
    assert ["powersave" in line for line in lines] == [True] * is_said
