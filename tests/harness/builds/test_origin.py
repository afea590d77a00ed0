"""The origin sites start when they are first needed, and what befalls them stops nothing else."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest

from runners.harness.http_load import origin_sites
from runners.harness.run.session import Origin

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Put sites that only note their start and end in the place of real ones."""
    noted: list[str] = []

    @contextmanager
    def noting() -> Iterator[object]:
        noted.append("start")
        yield object()
        noted.append("end")

    monkeypatch.setattr(origin_sites, "sites", noting)
    return noted


def test_they_start_when_first_asked_for_and_end_with_the_run(started: list[str]) -> None:
    with Origin() as origin:
        assert started == []
        assert origin.sites() is origin.sites()
        assert started == ["start"]
    assert started == ["start", "end"]


def test_after_a_failure_they_start_anew(started: list[str]) -> None:
    with Origin() as origin:
        first = origin.sites()
        origin.close()
        assert origin.sites() is not first
    assert started == ["start", "end", "start", "end"]
