"""Kills `run` and `try` at random moments: `python tests/bench_kills.py 200` prints what was lost and left behind."""

import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
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
LATEST_S, LEFT_S, LOOK_S = 20.0, 5.0, 0.05
REPORTED = re.compile(r"(\d+) of (?:\d+ samples|at most)")
"""Samples that `run` has taken, or rounds of `try`, each of which has samples."""


def kill(command: str, folder: Path) -> Iterator[str]:
    """Start a command, kill it at a random moment, and yield what that did."""
    out, scratch, log = folder / "out", folder / "scratch", folder / "log"
    scratch.mkdir()
    mark = str(folder / "mark")
    path = f"{mark}:{os.environ['PATH']}"  # workers inherit it, whatever else they don't
    arguments = [sys.executable, "-m", "runners", *COMMANDS[command], "--python", sys.executable, "--out", str(out)]
    with log.open("wb") as stderr:
        process = subprocess.Popen(  # noqa: S603 - our own command
            arguments,
            cwd=ROOT,
            env=os.environ | {"PATH": path, "TMPDIR": str(scratch)},
            stdout=subprocess.DEVNULL,
            stderr=stderr,
        )
    seen, ends_s = 0, time.monotonic() + random.uniform(0.1, LATEST_S)  # noqa: S311 - any moment
    while time.monotonic() < ends_s and process.poll() is None:
        seen = max(seen, samples_kept(out))
        time.sleep(LOOK_S)
    process.send_signal(signal.SIGKILL)
    process.wait()
    now = samples_kept(out)
    seen = max(seen, *map(int, REPORTED.findall(log.read_text(errors="replace"))), 0)
    yield "lost samples" if now < seen else "kept all samples" if now else "nothing was measured yet"
    if process.returncode != -signal.SIGKILL:
        yield "had ended before"
    deadline_s = time.monotonic() + LEFT_S
    while (left := running(mark)) and time.monotonic() < deadline_s:
        time.sleep(LOOK_S)
    if left:
        yield "left processes"
    if [*scratch.glob("pcr-try-*")]:
        yield "left a temporary folder"


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
            outcomes.update((command, outcome) for outcome in kill(command, Path(folder)))
    for (command, outcome), count in sorted(outcomes.items()):
        print(f"{command}: {outcome} {count} times")


if __name__ == "__main__":
    main()
