"""The Makefile, with a program that only notes how it was called in place of Python and uv; tests without a browser."""

import os
import shutil
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from runners.harness.catalogue import scenarios as catalogue

PROGRAM = f"""#!/bin/sh
if [ "$*" = "-m pip config list" ]; then exec cat pip.settings; fi
if [ "$1" = -c ]; then exec {sys.executable} "$@"; fi
if [ "$2" = venv ]; then
  mkdir -p .venv/bin
  for name in python uv mkdocs; do cp "$0" .venv/bin/$name; done
fi
if [ "$2" = runners ]; then sleep 0.2; fi # time in which make would start whatever it takes for independent
printf '%s\\n' "$*" >>calls
env >variables
if [ "$1" = pip ]; then exit "${{INSTALLED:-0}}"; fi
if [ "$2" = runners ]; then exit "${{MEASURED:-0}}"; fi
if [ "$2" = generate ] && [ $# = 2 ]; then exit "${{GENERATED:-0}}"; fi
"""
SETTINGS = ("PIP_", "UV_", "SSL_", "MAKE", "MFLAGS", "PYTHON", "PROFILE", "HTTP_", "HTTPS_", "ALL_")


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Lay out a project for `make`, with a Python in a folder whose name has a space."""
    shutil.copy(catalogue.ROOT / "Makefile", tmp_path)
    shutil.copytree(catalogue.ROOT / "requirements", tmp_path / "requirements")
    (tmp_path / "pip.settings").touch()
    (tmp_path / "a b").mkdir()
    write_program(tmp_path / "a b" / "python3", PROGRAM)
    return tmp_path


def write_program(path: Path, script: str) -> None:
    path.write_text(script, encoding="utf-8")
    path.chmod(0o755)


def make(project: Path, *arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    inherited = {name: value for name, value in os.environ.items() if not name.upper().startswith(SETTINGS)}
    path = f"{project / 'a b'}{os.pathsep}{os.environ['PATH']}"
    command, environment = ["make", *arguments], {**inherited, "PATH": path, **variables}
    return subprocess.run(command, cwd=project, env=environment, capture_output=True, text=True, check=False)  # noqa: S603 - our own file


def variables(project: Path) -> dict[str, str]:
    """Return the environment variables of the last call."""
    lines = (project / "variables").read_text(encoding="utf-8").splitlines()
    return {name: value for name, _, value in (line.partition("=") for line in lines)}


def calls(project: Path) -> list[str]:
    return (project / "calls").read_text(encoding="utf-8").splitlines()


def test_pip_installs_uv_and_uv_the_rest_with_hashes(project: Path) -> None:
    assert make(project, ".venv/dev.done", PIP_USER="1").returncode == 0
    installing = [call for call in calls(project) if "install" in call]
    assert ["pip --disable" in call for call in installing] == [True, False, False]
    assert all("--require-hashes" in call for call in installing)
    assert variables(project)["PIP_USER"] == "0"
    files = [[f"requirements/{name}.txt" for name in names] for names in (["uv"], ["site"], ["dev", "runners"])]
    assert [call.split(" -r ")[1:] for call in installing] == files


def test_uv_gets_the_settings_that_count_for_pip(project: Path) -> None:
    (project / "pip.settings").write_text(
        "global.index-url='https://global.invalid'\ninstall.index-url='https://install.invalid'\nglobal.timeout='9'\n"
        ":env:.cert='/env.pem'\nglobal.cert='/global.pem'\nglobal.client-cert='/own.pem'\n"
        "global.keyring-provider='auto'\ninstall.proxy='http://proxy.invalid:3128'\n"
        "global.trusted-host='\\na.invalid\\nb.invalid:8443'\n",
        encoding="utf-8",
    )
    passed_on = {
        "UV_DEFAULT_INDEX": "https://install.invalid",
        "SSL_CERT_FILE": "/env.pem",
        "SSL_CLIENT_CERT": "/own.pem",
        "HTTPS_PROXY": "http://proxy.invalid:3128",
        "HTTP_PROXY": "http://proxy.invalid:3128",
        "UV_INSECURE_HOST": "a.invalid b.invalid:8443",
    }
    assert make(project, "measure").returncode == 0
    assert variables(project).items() >= passed_on.items()
    assert "UV_KEYRING_PROVIDER" not in variables(project)  # uv asks in other ways
    own = {"UV_DEFAULT_INDEX": "https://own.invalid", "HTTPS_PROXY": "http://own.invalid"}
    make(project, "measure", **own)
    assert variables(project).items() >= own.items()


def test_failed_installation_has_a_remedy_and_is_repeated(project: Path) -> None:
    made = make(project, ".venv/dev.done", INSTALLED="1")
    assert made.returncode == 2
    remedies = ("HTTPS_PROXY", "UV_DEFAULT_INDEX", "SSL_CERT_FILE", "make .venv/dev.done")
    assert all(remedy in made.stdout.splitlines()[-1] for remedy in remedies)
    assert not (project / ".venv" / "site.done").exists()
    assert make(project, ".venv/dev.done").returncode == 0


def test_environments_python_is_measured_unless_another_is_named(project: Path) -> None:
    make(project, "setup", "PYTHON=python3")
    for arguments, options in (
        ((), ""),
        (("PYTHON=python3",), f" --python {project}/a b/python3"),
        (("PYTHONS=3.11 3.13",), " --python 3.11 --python 3.13"),
        (("PYTHONS=3.11,3.13t",), " --python 3.11 --python 3.13t"),
    ):
        make(project, "measure", *arguments)
        assert calls(project)[-1] == f"-m runners run --profile quick{options}"


@pytest.mark.parametrize(
    ("measured", "generated", "error"),
    [(0, 3, 0), (4, 0, 4), (2, 0, 2), (130, 0, 130), (4, 2, 1)],
)
def test_report_builds_the_site_unless_a_step_fails(project: Path, measured: int, generated: int, error: int) -> None:
    made = make(project, "-j2", "report", MEASURED=str(measured), GENERATED=str(generated))
    assert made.returncode == (2 if error else 0)  # make's own status if a recipe fails
    assert (f"Error {error}" in made.stderr) is bool(error)
    modules = [call.split()[1] for call in calls(project) if call.startswith("-m ")]
    assert "generate" not in modules[: modules.index("runners")]
    assert ("mkdocs" in modules) is ("build/site" in made.stdout) is (error in {0, 4})


@pytest.mark.parametrize("python", ["nopython", "old python"])
def test_missing_or_old_python_is_refused(project: Path, python: str) -> None:
    write_program(project / "a b" / "old python", "#!/bin/sh\nexit 3\n")
    made = make(project, "site", f"PYTHON={python}")
    assert (made.returncode, python in made.stdout) == (2, True)
    assert made.stdout.endswith("make site PYTHON=python3.13\n")
    assert not (project / ".venv").exists()
    make(project, "setup")
    if python == "nopython":
        assert make(project, "measure", f"PYTHON={python}").stdout == made.stdout.replace("make site", "make measure")


def test_broken_environment_is_refused_and_a_link_left_alone(project: Path, tmp_path: Path) -> None:
    make(project, "setup")
    python = project / ".venv" / "bin" / "python"
    python.unlink()
    python.symlink_to(project / "gone")
    made = make(project, "measure")
    assert (made.returncode, "rm -rf .venv" in made.stdout) == (2, True)
    (project / ".venv").rename(tmp_path / "others")
    (project / ".venv").symlink_to(tmp_path / "others")
    made = make(project, ".venv/dev.done")
    assert (made.returncode, "rm .venv" in made.stdout) == (2, True)
    assert (tmp_path / "others" / "site.done").exists()


def test_port_in_use_is_refused_in_one_line(project: Path) -> None:
    (project / "build" / "site").mkdir(parents=True)
    with socket.create_server(("127.0.0.1", 0)) as occupied:
        port = occupied.getsockname()[1]
        made = make(project, "serve", f"PORT={port}")
    assert made.returncode == 2
    assert "make serve PORT=8001" in made.stdout
    assert "Traceback" not in made.stderr
    assert make(project, "serve", f"PORT={port}").returncode == 0
