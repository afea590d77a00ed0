"""`pip install .` gives `remeasured`: what pyproject.toml promises of it exists."""

import importlib
import re
import tomllib
from pathlib import Path

import click
import pytest

ROOT = Path(__file__).resolve().parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


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


@pytest.mark.parametrize(("package", "patterns"), PROJECT["tool"]["setuptools"]["package-data"].items())
def test_data_files_exist(package: str, patterns: list[str]) -> None:
    for pattern in patterns:
        assert [*ROOT.joinpath(*package.split(".")).glob(pattern)], pattern
