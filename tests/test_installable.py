"""`pip install .` gives the command `remeasured`, which measures a function in any folder."""

import importlib
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import click
import pytest
from uv import find_uv_bin

from runners.harness import programs
from runners.harness.own.command import try_

ROOT = Path(__file__).resolve().parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
NO_NETWORK = re.compile("failed to fetch|connect|dns|network", re.IGNORECASE)


def test_command_exists_and_has_try() -> None:
    module, _, name = PROJECT["project"]["scripts"]["remeasured"].partition(":")
    group = getattr(importlib.import_module(module), name)
    assert isinstance(group, click.Group)
    assert group.get_command(click.Context(group), "try")


def test_dependencies_are_those_of_measuring_and_bounded() -> None:
    pinned = {line for line in (ROOT / "requirements" / "measure.in").read_text().splitlines() if line[0] not in "#-"}
    names = {re.split(r"[<>=]", each)[0] for each in PROJECT["project"]["dependencies"]}
    assert names == pinned - {"numpy"}  # `try` does not load it
    assert all(">=" in each for each in PROJECT["project"]["dependencies"])


def test_page_explains_every_option_of_try() -> None:
    page = (ROOT / "docs" / "measure-your-own.md").read_text(encoding="utf-8")
    options = [option for parameter in try_.params for option in parameter.opts if option.startswith("--")]
    assert [option for option in options if f"`{option}" not in page] == []


@pytest.fixture(scope="module")
def remeasured(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Install the project into an empty environment, and return its command."""
    environment = tmp_path_factory.mktemp("installed")
    subprocess.run([find_uv_bin(), "venv", "--quiet", "--python", sys.executable, environment / "venv"], check=True)  # noqa: S603
    scripts = next(each for name in ("bin", "Scripts") if (each := environment / "venv" / name).is_dir())
    done = programs.run(find_uv_bin(), "pip", "install", "--python", scripts / "python", ROOT, folder=environment)
    if done.returncode and NO_NETWORK.search(done.stderr):
        pytest.skip("its dependencies can't be installed without a network")
    assert done.returncode == 0, done.stderr
    return scripts / "remeasured"


@pytest.mark.processes
def test_installed_copy_measures_in_any_folder(remeasured: Path, tmp_path: Path) -> None:
    Path(tmp_path, "work.py").write_text("def square(text):\n    return int(text) ** 2\n")
    Path(tmp_path, "numbers.txt").write_text("1\n2\n3\n")
    words = ("work.py:square", "--items", "numbers.txt", "--models", "threads", "--python", sys.executable)
    done = programs.run(remeasured, "try", *words, "--budget", "2s", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "work:square" in done.stdout
    assert [*tmp_path.glob("remeasured-results/*/*/own.json")]


@pytest.mark.processes
@pytest.mark.parametrize("command", [["run"], ["new", "my_question"]])
def test_commands_that_write_into_a_clone_name_it(remeasured: Path, tmp_path: Path, command: list[str]) -> None:
    done = programs.run(remeasured, *command, folder=tmp_path)
    assert done.returncode == 2
    assert "clone" in done.stderr
