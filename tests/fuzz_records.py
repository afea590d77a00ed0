"""Mutates records: nothing may raise, and what is written can be read back.

As a program it prints figures: `python tests/fuzz_records.py 20000`. The test suite tries a few.
"""

import copy
import json
import random
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

sys.path[:0] = [str(Path(__file__).parents[1])]

from factory import Plan, make_record, some_scenarios

from generate.data.between_runs import BetweenRuns
from generate.data.gate import check, link
from generate.data.read import load
from generate.data.results import Results
from runners.harness.record import codec

SCENARIOS = {"primes": some_scenarios()["primes"]}
GOOD = codec.encode(make_record(SCENARIOS, Plan(rounds=2)))
ODD: tuple[object, ...] = (
    *(None, True, 0, -1, 1, 2**31, 2**63 - 1, 2**63, 10**400, 0.5, 1e300, [], {}, [None], [[1]]),
    *("", " ", "x" * 300, "\x00", "\u202e<script>", "caf\u00e9", "\ud800", "2026-02-30T00:00:00Z", "NaN", "../.."),
)
NUMBERS = (None, 0, 1, -1, 7, 10**6, 10**12, 2**63 - 1, -(2**63), 0.5)


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


if __name__ == "__main__":
    records = int(sys.argv[1] if len(sys.argv) > 1 else 20000)
    with tempfile.TemporaryDirectory() as name:
        print(f"{records} mutated records:", dict(try_records(records, Path(name))))
