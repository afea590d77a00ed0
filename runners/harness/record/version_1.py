"""Reads version 1 of the record: makes of it what version 2 has, on plain dicts and lists, as JSON has them.

What many samples or series have in common stands in a file of version 1 once; it has no fields for how an interpreter
was built, but the flags that it was configured with.
"""

from __future__ import annotations

from typing import Any

VERSION = 1


def upgrade(record: Any) -> None:  # noqa: ANN401 - JSON that nobody has checked yet
    """Give a record of version 1 all that version 2 has. What is no record is left to the decoder, which says so."""
    if not isinstance(record, dict):
        return
    record.setdefault("kind", "cell")
    if isinstance(run := record.get("run"), dict):
        run.setdefault("name", run.get("id"))
    if isinstance(machine := record.get("machine"), dict):
        machine.setdefault("governor", None)
    for build in (record.get("build"), record.get("reference_build")):
        if isinstance(build, dict):
            _add_how_it_was_built(build)
    if isinstance(packages := record.get("packages"), dict):
        for package in packages.values():
            if isinstance(package, dict):
                package |= {"source": None, "sha256": None}
        record.setdefault("reference_packages", packages)  # of one run all builds had the same pins
    _spread(record)


def _add_how_it_was_built(build: dict[str, Any]) -> None:
    """Read it from the flags. Debian's interpreters do not say there that they are optimised."""
    flags = str(build.get("flags")).split()
    not_there = None if build.get("origin") == "system" else False
    build |= {
        "variant": [],
        "pgo": "--enable-optimizations" in flags or not_there,
        "lto": any(flag.startswith("--with-lto") for flag in flags) or not_there,
        "jit_compiled": any(flag.startswith("--enable-experimental-jit") for flag in flags) or None,
        "shared": "--enable-shared" in flags,
        "frame_pointers": "-fno-omit-frame-pointer" in flags,
        "variables": [],
        "options": [],
    }


def _spread(record: dict[str, Any]) -> None:
    """Give each sample, and each series, its own entry."""
    hashes = record.pop("source_sha256", None)
    if not isinstance(record.get("series"), list):
        return
    for series in record["series"]:
        if not isinstance(series, dict):
            continue
        name = _runner(series)
        if series.get("source_sha256") is None and isinstance(hashes, dict) and name in hashes:
            series["source_sha256"] = hashes[name]
        series.setdefault("reason", None)
        samples = series.get("samples")
        if isinstance(samples, dict) and isinstance(samples.get("position"), list):
            _spread_columns(samples, len(samples["position"]))


def _spread_columns(samples: dict[str, Any], count: int) -> None:
    if samples.get("round") is None:
        samples["round"] = list(range(1, count + 1))
    samples["status"] = _spread_column(samples.get("status", "ok"), count)
    samples["reason"] = _spread_column(samples.get("reason"), count)
    if isinstance(samples.get("values"), dict):
        samples["values"] = {name: _spread_column(column, count) for name, column in samples["values"].items()}


def _spread_column(column: Any, count: int) -> list[Any]:  # noqa: ANN401 - likewise
    return column if isinstance(column, list) else [column] * count


def _runner(series: dict[str, Any]) -> str:
    """Name the runner of *series* among those of all scenarios."""
    return f"{series.get('scenario')}/{series.get('runner')}"
