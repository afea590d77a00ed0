"""Reads from the command line what to measure. Nothing of it is imported here."""

import os
import re
import shutil
import sys
from collections.abc import Iterable, Iterator, Mapping
from multiprocessing import get_all_start_methods
from pathlib import Path
from typing import Any, NamedTuple, get_args

from runners.harness import programs
from runners.harness.errors import UnknownNameError, UserError
from runners.harness.own.record import Apart, Awaited, ModelName, Threaded

SAME = ("exact", "unordered", "close")
FORM = "name it as FILE.py:FUNCTION or package.module:FUNCTION"
AT_ONCE = 100
"""Coroutines and greenlets in flight, unless the user names a limit: they cost little."""
MANY = 64
"""Threads that mostly wait."""
FOR_COROUTINES: tuple[ModelName, ...] = get_args(Awaited)
FOR_FUNCTIONS: tuple[ModelName, ...] = get_args(Threaded) + get_args(Apart)
MODELS: tuple[ModelName, ...] = ("loop", *FOR_FUNCTIONS, *FOR_COROUTINES)


class Limits(NamedTuple):
    """Which models are measured, with which sizes of pool; empty: the usual ones."""

    models: Mapping[str, frozenset[ModelName]]
    """By the words that name them, such as `processes`."""
    workers: list[int]
    at_once: int | None
    cores: int


def reference(text: str | None) -> dict[str, Any] | None:
    """Return how to import a function that a user names; None for none. Raises UserError."""
    if text is None:
        return None
    source, _, name = text.rpartition(":")
    if not source or not all(part.isidentifier() for part in name.split(".")):
        msg = f"{text!r} names no function: {f'add it, as {text}:FUNCTION' if text.endswith('.py') else FORM}"
        raise UserError(msg)
    folder, module, file = Path.cwd(), source, None
    if source.endswith(".py"):
        folder, module, file = _locate(Path(source).expanduser())
    if module.rpartition(".")[2] == "__main__":
        msg = f"{source} is run as a program: other processes can't import it; move the function to another module"
        raise UserError(msg)
    return {"folder": str(folder), "module": module, "file": file, "name": name, "source": Path(source).name}


def _locate(path: Path) -> tuple[Path, str, str]:
    """Return the folder for imports, the module and the file: a file in a package is imported as part of that."""
    if not path.is_file() or not path.stem.isidentifier():
        remedy = "rename it: a module's name has letters, digits and _ only" if path.is_file() else "check the path"
        msg = f"{path} can't be imported: {remedy}; {FORM}"
        raise UserError(msg)
    if path.stem in sys.stdlib_module_names:
        msg = f"{path} hides the module {path.stem} of Python: rename it"
        raise UserError(msg)
    file = Path(os.path.realpath(path))
    folder, names = file.parent, [path.stem]
    while (folder / "__init__.py").is_file():
        names.insert(0, folder.name)
        folder = folder.parent
    return folder, ".".join(names), str(file)


def item_source(text: str | None) -> dict[str, Any]:
    """Return how to read the items. Raises UserError."""
    if text is None:
        return {"kind": "none"}
    path = Path(text).expanduser()
    if ":" in text and not path.is_file():
        return {"kind": "generator", "reference": reference(text)}
    if not path.is_file() or path.suffix == ".py":
        problem = "is not a file of items" if path.is_file() else "does not exist"
        msg = f"{text} {problem}: name a file with one a line, of JSON lines (.jsonl), or FILE.py:GENERATOR"
        raise UserError(msg)
    return {"kind": "json" if path.suffix == ".jsonl" else "lines", "path": str(path.absolute())}


def model_names(words: Iterable[str]) -> dict[str, frozenset[ModelName]]:
    """Return the models that --models names, separated by commas; `processes` is every start method."""
    chosen: dict[str, frozenset[ModelName]] = {}
    for word in (part.strip() for text in words for part in text.split(",")):
        chosen[word] = frozenset(name for name in MODELS if name == word or name.startswith(f"{word}_"))
        if not chosen[word]:
            raise UnknownNameError("model", word, [*MODELS, "processes"])  # noqa: EM101
    return chosen


def numbers(text: str | None) -> list[int]:
    """Return sizes of pools, or rates, separated by commas. Raises UserError."""
    if text is not None and not re.fullmatch(r"[1-9]\d{0,3}(,[1-9]\d{0,3})*", text):
        msg = f"{text!r} is not a list of numbers from 1 to 9999: write 2,8,32"
        raise UserError(msg)
    return sorted({int(word) for word in text.split(",")}) if text else []


def seconds(text: str) -> float:
    """Return a time such as 90s or 2m in seconds. Raises UserError."""
    match = re.fullmatch(r"([1-9]\d{0,4})([sm]?)", text)
    if match is None:
        msg = f"{text!r} is not a time: write it as 90s or 5m"
        raise UserError(msg)
    return float(match[1]) * (60 if match[2] == "m" else 1)


def default_python() -> str:
    """Return the interpreter of the active environment, else the first on the path, else our own."""
    environment = os.environ.get("VIRTUAL_ENV", "")
    inside = Path(environment, "Scripts/python.exe" if os.name == "nt" else "bin/python")
    python = str(inside) if environment and inside.is_file() else shutil.which("python3") or sys.executable
    ran = programs.run(python, "-c", "import sys; print(sys.executable)", limit_s=30)
    return ran.stdout.strip() or sys.executable  # on the path there may be a script, or a stub that only prints


def candidates(limits: Limits, *, is_coroutine: bool) -> Iterator[tuple[ModelName, int | None]]:
    """Yield the models to measure, each with a size of pool: the loop first, since others are compared with it."""
    yield "loop", None
    limit = [limits.at_once] if limits.at_once else []
    usual: dict[str, list[int]] = {
        "threads": [2, limits.cores, min(32, limits.cores + 4), 4 * limits.cores, MANY, *limit],
        "to_thread": [min(32, limits.cores + 4)],
        "loops_in_threads": [max(2, limits.cores)],
        **dict.fromkeys(("gather", "taskgroup", "trio", "uvloop", "greenlets"), limit or [AT_ONCE]),
    }
    for name in FOR_COROUTINES if is_coroutine else FOR_FUNCTIONS:
        is_possible = not name.startswith("processes_") or name.partition("_")[2] in get_all_start_methods()
        if is_possible and (not limits.models or any(name in names for names in limits.models.values())):
            sizes = limits.workers or usual.get(name, [limits.cores])
            yield from ((name, size) for size in sorted({min(size, *limit, size) for size in sizes}))
