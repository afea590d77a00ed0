"""Kills `run` and `try` at random moments: `python tests/bench_kills.py 200` prints what was lost and left running."""

import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT)]

from rich.progress import track

from runners.harness.own import record as own_record
from runners.harness.record import codec

PLANTED = ROOT / "tests" / "planted_work"
COMMANDS = {
    "run": ("run", "--scenario", "primes", "--rounds", "2", "--machine", "killed"),
    "try": ("try", str(PLANTED / "mixed.py:wait_half"), "--items", str(PLANTED / "mixed.py:numbers"), "--budget", "8s"),
}
LATEST_S, LEFT_S = 20.0, 5.0


def kill(command: str, folder: Path) -> str:
    """Start a command, kill it at a random moment, and return what that did."""
    mark = folder / "mark"
    environment = os.environ | {"PATH": f"{mark}:{os.environ['PATH']}"}  # workers inherit it, whatever else they don't
    arguments = [sys.executable, "-m", "runners", *COMMANDS[command], "--python", sys.executable, "--out", str(folder)]
    process = subprocess.Popen(  # noqa: S603 - our own command
        arguments, cwd=ROOT, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    time.sleep(random.uniform(0.1, LATEST_S))  # noqa: S311 - any moment
    kept = samples_kept(folder)
    process.send_signal(signal.SIGKILL)
    process.wait()
    deadline_s = time.monotonic() + LEFT_S
    while left := running(str(mark)):
        if time.monotonic() > deadline_s:
            return f"left {len(left)} processes"
        time.sleep(0.1)
    now = samples_kept(folder)
    return "lost samples" if now < kept else "kept all samples" if now else "nothing was measured yet"


def samples_kept(folder: Path) -> int:
    """Return how many samples the written file has. Raises msgspec.ValidationError if it can't be read."""
    files = [path for path in folder.rglob("*.json") if path.is_file()]
    records = [(own_record if path.name == own_record.FILE else codec).decode(path.read_bytes()) for path in files]
    return sum(len(series.samples.round) for record in records for series in record.series)


def running(mark: str) -> list[int]:
    """Return the processes whose environment has *mark*."""
    found = []
    for path in Path("/proc").glob("[0-9]*/environ"):
        try:
            if mark.encode() in path.read_bytes():
                found.append(int(path.parent.name))
        except OSError:  # it has ended, or is not ours
            continue
    return found


def main() -> None:
    """Print how often what happened."""
    outcomes: Counter[tuple[str, str]] = Counter()
    for number in track(range(int(sys.argv[1])), "killing"):
        command = ("run", "try")[number % 2]
        with tempfile.TemporaryDirectory(prefix="pcr-kills-", ignore_cleanup_errors=True) as folder:
            outcomes[command, kill(command, Path(folder))] += 1
    for (command, outcome), count in sorted(outcomes.items()):
        print(f"{command}: {outcome} {count} times")


if __name__ == "__main__":
    main()
