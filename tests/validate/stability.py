"""Measures one cell several times, and looks which verdicts are decided differently. Takes hours."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING

from generate.analysis.gated import apply_gate
from generate.claims.board import Board
from generate.claims.read import read
from generate.results.load import load
from generate.statistics.validation import Stability
from runners.harness.catalogue.scenarios import ROOT, find

if TYPE_CHECKING:
    from generate.results.model import ResultFile

TIMES = 5


def stability(times: int = TIMES) -> Stability:
    """Measure our own Python with the full profile *times* times, one run after another."""
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(times):
            command = [sys.executable, "-m", "runners", "run", "--profile", "full", "--out", folder]
            subprocess.run(command, check=True, cwd=ROOT)  # noqa: S603 - our own command
        return compared(load(Path(folder)).files)


def compared(files: list[ResultFile]) -> Stability:
    """Judge every claim by each of *files* alone, and see where two disagree."""
    scenarios, claims = find(), read(ROOT / "docs")
    decided: dict[str, set[str]] = defaultdict(set)
    for file in files:
        board = Board.of(claims, scenarios, apply_gate([file], scenarios))
        for verdict in (verdict for of_claim in board.verdicts.values() for verdict in of_claim.parts):
            if verdict.verdict in {"holds", "does not hold"}:
                decided[verdict.part.id].add(verdict.verdict)
    flipped = sorted(part for part, verdicts in decided.items() if len(verdicts) > 1)
    build = files[0].record.build
    return Stability(f"{build.implementation} {build.version}", len(files), len(decided), flipped)
