"""The origin sites start when they are first needed, and what befalls them stops nothing else."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest

from runners.harness.http_load import origin_sites
from runners.harness.run.session import OriginSites

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Put sites that only note their start and end in the place of real ones."""
    noted: list[str] = []

    @contextmanager
    def noting(module: str) -> Iterator[object]:
        noted.append(f"start {module}")
        yield object()
        noted.append(f"end {module}")

    monkeypatch.setattr(origin_sites, "sites", noting)
    return noted


def test_they_start_when_first_asked_for_and_end_with_the_run(started: list[str]) -> None:
    with OriginSites() as origin:
        assert started == []
        assert origin.sites("a") is origin.sites("a")
        assert started == ["start a"]
    assert started == ["start a", "end a"]


def test_after_a_failure_they_start_anew(started: list[str]) -> None:
    with OriginSites() as origin:
        first = origin.sites("a")
        origin.close()
        assert origin.sites("a") is not first
    assert started == ["start a", "end a", "start a", "end a"]


def test_scenarios_with_other_pages_have_sites_of_their_own(started: list[str]) -> None:
    with OriginSites() as origin:
        assert origin.sites("a") is not origin.sites("b")
    assert sorted(started) == ["end a", "end b", "start a", "start b"]
