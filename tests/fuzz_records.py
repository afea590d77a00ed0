"""Mutates records, and describes odd machines: nothing may raise, and what is written can be read back.

As a program it prints figures: `python tests/fuzz_records.py 20000 500`. The test suite tries a few of both.
"""

import copy
import json
import random
import sys
import tempfile
from collections import Counter
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest import mock

sys.path[:0] = [str(Path(__file__).parents[1])]

import msgspec
from factory import Plan, make_record, some_scenarios

from generate.data.between_runs import BetweenRuns
from generate.data.gate import check, link
from generate.data.read import load
from generate.data.results import Results
from runners.harness.builds import host
from runners.harness.errors import UserError
from runners.harness.record import codec, model

SCENARIOS = {"primes": some_scenarios()["primes"]}
GOOD = codec.encode(make_record(SCENARIOS, Plan(rounds=2)))
ODD: tuple[object, ...] = (
    *(None, True, 0, -1, 1, 2**31, 2**63 - 1, 2**63, 10**400, 0.5, 1e300, [], {}, [None], [[1]]),
    *("", " ", "x" * 300, "\x00", "\u202e<script>", "caf\u00e9", "\ud800", "2026-02-30T00:00:00Z", "NaN", "../.."),
)
NUMBERS = (None, 0, 1, -1, 7, 10**6, 10**12, 2**63 - 1, -(2**63), 0.5)
TEXTS = (
    b"",
    b" ",
    b"\xe9\xb5",
    b"\xff\xfeD\x00",
    b"x" * 300,
    b"\x00",
    b"a\x1b[1m<b>",
    b"-1",
    b"9" * 30,
    b"max 0",
    b"0 0",
    b"0::/\x00",
)
FILES = {
    "CPUINFO": b"model name : %s\nflags\t: %s\n",
    "MEMINFO": b"MemAvailable: %s kB\n",
    "STAT": b"cpu %s %s %s %s %s %s %s %s\n",
    "GOVERNOR": b"%s\n",
    "OWN_CGROUPS": b"0::/%s\n4:cpu,cpuacct:/%s\n%s",
}
GROUP_FILES = (
    "cpu.max",
    "cpu.cfs_quota_us",
    "cpu.cfs_period_us",
    "memory.max",
    "memory.current",
    "memory.stat",
    "cpu.stat",
)


def mutate(data: bytes, chance: random.Random) -> bytes:
    """Change bytes, a few fields of the JSON, or only measurements, most of which a record may hold."""
    kind = chance.random()
    if kind < 0.3:
        changed = bytearray(data)
        for _ in range(chance.randint(1, 4)):
            place = chance.randrange(len(changed))
            changed[place : place + chance.choice((0, 1, 1, 50, len(data)))] = chance.randbytes(chance.randint(0, 3))
        return bytes(changed)
    tree = json.loads(data)
    measured = [values for series in tree["series"] if (values := series["samples"]["values"])]
    for _ in range(chance.randint(1, 3)):
        if kind < 0.6 or not measured:
            _change(tree, chance)
        else:
            columns = chance.choice(measured)
            column = columns[chance.choice([*columns])]
            column[chance.randrange(len(column))] = chance.choice(NUMBERS)
    return json.dumps(tree, allow_nan=True).encode()


def _change(tree: Any, chance: random.Random) -> None:  # noqa: ANN401 - any part of a JSON document
    while True:
        keys = [*tree] if isinstance(tree, dict) else [*range(len(tree))]
        if not keys:
            return
        key = chance.choice(keys)
        if isinstance(tree[key], dict | list) and tree[key] and chance.random() < 0.85:
            tree = tree[key]
            continue
        if chance.random() < 0.2:
            del tree[key]
        elif isinstance(tree, dict) and chance.random() < 0.1:
            tree[chance.choice(("extra", "\u202e", ""))] = copy.deepcopy(chance.choice(ODD))
        else:
            tree[key] = copy.deepcopy(chance.choice(ODD))
        return


def try_records(count: int, folder: Path, seed: int = 1) -> Counter[str]:
    """Read and pool *count* mutated records. Count those that were used and left out; raise what anything raises."""
    chance, path, outcomes = random.Random(seed), folder / "a.json", Counter[str]()  # noqa: S311 - no secret
    for _ in range(count):
        path.write_bytes(mutate(GOOD, chance))
        loaded = load(path)
        assert len(loaded.files) + len(loaded.problems) == 1
        for problem in loaded.problems:
            assert problem.message
            assert problem.remedy
        for file in loaded.files:
            assert codec.decode(codec.encode_checked(file.record)) == file.record
            assert Results.pool(SCENARIOS, [file], link([check(file, SCENARIOS)]), BetweenRuns({})).table is not None
        outcomes["used" if loaded.files else "left out"] += 1
    return outcomes


def try_hosts(count: int, folder: Path, seed: int = 1) -> Counter[str]:
    """Describe *count* odd machines. Each gives a record that can be read back, or is refused before it is written."""
    chance, outcomes = random.Random(seed), Counter[str]()  # noqa: S311 - no secret
    for number in range(count):
        own = folder / str(number)
        for name in GROUP_FILES:
            (own / "CGROUPS" / "cpu").mkdir(parents=True, exist_ok=True)
            place = own / "CGROUPS" / chance.choice(("", "cpu")) / name
            place.write_bytes(chance.choice((b"", b"throttled_usec ", b"inactive_file ")) + chance.choice(TEXTS))
        for name, pattern in FILES.items():
            (own / name).write_bytes(pattern % tuple(chance.choice(TEXTS) for _ in range(pattern.count(b"%s"))))
        outcomes[_describe(own, chance)] += 1
    return outcomes


def _describe(own: Path, chance: random.Random) -> str:
    text = chance.choice(TEXTS).decode(errors="surrogateescape")
    failing = mock.Mock(side_effect=chance.choice((OSError("no"), UnicodeDecodeError("utf-8", b"", 0, 1, "no"))))
    fact = chance.choice((lambda: text, failing))
    places: dict[str, Any] = {name: own / name for name in (*FILES, "CGROUPS")}
    names = ("system", "machine", "release", "processor", "version")
    fakes = SimpleNamespace(
        **dict.fromkeys(names, fact),
        mac_ver=lambda: (text, "", ""),
        freedesktop_os_release=lambda: {"PRETTY_NAME": text},
    )
    output = SimpleNamespace(run=lambda *_: SimpleNamespace(stdout=text))
    with mock.patch.multiple(host, platform=fakes, programs=output, **places):
        try:
            machine = host.look(chance.choice((None, None, text)))
        except UserError:
            return "label refused"
        facts = {"memory_budget_bytes": host.memory_budget_bytes()}
        shares = host.lost_shares(host.lost_times(), host.lost_times())
    record = codec.decode(GOOD)
    machine = msgspec.structs.replace(machine, **shares)
    run: model.Run = msgspec.structs.replace(record.run, **facts)
    codec.encode_checked(msgspec.structs.replace(record, machine=machine, run=run))
    return "described"


if __name__ == "__main__":
    records, hosts = map(int, sys.argv[1:] or ("20000", "500"))
    with tempfile.TemporaryDirectory() as name:
        print(f"{records} mutated records:", dict(try_records(records, Path(name))))
        print(f"{hosts} odd machines:", dict(try_hosts(hosts, Path(name))))
