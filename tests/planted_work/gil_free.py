"""C that releases the GIL on large buffers: two threads use two cores, and nothing is pickled."""

import hashlib
import sqlite3
import zlib
from collections.abc import Iterator

BUFFER = hashlib.shake_128(b"planted").digest(2_000_000) * 4
TEXT = b"".join(b"%d,%d,name%d\n" % (i, i * i, i % 97) for i in range(60_000))
COUNTING = """
WITH RECURSIVE n(i) AS (SELECT ? UNION ALL SELECT i + 1 FROM n WHERE i < 60000) SELECT sum(i * i % 7) FROM n"""


def numbers() -> Iterator[int]:
    yield from range(200)


def buffers() -> Iterator[bytes]:
    for number in range(12):
        yield BUFFER[number:]


def hash_buffer(number: int) -> str:
    return hashlib.sha256(memoryview(BUFFER)[number:]).hexdigest()


def hash_argument(data: bytes) -> str:
    return hashlib.blake2b(data).hexdigest()


def compress(number: int) -> int:
    return len(zlib.compress(memoryview(TEXT)[number:400_000], 6))


def derive_key(number: int) -> str:
    return hashlib.pbkdf2_hmac("sha256", b"secret", str(number).encode(), 20_000).hex()


def query_sqlite(number: int) -> int:
    with sqlite3.connect(":memory:") as database:
        return int(database.execute(COUNTING, (number,)).fetchone()[0])
