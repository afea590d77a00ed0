"""The code that the files of schema version 1 were measured with, and whether such a file counts as current.

Scenarios were split into workload.py and scenario.py after they had been measured: all hashes changed, and none of the
work. What those files hold stays, as measured with the first method.
"""

from __future__ import annotations

import functools
from pathlib import Path

import msgspec
import tomllib

SCHEMA_VERSION = 1
PATH = Path(__file__).with_suffix(".toml")


class FirstMethod(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What first_method.toml holds: hashes by scenario, and by scenario and runner."""

    scenarios: dict[str, str]
    runners: dict[str, dict[str, str]]


def counts_as_current(current: str, measured: str | None, schema_version: int, *name: str) -> bool:
    """Return whether a file of *schema_version* that has the sha256 *measured* is of what now has *current*.

    The *name* is a scenario's, or a scenario's and a runner's. Two files are not compared by it: their hashes must be
    equal.
    """
    return measured == current or (schema_version == SCHEMA_VERSION and measured in _hashes(*name))


def _hashes(scenario: str, runner: str = "") -> tuple[str, ...]:
    """Return the hash of the first method; none of what it did not have."""
    listed = _read()
    hashes = listed.runners.get(scenario, {}) if runner else listed.scenarios
    return tuple(sha256 for name, sha256 in hashes.items() if name == (runner or scenario))


@functools.cache
def _read() -> FirstMethod:
    return msgspec.convert(tomllib.loads(PATH.read_text(encoding="utf-8")), FirstMethod)
