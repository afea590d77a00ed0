"""The Makefile, with programs in place of Python and uv that only note how they were called; tests with no browser."""

from __future__ import annotations

import os
import re
import shutil
import socket
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
import visiting

from runners.harness.catalogue import scenarios as catalogue

if TYPE_CHECKING:
    from pathlib import Path

NOTES = """#!/bin/sh
if [ "$*" = "-m pip config list" ]; then exec cat pip.settings; fi
if [ "$1" = -c ]; then exec {python} "$@"; fi
if [ "$2" = venv ]; then
  mkdir -p .venv/bin
  for name in python uv mkdocs; do cp "$0" .venv/bin/$name; done
fi
if [ "$2" = runners ]; then sleep 0.2; fi # the moment in which make begins what it takes for independent
printf '%s\\n' "$*" "index: ${{UV_DEFAULT_INDEX:-}}, certificates: ${{SSL_CERT_FILE:-}}" >>calls
env >variables
if [ "$1" = pip ]; then exit "${{INSTALLED:-0}}"; fi
if [ "$2" = runners ]; then exit "${{MEASURED:-0}}"; fi
if [ "$2" = generate ] && [ $# = 2 ]; then exit "${{GENERATED:-0}}"; fi
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Lay out a folder that `make` takes for the project, with a Python in a folder whose name has a space."""
    shutil.copy(catalogue.ROOT / "Makefile", tmp_path)
    shutil.copytree(catalogue.ROOT / "requirements", tmp_path / "requirements")
    (tmp_path / "pip.settings").touch()
    (tmp_path / "a b").mkdir()
    program(tmp_path / "a b" / "python3", NOTES.format(python=sys.executable))
    return tmp_path


def program(path: Path, script: str) -> None:
    path.write_text(script, encoding="utf-8")
    path.chmod(0o755)


def make(project: Path, *arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    of_others = ("PIP_", "UV_", "SSL_", "MAKE", "MFLAGS", "PYTHON", "PROFILE", "HTTP_", "HTTPS_", "ALL_")
    inherited = {name: value for name, value in os.environ.items() if not name.upper().startswith(of_others)}
    path = f"{project / 'a b'}{os.pathsep}{os.environ['PATH']}"
    return subprocess.run(  # noqa: S603 - our own file
        ["make", *arguments],  # noqa: S607 - the machine's
        cwd=project,
        env={**inherited, "PATH": path, **variables},
        capture_output=True,
        text=True,
        check=False,
    )


def variables(project: Path) -> dict[str, str]:
    """Return the environment variables of the last call."""
    lines = (project / "variables").read_text(encoding="utf-8").splitlines()
    return {name: value for name, _, value in (line.partition("=") for line in lines)}


def calls(project: Path) -> list[str]:
    return (project / "calls").read_text(encoding="utf-8").splitlines()


def test_pip_brings_uv_and_uv_the_rest_each_by_its_hashes(project: Path) -> None:
    assert make(project, ".venv/dev.done").returncode == 0
    installing = [call for call in calls(project) if "install" in call]
    assert ["pip --disable" in call for call in installing] == [True, False, False]
    assert all("--require-hashes" in call for call in installing)
    files = [[f"requirements/{name}.txt" for name in names] for names in (["uv"], ["site"], ["dev", "runners"])]
    assert [call.split(" -r ")[1:] for call in installing] == files


def test_uv_takes_packages_from_where_pip_does(project: Path) -> None:
    settings = "global.cert='/some/where.pem'\nglobal.index-url='https://mirror.invalid/simple'\nglobal.timeout='9'\n"
    (project / "pip.settings").write_text(settings, encoding="utf-8")
    assert make(project, "measure").returncode == 0
    passed_on = "index: https://mirror.invalid/simple, certificates: /some/where.pem"
    assert calls(project)[-3:] == [
        passed_on,
        "-m runners run --profile quick",
        passed_on,
    ]
    assert make(project, "measure", UV_DEFAULT_INDEX="https://own.invalid").returncode == 0
    assert calls(project)[-1] == "index: https://own.invalid, certificates: /some/where.pem"


def test_uv_takes_the_proxy_and_the_hosts_that_pip_trusts_and_the_setting_that_counts_for_pip(project: Path) -> None:
    (project / "pip.settings").write_text(
        "global.index-url='https://global.invalid'\ninstall.index-url='https://install.invalid'\n"
        ":env:.cert='/env.pem'\nglobal.cert='/global.pem'\nglobal.client-cert='/own.pem'\n"
        "global.keyring-provider='auto'\ninstall.proxy='http://proxy.invalid:3128'\n"
        "global.trusted-host='\\na.invalid\\nb.invalid:8443'\n",
        encoding="utf-8",
    )
    make(project, "measure")
    passed_on = {
        "UV_DEFAULT_INDEX": "https://install.invalid",
        "SSL_CERT_FILE": "/env.pem",
        "SSL_CLIENT_CERT": "/own.pem",
        "HTTPS_PROXY": "http://proxy.invalid:3128",
        "HTTP_PROXY": "http://proxy.invalid:3128",
        "UV_INSECURE_HOST": "a.invalid b.invalid:8443",
    }
    assert {name: variables(project).get(name) for name in passed_on} == passed_on
    assert "UV_KEYRING_PROVIDER" not in variables(project)  # uv has no such way to ask


@pytest.mark.parametrize("name", ["HTTPS_PROXY", "https_proxy", "ALL_PROXY"])
def test_a_proxy_that_uv_has_been_told_of_stays(project: Path, name: str) -> None:
    (project / "pip.settings").write_text("global.proxy='http://of-pip.invalid'\n", encoding="utf-8")
    make(project, "measure", **{name: "http://own.invalid"})
    assert {variables(project).get(each) for each in (name, "HTTPS_PROXY")} <= {"http://own.invalid", None}


@pytest.mark.parametrize("goal", ["setup", ".venv/dev.done"])
def test_where_uv_can_not_install_a_line_says_what_may_help_and_nothing_passes_for_done(
    project: Path, goal: str
) -> None:
    made = make(project, goal, INSTALLED="1")
    assert made.returncode == 2
    assert made.stdout.splitlines()[-1] == (
        "uv could not install: behind a proxy set HTTPS_PROXY, for a mirror UV_DEFAULT_INDEX,"
        f" for a certificate of your network SSL_CERT_FILE, and run make {goal} again"
    )
    assert not (project / ".venv" / "site.done").exists()
    assert "could not install" not in make(project, goal).stdout


def test_the_python_that_is_measured_is_the_environment_s_unless_another_is_named(project: Path) -> None:
    make(project, "setup", "PYTHON=python3")
    for arguments, named in (
        ((), ""),
        (("PYTHON=python3",), f" --python {project}/a b/python3"),
        (("PYTHONS=3.11 3.13",), " --python 3.11 --python 3.13"),
    ):
        make(project, "measure", *arguments)
        assert calls(project)[-2] == f"-m runners run --profile quick{named}"


def test_an_environment_whose_python_is_gone_is_refused_with_what_to_do(project: Path) -> None:
    make(project, "setup")
    (project / ".venv" / "bin" / "python").unlink()
    (project / ".venv" / "bin" / "python").symlink_to(project / "gone")
    for goal in ("measure", "site", "setup"):
        made = make(project, goal)
        assert (made.returncode, made.stdout) == (
            2,
            f"the Python that .venv was made from is gone: rm -rf .venv, then make {goal} again\n",
        )
    shutil.rmtree(project / ".venv")
    assert make(project, "site").returncode == 0


def test_the_site_is_built_after_the_measuring_even_where_make_may_do_two_things_at_once(project: Path) -> None:
    assert make(project, "-j2", "report").returncode == 0
    begun = [call.split()[1] for call in calls(project) if call.startswith("-m ")]
    assert begun.index("runners") < begun.index("generate")


@pytest.mark.parametrize(("measured", "generated"), [(0, 0), (0, 3), (4, 0), (4, 3)])
def test_where_not_all_could_be_measured_the_site_is_built_all_the_same_and_the_report_says_so_and_fails(
    project: Path, measured: int, generated: int
) -> None:
    made = make(project, "report", MEASURED=str(measured), GENERATED=str(generated))
    commands = [call for call in calls(project) if not call.startswith("index: ")]
    assert commands[-1].startswith("-m mkdocs build --quiet --strict")
    assert "The site is in build/site" in made.stdout
    assert ("Not all could be measured" in made.stdout) is (measured == 4)
    assert made.returncode == (2 if measured else 0)  # make's own for a recipe that failed
    assert ("Error 4" in made.stderr) is (measured == 4)


@pytest.mark.parametrize(("measured", "generated", "error"), [(2, 0, 2), (130, 0, 130), (0, 1, 1), (4, 2, 1)])
def test_what_ends_a_report_for_another_reason_leaves_no_site(
    project: Path, measured: int, generated: int, error: int
) -> None:
    made = make(project, "report", MEASURED=str(measured), GENERATED=str(generated))
    assert (made.returncode, f"Error {error}" in made.stderr) == (2, True)
    assert not any(call.startswith("-m mkdocs build") for call in calls(project))
    assert "The site is in build/site" not in made.stdout


@pytest.mark.parametrize(
    ("python", "told"),
    [("nopython", "there is no Python called nopython: "), ("old python", "old python is older than Python 3.11: ")],
)
def test_a_python_that_will_not_do_is_refused_for_what_it_is(project: Path, python: str, told: str) -> None:
    program(project / "a b" / "old python", "#!/bin/sh\nexit 3\n")
    made = make(project, "site", f"PYTHON={python}")
    assert made.returncode == 2
    assert made.stdout == f"{told}make site PYTHON=python3.13\n"
    assert not (project / ".venv").exists()


@pytest.mark.parametrize("has_site", [False, True])
def test_an_environment_that_is_a_link_is_refused_and_what_it_leads_to_is_left_as_it_was(
    project: Path, tmp_path_factory: pytest.TempPathFactory, *, has_site: bool
) -> None:
    others = tmp_path_factory.mktemp("others")
    (others / "kept").touch()
    if has_site:
        (others / "site.done").touch()
    (project / ".venv").symlink_to(others)
    made = make(project, ".venv/dev.done")
    assert made.returncode == 2
    assert made.stdout.startswith(
        ".venv is a symbolic link, and what it leads to would be emptied or changed: rm .venv "
    )
    assert sorted(path.name for path in others.iterdir()) == ["kept", "site.done"][: 1 + has_site]
    assert not (project / "calls").exists()


def test_a_port_in_use_is_said_in_one_line(project: Path) -> None:
    (project / "build" / "site").mkdir(parents=True)
    with socket.create_server(("127.0.0.1", 0)) as occupied:
        port = occupied.getsockname()[1]
        made = make(project, "serve", f"PORT={port}")
    assert (made.returncode, made.stdout) == (2, f"port {port} can't be had: make serve PORT=8001\n")
    assert "Traceback" not in made.stderr
    assert make(project, "serve", f"PORT={port}").returncode == 0


@pytest.mark.skipif(bool(shutil.which(visiting.ON_MACOS)), reason="Chrome is there without a path")
@pytest.mark.parametrize(("required", "status", "ends"), [("0", 0, r"\d+ skipped in"), ("1", 1, r"\d+ errors in")])
def test_without_a_browser_one_line_says_what_to_install(required: str, status: int, ends: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests/browser/test_drawing.py"],
        cwd=catalogue.ROOT,
        env={**os.environ, "PATH": "", "REQUIRE_BROWSER": required},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == status, done.stdout
    lines = done.stdout.splitlines()
    assert re.match(ends, lines[-1])
    reasons = [line for line in lines if re.search(r"skipped: |SKIPPED", line)]
    assert len(reasons) == (required == "0")
    assert "apt install chromium" in done.stdout
