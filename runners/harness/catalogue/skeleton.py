"""Writes a new scenario, or a new runner of an existing one, as a copy that passes the tests as it is."""

import re
from pathlib import Path

from runners.harness.catalogue.scenarios import RUNNERS, find, select
from runners.harness.errors import UserError

NAME = re.compile(r"[a-z][a-z0-9_]{0,59}")
EXAMPLE = "power"
"""The smallest scenario. A new one begins as a copy of it, with only its baseline."""
COPIED = ("__init__.py", "workload.py", "scenario.py", "sync_loop.py")


def create(name: str, folder: Path = RUNNERS) -> list[Path]:
    """Write the files of SCENARIO or of SCENARIO/RUNNER into *folder*, and return their paths. Raises UserError."""
    scenario, slash, runner = name.partition("/")
    for part in (scenario, runner) if slash else (scenario,):
        if not NAME.fullmatch(part):
            msg = f"{part!r} can't name a scenario or runner: use small letters, digits and _, beginning with a letter"
            raise UserError(msg)
    texts = _runner_texts(scenario, runner, folder) if slash else _scenario_texts(scenario)
    paths = [folder / scenario / file for file in texts]
    for path in paths:
        if path.exists():
            msg = f"{path} already exists: choose another name"
            raise UserError(msg)
    for path, text in zip(paths, texts.values(), strict=True):
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return paths


def _scenario_texts(scenario: str) -> dict[str, str]:
    title = scenario.replace("_", " ").capitalize()
    changes = {f"runners.{EXAMPLE}.": f"runners.{scenario}.", '"""Power: ': f'"""{title}: ', '"S5"': '"Q1"'}
    texts = {file: (RUNNERS / EXAMPLE / file).read_text(encoding="utf-8") for file in COPIED}
    for old, new in changes.items():
        texts = {file: text.replace(old, new) for file, text in texts.items()}
    return texts


def _runner_texts(scenario: str, runner: str, folder: Path) -> dict[str, str]:
    """Return a copy of the scenario's baseline under the new name."""
    scenarios = find(folder)
    (known,) = select(scenarios, [scenario], "scenario")
    words = runner.replace("_", " ")
    code = scenarios[known].runners[scenarios[known].baseline].code
    code = re.sub(r'\A""".*?"""', f'"""{words.capitalize()}."""', code, flags=re.DOTALL)
    code = re.sub(r"^NAME = .*\n", "", code, flags=re.MULTILINE)
    return {f"{runner}.py": re.sub(r"^FAMILY", f'NAME = "{words}"\nFAMILY', code, count=1, flags=re.MULTILINE)}
