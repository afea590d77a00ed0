"""Describes this machine, and nothing about its owner."""

from __future__ import annotations

import math
import os
import platform
import re
from pathlib import Path

from runners.harness import programs
from runners.harness.errors import UserError
from runners.harness.record.model import Machine

LONGEST_LABEL = 60
MOST_STEAL_SHARE = 0.01
"""If the hypervisor kept more processor time than this for others, a run decides nothing."""


def look(label: str | None = None) -> Machine:
    """Describe this machine; *label* names it on the site. Raises UserError for an invalid label."""
    if label and (len(label) > LONGEST_LABEL or not label.isprintable()):
        msg = f"{label!r} can't name a machine: at most {LONGEST_LABEL} printable characters can"
        raise UserError(msg)
    cores = usable_cores()
    system = platform.system().lower().replace("darwin", "macos") or "unknown"
    return Machine(
        label=label or f"{system}-{platform.machine().lower()}-{cores}-core",
        cpu=_cpu(),
        architecture=platform.machine() or "unknown",
        logical_cores=os.cpu_count() or 1,
        usable_cores=cores,
        memory_bytes=_memory_bytes(),
        os=_os(),
        kernel=f"{platform.system()} {platform.release()}",
        virtual=_virtual(),
        load_before=load_average(),
        load_after=None,
        governor=_governor(),
        steal_share=None,
    )


def _governor(policy: Path = Path("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor")) -> str | None:
    """Return Linux's frequency governor; None if there is none, as in most virtual machines."""
    try:
        return policy.read_text(encoding="ascii").strip() or None
    except (OSError, ValueError):
        return None


def usable_cores(quota: Path = Path("/sys/fs/cgroup/cpu.max")) -> int:
    """Return how many cores this process may use: its affinity, or a container's quota of processor time."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    try:
        allowed, period = quota.read_text(encoding="ascii").split()
        return max(1, min(cores, math.ceil(int(allowed) / int(period))))
    except (OSError, ValueError):  # there is no quota: no file, or "max"
        return cores


def memory_budget_bytes(meminfo: Path = Path("/proc/meminfo")) -> int | None:
    """Return how much memory a sample may hold: half of what is available; None if unknown."""
    try:
        lines = meminfo.read_text(encoding="ascii").splitlines()
        return next(int(line.split()[1]) * 1024 // 2 for line in lines if line.startswith("MemAvailable:"))
    except (OSError, ValueError, StopIteration):
        return None


def is_busy(machine: Machine) -> bool:
    """True if other work kept every core busy when the run began: such a run decides nothing."""
    return machine.load_before is not None and machine.load_before > machine.usable_cores


def why_busy(machine: Machine) -> str:
    """Return why nothing measured on *machine* decides: it was busy; empty if it was not."""
    if is_busy(machine):
        cores = format_cores(machine.usable_cores)
        return f"the machine was busy: load {machine.load_before:.1f} on {cores} before the first sample"
    if machine.steal_share is not None and machine.steal_share > MOST_STEAL_SHARE:
        share = f"{100 * machine.steal_share:.1f}\N{NO-BREAK SPACE}%"
        return f"the machine was busy: its host kept {share} of the processor time for others"
    return ""


def format_cores(cores: int) -> str:
    """Format a number of cores, as "2 cores"."""
    return f"{cores} core{'s' * (cores != 1)}"


def worse(*loads: float | None) -> float | None:
    """Return the largest known load: a resumed run keeps the worst of its parts."""
    return max((load for load in loads if load is not None), default=None)


def load_average() -> float | None:
    """Return the one-minute load average; None if the system has none."""
    return round(os.getloadavg()[0], 2) if hasattr(os, "getloadavg") else None


def processor_time(stat: Path = Path("/proc/stat")) -> tuple[int, int] | None:
    """Return the (stolen, total) processor time since boot, in ticks; None if not reported."""
    try:
        fields = [int(field) for field in stat.read_text(encoding="ascii").splitlines()[0].split()[1:9]]
        return fields[7], sum(fields)
    except (OSError, ValueError, IndexError):
        return None


def steal_share(before: tuple[int, int] | None, after: tuple[int, int] | None) -> float | None:
    """Return the share of processor time that the hypervisor kept for others between two readings."""
    if before is None or after is None or after[1] <= before[1]:
        return None
    stolen = max(after[0] - before[0], 0)  # some hypervisors count back
    return round(stolen / (after[1] - before[1]), 5)


def _cpu() -> str:
    model = _field("/proc/cpuinfo", "model name") or _output("sysctl", "-n", "machdep.cpu.brand_string")
    return model or platform.processor() or platform.machine() or "unknown"


def _memory_bytes() -> int | None:
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, ValueError, OSError):
        return None


def _os() -> str:
    try:
        return platform.freedesktop_os_release()["PRETTY_NAME"]
    except (OSError, KeyError):
        version = platform.mac_ver()[0]
        return f"macOS {version}" if version else f"{platform.system()} {platform.version()}"


def _virtual() -> str | None:
    kind = _output("systemd-detect-virt")
    if kind:
        return kind
    flags = _field("/proc/cpuinfo", "flags")
    if flags is None:
        return None
    return "hypervisor of an unknown kind" if "hypervisor" in flags.split() else "none"


def _field(path: str, name: str) -> str | None:
    try:
        text = Path(path).read_text(encoding="utf-8")
    except OSError:
        return None
    field = re.search(rf"^{name}\s*:(.*)$", text, re.MULTILINE)
    return field[1].strip() if field else None


def _output(*command: str) -> str | None:
    return programs.run(*command).stdout.strip() or None
