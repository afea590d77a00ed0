"""Describes this machine, and nothing about its owner."""

import math
import os
import platform
import re
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from runners.harness import programs
from runners.harness.errors import UserError
from runners.harness.record.model import Machine

LONGEST_LABEL = 60
LONGEST_NAME = 200
MOST_LOST_SHARES = {
    "steal_share": (0.01, "its host kept {} of the processor time for others"),
    "throttled_share": (0.01, "a quota withheld {} of the processor time"),
    "others_share": (0.1, "other programs took {} of the processor time"),
}
"""By field of Machine, the largest share of processor time that a run may lose and still decide something.

What orphans of our samples took counts as others', some 0.07 in all on an idle machine.
"""
CPUINFO, MEMINFO, STAT = (Path("/proc", name) for name in ("cpuinfo", "meminfo", "stat"))
GOVERNOR = Path("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor")
"""Linux's frequency governor; most virtual machines have none."""
CGROUPS, OWN_CGROUPS = Path("/sys/fs/cgroup"), Path("/proc/self/cgroup")


def look(label: str | None = None) -> Machine:
    """Describe this machine; *label* names it on the site. Raises UserError for one that no file could have."""
    if label and (len(label) > LONGEST_LABEL or not label.isprintable() or not label.strip()):
        msg = f"{label!r} can't name a machine: at most {LONGEST_LABEL} printable characters can"
        raise UserError(msg)
    cores = usable_cores()
    system, architecture = _ask(platform.system) or "unknown", _ask(platform.machine) or "unknown"
    kind = re.sub(r"[^a-z0-9_]+", "-", f"{system.replace('Darwin', 'macOS')}-{architecture}".lower()).strip("-_")
    return Machine(
        label=label or f"{kind[: LONGEST_LABEL - 15] or 'unknown'}-{cores}-core",
        cpu=_cpu() or architecture,
        architecture=architecture,
        logical_cores=os.cpu_count() or 1,
        usable_cores=cores,
        memory_bytes=_memory_bytes(),
        os=_os() or system,
        kernel=clean(f"{system} {_ask(platform.release) or ''}") or system,
        virtual=_virtual(),
        load_before=load_average(),
        load_after=None,
        governor=clean(_read(GOVERNOR)),
        steal_share=None,
    )


def clean(text: object, longest: int = LONGEST_NAME) -> str | None:
    """Return text from the system or a program as a name that a record can hold; None if nothing is left of it."""
    plain = "".join(letter if letter.isprintable() and letter not in "<>" else " " for letter in str(text))
    return " ".join(plain.split())[:longest].strip() or None


def _ask(fact: Callable[[], object]) -> str | None:
    """Return a fact that the system may fail to report, cleaned."""
    try:
        return clean(fact())
    except (OSError, ValueError):
        return None


def _read(path: Path) -> str:
    """Return a system's file in whatever encoding; empty if it can't be read."""
    try:
        return path.read_bytes().decode(errors="replace")
    except (OSError, ValueError):
        return ""


def usable_cores() -> int:
    """Return how many cores this process may use: its affinity, or the smallest quota of processor time."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, min([cores, *map(math.ceil, _quotas())]))


def _groups() -> Iterator[Path]:
    """Yield the folders of this process's control groups of both versions, each followed by those above it.

    A container may see the host's names of its groups, but only its own folders: then the root is its own group.
    """
    for line in _read(OWN_CGROUPS).splitlines() or ["0::/"]:
        _, _, rest = line.partition(":")
        controllers, _, path = rest.partition(":")
        for name in dict.fromkeys([controllers, *controllers.split(",")]) if controllers else ("", "unified"):
            steps = [step for step in path.split("/") if step not in {"", ".."}]
            yield from (CGROUPS.joinpath(name, *steps[:count]) for count in range(len(steps), -1, -1))


def _quotas() -> Iterator[float]:
    """Yield the quotas of processor time, in processors."""
    for group in _groups():
        text = _read(group / "cpu.max") or _read(group / "cpu.cfs_quota_us") + _read(group / "cpu.cfs_period_us")
        allowed, period = _numbers(text)[:2] or (0, 0)
        if allowed > 0 and period > 0:  # otherwise "max", or -1: there is none
            yield allowed / period


def _numbers(text: str) -> list[int]:
    """Return the numbers in a text, if it has nothing else and at least two."""
    words = text.split()
    return [*map(int, words)] if len(words) > 1 and all(re.fullmatch(r"-?[0-9]{1,19}", word) for word in words) else []


def memory_budget_bytes() -> int | None:
    """Return the memory that a sample may hold, half of what is available to this process; None if unknown."""
    available = [1024 * number for number in _counts(MEMINFO, "MemAvailable:")]
    for group in _groups():
        for limit, used in (("max", "current"), ("high", "current"), ("limit_in_bytes", "usage_in_bytes")):
            for most, taken in zip(*(_counts(group / f"memory.{name}") for name in (limit, used)), strict=False):
                freed = max(_counts(group / "memory.stat", "(?:total_)?inactive_file"), default=0)  # cached files
                available.append(max(most - taken + freed, 0))
    return min(available, default=None) and min(available) // 2


def _counts(path: Path, name: str = "") -> list[int]:
    """Return the numbers that a system's file has after *name*."""
    return [int(number) for number in re.findall(rf"^{name}\s*([0-9]{{1,19}})\b", _read(path), re.MULTILINE)]


def is_busy(machine: Machine) -> bool:
    """True if other work kept every core busy when the run began: such a run decides nothing."""
    return machine.load_before is not None and machine.load_before > machine.usable_cores


def why_busy(machine: Machine) -> str:
    """Return why nothing measured on *machine* decides: it was busy; empty if it was not."""
    if is_busy(machine):
        cores = format_cores(machine.usable_cores)
        return f"the machine was busy: load {machine.load_before:.1f} on {cores} before the first sample"
    for name, (most, description) in MOST_LOST_SHARES.items():
        share = getattr(machine, name)
        if share is not None and share > most:
            percent = f"{100 * share:.1f}\N{NO-BREAK SPACE}%"
            return f"the machine was busy: {description.format(percent)}"
    return ""


def format_cores(cores: int) -> str:
    return f"{cores} core{'s' * (cores != 1)}"


def worse(*loads: float | None) -> float | None:
    """Return the largest known load: a resumed run keeps the worst of its parts."""
    return max((load for load in loads if load is not None), default=None)


def load_average() -> float | None:
    """Return the one-minute load average; None if the system has none."""
    try:
        return round(os.getloadavg()[0], 2) if hasattr(os, "getloadavg") else None
    except OSError:
        return None


def lost_times() -> dict[str, tuple[int, int]]:
    """Return, by field of Machine, the processor time (lost, in all) since some moment; only what is reported."""
    times = {}
    ticks = _numbers(_read(STAT).partition("\n")[0].removeprefix("cpu "))[:8]
    if len(ticks) > 7:  # noqa: PLR2004 - the column of stolen time
        own = round(sum(os.times()[:4]) * os.sysconf("SC_CLK_TCK"))  # with the children that have ended
        times["steal_share"] = ticks[7], sum(ticks)
        times["others_share"] = sum(ticks[:3]) - own, sum(ticks)
    withheld_ns = [number for group in _groups() for number in _counts(group / "cpu.stat", "throttled_time")]
    withheld_ns += [1000 * number for group in _groups() for number in _counts(group / "cpu.stat", "throttled_usec")]
    if withheld_ns:
        times["throttled_share"] = max(withheld_ns), time.monotonic_ns() * usable_cores()
    return times


def lost_shares(before: Mapping[str, tuple[int, int]], after: Mapping[str, tuple[int, int]]) -> dict[str, float]:
    """Return, by field of Machine, the share of processor time that was lost between two readings."""
    shares = {}
    for name in before.keys() & after.keys():
        lost, total = (later - earlier for earlier, later in zip(before[name], after[name], strict=True))
        if total > 0:
            shares[name] = min(max(round(lost / total, 5), 0.0), 1.0)  # some hypervisors count back
    return shares


def _cpu() -> str | None:
    field = re.search(r"^model name\s*:(.*)$", _read(CPUINFO), re.MULTILINE)
    model = clean(field[1]) if field else None
    return model or _output("sysctl", "-n", "machdep.cpu.brand_string") or _ask(platform.processor)


def _memory_bytes() -> int | None:
    try:
        pages = os.sysconf("SC_PHYS_PAGES")
        return pages * os.sysconf("SC_PAGE_SIZE") if pages > 0 else None
    except (AttributeError, ValueError, OSError):
        return None


def _os() -> str | None:
    version = _ask(lambda: platform.mac_ver()[0])
    other = _ask(lambda: f"macOS {version}" if version else f"{platform.system()} {platform.version()}")
    return _ask(lambda: platform.freedesktop_os_release()["PRETTY_NAME"]) or other


def _virtual() -> str | None:
    kind = _output("systemd-detect-virt")
    if kind:
        return kind
    flags = re.search(r"^flags\s*:(.*)$", _read(CPUINFO), re.MULTILINE)
    if flags is None:
        return None
    return "hypervisor of an unknown kind" if "hypervisor" in flags[1].split() else "none"


def _output(*command: str) -> str | None:
    return clean(programs.run(*command).stdout)
