"""The commands that the page Run it yourself gives for a package measure that package, as it says."""

from __future__ import annotations

import re
import shlex

import pytest
from outside import ROOT

from runners.harness.catalogue import scenarios as catalogue

PAGE = (ROOT / "docs" / "run-it-yourself.md").read_text(encoding="utf-8")
SCENARIOS = catalogue.find()
OPTIONS = re.compile(r"--scenario (?P<scenario>\w+)(?: --case (?P<case>\"[^\"]+\"|\w+))?")
TABLE = PAGE.partition("| package | where its own cost shows |")[2].partition("\n\n")[0].splitlines()[2:]


def cases_of(options: re.Match[str]) -> dict[str, set[str]]:
    """Return, by case that the options choose, the packages that its runners import."""
    scenario = SCENARIOS[options["scenario"]]
    chosen = shlex.split(options["case"] or "") or [*scenario.cases]
    return {
        name: {
            package for runner in scenario.runners.values() if runner.takes_part(case) for package in runner.packages
        }
        for name in chosen
        for case in [scenario.cases[name]]
    }


@pytest.mark.parametrize("row", TABLE)
def test_where_a_package_s_own_cost_is_said_to_show_a_runner_imports_it(row: str) -> None:
    _, packages, _, option, metric, _, _ = row.split("|")
    found = OPTIONS.search(option)
    assert found
    assert metric.strip(" `") in {each.name for each in SCENARIOS[found["scenario"]].metrics}
    named = {name.lower() for name in re.findall("aiohttp|anyio|gevent|greenlet|Tornado|trio|uvloop", packages)}
    imported = cases_of(found)
    assert named
    assert named <= set().union(*imported.values())
    assert not any(SCENARIOS[found["scenario"]].cases[case].quick for case in imported)


def test_every_package_of_the_runners_has_a_row() -> None:
    packages = {name for one in SCENARIOS.values() for runner in one.runners.values() for name in runner.packages}
    rows = " ".join(row.split("|")[1].lower() for row in TABLE)
    assert {name for name in packages if name not in rows} == set()


@pytest.mark.parametrize("command", re.findall(r"^python -m runners run .*--scenario.*$", PAGE, re.MULTILINE))
def test_a_command_names_a_scenario_and_a_case_that_are_there(command: str) -> None:
    found = OPTIONS.search(command)
    assert found
    assert cases_of(found)
    if metric := re.search(r"--metric (\S+)", command):
        assert metric[1] in {each.name for each in SCENARIOS[found["scenario"]].metrics}
