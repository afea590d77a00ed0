"""Twenty modules of the standard library, as a service imports them, and an answer that needs them."""

from __future__ import annotations

import os
from _thread import get_ident
from importlib import import_module
from time import perf_counter_ns

TYPE_CHECKING = False
if TYPE_CHECKING:
    from runners.worker_start._answers import Answer

NAMES = (
    *("argparse", "asyncio", "csv", "dataclasses", "datetime", "decimal", "email.message", "fractions", "hashlib"),
    *("http.client", "json", "logging.config", "pathlib", "sqlite3", "ssl", "tempfile", "unittest.mock"),
    *("urllib.request", "uuid", "xml.etree.ElementTree"),
)
MODULES = [import_module(name) for name in NAMES]
IMPORTED_NS = perf_counter_ns()


def answer(number: int) -> Answer:
    return number + 1, os.getpid(), get_ident(), IMPORTED_NS
