"""Skeletons of scenarios and runners, as `python -m runners new` writes them."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from apart import take_rightly

import runners
from runners.harness.catalogue import scenarios as catalogue
from runners.harness.catalogue import skeleton
from runners.harness.errors import UserError
from runners.harness.run import protocol


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Make a checkout that has the harness and two skeletons."""
    folder = tmp_path / "runners"
    folder.mkdir()
    (folder / "__init__.py").touch()
    (folder / "harness").symlink_to(catalogue.RUNNERS / "harness")
    monkeypatch.setattr(runners, "__path__", [*runners.__path__, str(folder)])
    monkeypatch.setattr(protocol, "ROOT", tmp_path)
    skeleton.create("a_scenario", folder)
    skeleton.create("a_scenario/green_threads", folder)
    yield tmp_path
    for name in [name for name in sys.modules if name.startswith("runners.a_scenario")]:
        del sys.modules[name]


def test_skeleton_passes_the_test_of_every_runner(checkout: Path) -> None:
    scenario = catalogue.find(checkout / "runners")["a_scenario"]
    assert sorted(scenario.runners) == ["green_threads", "sync_loop"]
    assert scenario.runners["green_threads"].label == "green threads"
    assert (scenario.title, scenario.source) == ("A scenario", "Q1")
    (case,) = scenario.cases.values()
    for runner in scenario.runners.values():
        take_rightly(scenario, runner.name, {**case.parameters, **case.warm_up})


@pytest.mark.parametrize("command", [["check", "--no-cache"], ["format", "--check"]])
def test_skeleton_is_linted(checkout: Path, command: list[str]) -> None:
    ruff = [sys.executable, "-m", "ruff", *command, "--quiet", "--config", str(catalogue.ROOT / "pyproject.toml")]
    done = subprocess.run(  # noqa: S603 - our own words
        [*ruff, "runners/a_scenario"], cwd=checkout, capture_output=True, text=True, check=False
    )
    assert (done.stdout, done.returncode) == ("", 0)


@pytest.mark.parametrize(
    "name", ["", "My", "a-b", "a/", "/a", "../a", "a/../b", "primes", "primes/sync_loop", "nothing/a"]
)
def test_name_that_is_taken_or_unusable_is_refused(name: str) -> None:
    with pytest.raises(UserError):
        skeleton.create(name)
