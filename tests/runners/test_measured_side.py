"""A scenario's texts are not loaded by measured processes: editing them can't change a number."""

import json
import subprocess
import sys
from pathlib import Path

import loaded
import pytest

from runners.harness.catalogue import scenarios as catalogue


@pytest.mark.parametrize("scenario", catalogue.find())
def test_measured_processes_do_not_load_the_texts(scenario: str) -> None:
    program = [sys.executable, str(Path(loaded.__file__)), scenario]
    done = subprocess.run(program, capture_output=True, text=True, check=True, timeout=60)  # noqa: S603 - our own
    for modules in json.loads(done.stdout):
        assert f"runners.{scenario}.workload" in modules
        assert not [name for name in modules if name.endswith(".scenario")]
        assert not [name for name in modules if name.startswith("runners.harness.catalogue")]
