"""Servers with several workers: each answers rightly, at the same time as the others, and leaves nothing behind."""

import sys

import pytest
from apart import Parameters, take_rightly

from runners.harness.catalogue import scenarios as catalogue
from runners.harness.contract import Surroundings
from runners.workers import workload

SCENARIO = catalogue.find()["workers"]
SLOW: Parameters = {"size": "500 requests/s", "wait_s": 0.4, "workers": 2, "threads": 6, "timeout_s": 4.0}
SLOW = {**SLOW, "server_turns_per_ms": 10, "requests": 6, "at_once": 6}
PROCESSES = {"aiohttp_processes": 3, "http_server_processes": 3, "gunicorn_threads": 3, "uvicorn_workers": 4}
"""Of a server: its workers, their parent, and what multiprocessing starts with those that it spawns."""


@pytest.mark.parametrize("name", SCENARIO.runners)
def test_server_has_all_workers_at_once_and_ends_with_them(name: str) -> None:
    values, _ = take_rightly(SCENARIO, name, SLOW)
    assert values["completed_count"] == 6
    assert values["elapsed_ns"] < 3 * 0.4e9  # one worker with half of the threads would take twice 0.4 s
    if sys.platform == "linux":
        assert values["tree_process_count"] == PROCESSES.get(name, values["tree_process_count"])
        assert values["tree_proportional_bytes"] > values["tree_process_count"] * 4_000_000


def test_turns_are_calibrated_in_steps() -> None:
    ((name, turns),) = workload.calibrate().items()
    assert workload.prepare({**SLOW, name: turns}, Surroundings(2, 1)).turns == 2 * turns
    assert turns > 500
