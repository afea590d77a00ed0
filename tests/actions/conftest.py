"""The environment that workflows give their commands."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from actions.dispatch import INPUTS

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    others = ("COLLECTED_SHA256", "GITHUB_EVENT_NAME", "GITHUB_REF", "GITHUB_TOKEN", "RUNNER_ARCH", "RUNNER_OS")
    for name in (*others, *(f"INPUT_{name.upper()}" for name in INPUTS)):
        monkeypatch.delenv(name, raising=False)
    for name, value in {
        "GITHUB_OUTPUT": str(tmp_path / "output"),
        "GITHUB_STEP_SUMMARY": str(tmp_path / "summary"),
        "RUN_ID": "2026-01-01-gh1001.1",
        "GITHUB_RUN_ATTEMPT": "1",
        "GITHUB_RUN_ID": "1001",
        "GITHUB_SERVER_URL": "https://example.org",
        "GITHUB_REPOSITORY": "a/b",
        "GITHUB_SHA": "f" * 40,
    }.items():
        monkeypatch.setenv(name, value)
    return tmp_path
