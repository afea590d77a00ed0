"""The description of this machine."""

import errno
import getpass
import os
import platform
import re
from pathlib import Path
from typing import NoReturn

import msgspec
import pytest

from runners.harness.builds import host
from runners.harness.errors import UserError
from runners.harness.record.model import Machine


def test_machine_fits_the_record_and_names_nobody() -> None:
    machine = host.look()
    assert msgspec.convert(msgspec.to_builtins(machine), Machine) == machine
    assert 1 <= machine.usable_cores <= machine.logical_cores
    text = msgspec.json.encode(machine).decode()
    assert f'"{platform.node()}' not in text
    assert f'"{getpass.getuser()}' not in text


def test_label_replaces_the_default_if_files_can_have_it() -> None:
    assert host.look("my desk").label == "my desk"
    assert host.look().label.endswith("-core")
    for label in ("x" * 61, "a\nb", "\x00", "  ", "\udce9"):
        with pytest.raises(UserError):
            host.look(label)


@pytest.fixture
def system(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Let all facts of the system come from files that a test writes below a folder."""
    for name in ("CPUINFO", "MEMINFO", "STAT", "GOVERNOR", "OWN_CGROUPS", "CGROUPS"):
        monkeypatch.setattr(host, name, tmp_path / name.lower())
    monkeypatch.setattr(platform, "_os_release_candidates", [str(tmp_path / "os_release")], raising=False)
    monkeypatch.setattr(platform, "_os_release_cache", None, raising=False)
    monkeypatch.setattr(host, "_output", lambda *_: None)
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: range(64), raising=False)
    return tmp_path


def write(folder: Path, files: dict[str, str | bytes]) -> None:
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())


ODD = {
    "empty": b"",
    "latin 1": "caf\xe9 \xb5".encode("latin-1"),
    "UTF-16": "Debian".encode("utf-16"),
    "nothing but spaces": b" \t ",
    "300 letters": b"x" * 300,
    "control characters": b"a\x00\x1b[31mb\xe2\x80\xae<script>",
    "quotes": b'"\'"',
}


@pytest.mark.parametrize("text", ODD.values(), ids=ODD)
def test_odd_facts_of_the_system_are_cleaned_or_left_out(
    system: Path, monkeypatch: pytest.MonkeyPatch, text: bytes
) -> None:
    write(system, {
        "os_release": b'NAME=x\nPRETTY_NAME="' + text + b'"\n', "cpuinfo": b"model name\t: " + text,
        "governor": text, "own_cgroups": text, "meminfo": b"MemAvailable: " + text, "stat": b"cpu " + text,
        "cgroups/cpu.max": text, "cgroups/memory.max": text, "cgroups/cpu.stat": b"throttled_usec " + text,
    })  # fmt: skip
    for name in ("system", "machine", "release", "processor", "version"):
        monkeypatch.setattr(platform, name, lambda: os.fsdecode(text))
    machine = host.look()
    assert msgspec.convert(msgspec.to_builtins(machine), Machine) == machine
    assert all(fact.isprintable() for fact in msgspec.to_builtins(machine).values() if isinstance(fact, str))
    assert re.fullmatch(r"[a-z0-9_-]+-64-core", machine.label)
    assert (host.memory_budget_bytes(), host.lost_times()) == (None, {})


def test_facts_that_can_not_be_had_are_left_out(system: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> NoReturn:
        raise OSError(errno.ENOSYS, "not here")

    for module, name in ((os, "getloadavg"), (os, "sysconf"), *((platform, name) for name in ("system", "release"))):
        monkeypatch.setattr(module, name, fail, raising=False)
    machine = host.look()
    unknown = machine.load_before, machine.memory_bytes, machine.virtual, machine.governor
    assert (machine.kernel, unknown) == ("unknown", (None,) * 4)
    write(system, {"os_release": 'PRETTY_NAME="Fedora \\"40\\""\n'})
    assert host.look().os == 'Fedora "40"'


def test_processor_time_and_free_memory_are_read(system: Path) -> None:
    write(system, {"stat": "cpu  1 2 3 4 5 6 7 80 9 10\ncpu0 1\n", "meminfo": "A: 9 kB\nMemAvailable:  2000 kB\n"})
    assert (host.lost_times()["steal_share"], host.memory_budget_bytes()) == ((80, 108), 1_024_000)


def test_lost_share_between_two_readings() -> None:
    before = {"a": (10, 100), "b": (10, 100), "c": (10, 100), "d": (10, 100)}
    after = {"a": (15, 200), "b": (8, 200), "c": (10, 100), "e": (1, 2)}
    assert host.lost_shares(before, after) == {"a": 0.05, "b": 0.0}


def test_own_processor_time_is_not_that_of_others(system: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "times", lambda: (1.0, 0.5, 2.0, 0.5, 99.0))
    write(system, {"stat": "cpu  500 20 80 4 5 6 7 8\n"})
    assert host.lost_times()["others_share"] == (600 - 4 * os.sysconf("SC_CLK_TCK"), 630)


V1 = "4:memory:/a/b\n2:cpu,cpuacct:/a/b\n1:name=systemd:/\n0::/\n"


@pytest.mark.parametrize(
    ("own", "files", "cores", "budget"),
    [
        ("0::/a/b\n", {"a/b/cpu.max": "max 100000", "a/cpu.max": "150000 100000", "cpu.max": "400000 100000"}, 2, None),
        ("0::/a/b\n", {"a/b/cpu.max": "1000 100000\n", "a/cpu.max": "200000 100000"}, 1, None),
        ("", {"cpu.max": "100000 100000"}, 1, None),
        ("0::/../../not/here\n", {"cpu.max": "300000 100000"}, 3, None),
        (V1, {"cpu,cpuacct/a/cpu.cfs_quota_us": "250000\n", "cpu,cpuacct/a/cpu.cfs_period_us": "100000\n"}, 3, None),
        (V1, {"cpu/cpu.cfs_quota_us": "100000\n", "cpu/cpu.cfs_period_us": "100000\n"}, 1, None),
        (V1, {"cpu/cpu.cfs_quota_us": "-1\n", "cpu/cpu.cfs_period_us": "100000\n"}, 64, None),
        ("0::/a\n", {"unified/a/cpu.max": "200000 100000"}, 2, None),
        ("0::/a\n", {"a/cpu.max": "max 100000", "a/memory.max": "max"}, 64, None),
        ("0::/\n", {"cpu.max": "0 0", "memory.max": "-1", "memory.current": "a\x1b[1m"}, 64, None),
        ("0::/a\n", {"memory.max": "9000", "a/memory.max": "max", "memory.current": "5000"}, 64, 2000),
        ("0::/\n", {"memory.high": "9000", "memory.current": "9500", "memory.stat": "inactive_file 700\n"}, 64, 100),
        (V1, {"memory/a/memory.limit_in_bytes": "8000", "memory/a/memory.usage_in_bytes": "2000"}, 64, 3000),
    ],
)
def test_smallest_limit_of_all_control_groups_counts(
    system: Path, own: str, files: dict[str, str], cores: int, budget: int | None
) -> None:
    write(system, {"own_cgroups": own, **{f"cgroups/{name}": content for name, content in files.items()}})
    assert (host.usable_cores(), host.memory_budget_bytes()) == (cores, budget)


@pytest.mark.parametrize("line", ["throttled_usec 3", "throttled_time 3000"])
def test_time_that_a_quota_withholds_is_read(system: Path, line: str) -> None:
    write(system, {"own_cgroups": "0::/a\n", "cgroups/a/cpu.stat": f"nr_periods 4\n{line}\n"})
    assert host.lost_times()["throttled_share"][0] == 3000
