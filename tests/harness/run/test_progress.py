"""A run's progress, on a fake clock and terminal."""

import re
from io import StringIO

from planted import prepared
from rich.console import Console

from runners.harness.process.launcher import SampleResult
from runners.harness.run.plan import Entry, Step
from runners.harness.run.progress import LINE_EVERY_S, Display

SLOW = Entry("primes", "published [all]", "sync_loop", "subject", 0)
FAST = Entry("primes", "published [all]", "thread_pool", "control", 0)
STEPS = [Step(entry, number, 0) for number in (1, 2, 3) for entry in (SLOW, FAST)]
OK = SampleResult("ok", None)


class Shown:
    """A display that writes to memory."""

    def __init__(self, *, terminal: bool = False) -> None:
        self.now_s = 1000.0
        self.out = StringIO()
        console = Console(file=self.out, force_terminal=terminal, width=80, color_system=None)
        self.display = Display([prepared("3.13.0")], STEPS, console, lambda: self.now_s)

    def measure(self, index: int, seconds: float, result: SampleResult = OK) -> str:
        """Return what is drawn while the sample is taken."""
        self.display.begin(STEPS[index], index)
        before = self.out.tell()
        self.now_s += seconds
        drawn = self.out.getvalue()[before:]
        self.display.end(STEPS[index], result)
        return drawn


def test_without_a_terminal_a_line_is_printed_now_and_then() -> None:
    shown = Shown()
    with shown.display:
        for index, seconds in enumerate((1.0, LINE_EVERY_S - 2, 1.0, 5.0, 5.0, 1.0)):
            shown.measure(index, seconds)
    name = "cpython-3.13.0 primes, published [all]: thread_pool (control)"
    assert shown.out.getvalue().splitlines() == [f"3 of 6 samples, 0:00:20 elapsed, 0:00:29 left: round 2: {name}"]


def test_terminal_is_drawn_before_a_sample_never_during_one() -> None:
    shown = Shown(terminal=True)
    with shown.display:
        assert [shown.measure(index, 100.0) for index in range(3)] == [""] * 3
        text = re.sub("\x1b\\[[0-9;?]*[A-Za-z]", "", shown.out.getvalue())
    assert not shown.display._bar.live.auto_refresh
    *_, line = re.split(r"[\r\n]+", text)
    assert len(line) == 80
    assert re.match("━+ +2/6 0:03:20 elapsed, 0:06:40 left sync_loop: cpython-3.13.0 .*…$", line)


def test_first_failure_of_each_kind_has_a_line() -> None:
    shown = Shown(terminal=True)
    failures = SampleResult("failed", "first [why]"), SampleResult("failed", "again"), SampleResult("timed_out", "late")
    with shown.display:
        for index, result in enumerate(failures):
            shown.measure(2 * index, 1.0, result)
    name = "cpython-3.13.0 primes, published [all]: sync_loop"
    assert f"{name}: failed: first [why]\n" in shown.out.getvalue()
    assert f"{name}: timed_out: late\n" in shown.out.getvalue()
    assert "again" not in shown.out.getvalue()
