"""Measures planted scenarios through every stage: plan, fresh processes, record."""

import tempfile
import time
from pathlib import Path
from typing import NamedTuple

from generate.data.checked import ByRound, reduce_series
from runners.harness.catalogue import scenarios as catalogue
from runners.harness.record import codec
from runners.harness.record.model import Role, SeriesKey
from runners.harness.run import plan
from runners.harness.run.new_run import DEFAULT_PYTHON, RunRequest, begin

FOLDER = Path(__file__).with_name("planted")
PACKAGE = "tests.validate.planted"


class Ratios(NamedTuple):
    candidate: list[float]
    """Candidate / baseline, by round."""
    control: list[float]
    """The baseline's second measurement / its first, by round."""
    spent_s: float


def measure(scenario: str, candidate: str, rounds: int, seed: int) -> Ratios:
    """Measure *candidate* against its scenario's baseline in *rounds* rounds of fresh processes."""
    scenarios = {scenario: catalogue.find(FOLDER, PACKAGE)[scenario]}
    request = RunRequest(plan.Selection("full", (scenario,), ()), rounds, seed, [DEFAULT_PYTHON])
    with tempfile.TemporaryDirectory() as folder:
        session = begin(request, scenarios, Path(folder), None)
        began_s = time.monotonic()
        session.measure()
        spent_s = time.monotonic() - began_s
        series = reduce_series(codec.decode(session.paths()[0].read_bytes()), scenarios)
    case, metric = next(iter(scenarios[scenario].cases)), scenarios[scenario].metrics[0]
    baseline = scenarios[scenario].baseline
    wanted_series: tuple[tuple[str, Role], ...] = ((candidate, "subject"), (baseline, "subject"), (baseline, "control"))
    subject, base, control = (
        series[SeriesKey(scenario, case, name, role)].by_round(metric) for name, role in wanted_series
    )
    return Ratios(_paired(subject, base), _paired(control, base), spent_s)


def _paired(values: ByRound, base: ByRound) -> list[float]:
    return [value / base[number] for number, value in values.items() if number in base]
