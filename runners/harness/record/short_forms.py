"""The short forms of version 1: what many samples or series have in common stands in a file once.

All of it works on plain dicts and lists, as JSON has them. From version 2 on nothing is shortened: then only `spread`
stays, for files of version 1.
"""

from __future__ import annotations

from typing import Any

FEWEST_TO_SHARE = 2


def spread(record: Any) -> None:  # noqa: ANN401 - JSON that nobody has checked yet
    """Give each sample, and each series, its own entry. What is no record is left to the decoder, which says so."""
    if not isinstance(record, dict) or not isinstance(record.get("series"), list):
        return
    hashes = record.get("source_sha256")
    for series in record["series"]:
        if not isinstance(series, dict):
            continue
        name = _runner(series)
        if series.get("source_sha256") is None and isinstance(hashes, dict) and name in hashes:
            series["source_sha256"] = hashes[name]
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


def shorten(record: dict[str, Any]) -> None:
    """Undo `spread`."""
    hashes = {_runner(series): series["source_sha256"] for series in reversed(record["series"])}
    record["source_sha256"] = dict(sorted((hashes | record["source_sha256"]).items()))
    for series in record["series"]:
        if series["source_sha256"] == record["source_sha256"][_runner(series)]:
            del series["source_sha256"]
        if series["reason"] is None:
            del series["reason"]
        samples = series["samples"]
        if samples["round"] == list(range(1, len(samples["round"]) + 1)):
            del samples["round"]
        for name, usual in (("status", "ok"), ("reason", None)):
            samples[name] = _shorten_column(samples[name])
            if samples[name] == usual:
                del samples[name]
        samples["values"] = {name: _shorten_column(column) for name, column in samples["values"].items()}


def _shorten_column(column: list[Any]) -> Any:  # noqa: ANN401 - a column of any type
    """Return the one value that two or more samples share, or the column as it is."""
    first = column[0] if column else None
    if len(column) < FEWEST_TO_SHARE or isinstance(first, list):
        return column
    return first if all(type(cell) is type(first) and cell == first for cell in column) else column


def describe(kinds: dict[str, Any]) -> None:
    """Add the short forms to the *kinds* of object of a JSON Schema that has the long ones alone."""
    samples, series = kinds["Samples"]["properties"], kinds["Series"]["properties"]
    for name, short, usual in (
        ("round", [{"type": "null"}], None),
        ("status", [samples["status"]["items"]], "ok"),
        ("reason", samples["reason"]["items"]["anyOf"], None),
    ):
        samples[name] = {"anyOf": [samples[name], *short], "default": usual}
        kinds["Samples"]["required"].remove(name)
    column = samples["values"]["additionalProperties"]
    single = [kind for kind in column["items"]["anyOf"] if kind["type"] != "array"]
    samples["values"]["additionalProperties"] = {"anyOf": [column, *single]}
    series["source_sha256"] = {"anyOf": [series["source_sha256"], {"type": "null"}], "default": None}
    kinds["Series"]["required"].remove("source_sha256")


def _runner(series: dict[str, Any]) -> str:
    """Name the runner of *series* among those of all scenarios."""
    return f"{series.get('scenario')}/{series.get('runner')}"
