"""The page of each record under results/local, and what keeps a broken one from the others."""

import ast
import builtins
from itertools import product
from pathlib import Path

import pytest
from map_factory import map_record
from own_records import COMPUTING, own_record, timed, untimed
from sample_site import build_context, build_records_context, letters

from generate.pages import own
from generate.pages.templates import page
from generate.site.navigation import nav
from generate.words import patterns
from runners.harness.catalogue.scenarios import find
from runners.harness.own.record import ModelName, OwnRecord, encode
from runners.harness.own.work import FOR_COROUTINES, FOR_FUNCTIONS


def put(results: Path, record: OwnRecord | bytes, day: str = "2026-01-01") -> None:
    path = results / "local" / day / "run" / "own.json"
    path.parent.mkdir(parents=True)
    path.write_bytes(record if isinstance(record, bytes) else encode(record))


def only_page(folder: Path, record: OwnRecord) -> str:
    put(folder, record)
    (text,) = own.pages(build_context(folder, letters())).values()
    return text


def test_page_is_complete_without_javascript(tmp_path: Path) -> None:
    sizes = [timed("threads", 6, 2640), timed("threads", 8, 2700), untimed("threads", 32, "wrong_answers", wrong=12)]
    refused = untimed("interpreters", 2, "unsupported", "<b>PIL</b> does not load there")
    text = only_page(tmp_path, own_record([*COMPUTING, *sizes, refused], source="def resize(path):\n\n    ...</code>"))
    assert text.count('<svg class="picture"') == 2
    assert text.count('<th scope="row"') == 6
    for words in ("8: 2.7", "12 of 400", "&lt;b&gt;PIL&lt;/b&gt;", "ProcessPoolExecutor(2", "...&lt;/code&gt;"):
        assert words in text


def test_records_without_a_time_have_pages_in_the_navigation(tmp_path: Path) -> None:
    put(tmp_path, own_record([untimed("loop", None, "failed", "ValueError")]))
    put(tmp_path, own_record([]), day="2026-01-02")
    pages = own.pages(build_context(tmp_path, letters()))
    assert patterns.OWN_NOTHING in pages["own/2026-01-01-run.md"]
    assert "By arithmetic" in pages["own/2026-01-02-run.md"]
    assert all(path in str(nav(pages)) for path in pages)


@pytest.mark.parametrize(
    ("kind", "model"),
    [*product(["function"], ["loop", *FOR_FUNCTIONS]), *product(["coroutine"], ["loop", *FOR_COROUTINES])],
)
def test_code_to_paste_knows_all_its_names(kind: str, model: ModelName) -> None:
    parts = dict.fromkeys(("work", "advice", "tables", "bars", "curves", "places", "failures"), ())
    series = timed(model, None if model == "loop" else 8, 100)
    text = page("own.md", record=own_record([], kind=kind), code=series, function="resize", root="", **parts)
    code = text.partition("```python\n")[2].partition("```")[0]
    nodes = [*ast.walk(ast.parse(code))]
    names = [node for node in nodes if isinstance(node, ast.Name)]
    bound = {node.id for node in names if isinstance(node.ctx, ast.Store)}
    bound |= {(node.asname or node.name).partition(".")[0] for node in nodes if isinstance(node, ast.alias)}
    bound |= {node.name for node in nodes if isinstance(node, ast.AsyncFunctionDef)}
    bound |= {node.arg for node in nodes if isinstance(node, ast.arg)}
    used = {node.id for node in names} - {"items", *dir(builtins)}
    assert used - bound == set()
    assert {"resize", "answers"} <= used


def test_place_on_the_map_names_the_nearest_measured_work(tmp_path: Path) -> None:
    build_records_context(tmp_path, map_record())
    put(tmp_path / "results", own_record(COMPUTING))
    (text,) = own.pages(build_context(tmp_path / "results", find(), tmp_path / "docs")).values()
    assert "1,000 tasks, each computing 1 ms and waiting 0 ms" in text


def test_broken_record_is_named_and_spares_the_others(tmp_path: Path) -> None:
    put(tmp_path, b'{"kind": "own"}')
    put(tmp_path, own_record(COMPUTING), day="2026-01-02")
    context = build_context(tmp_path, letters())
    assert [*own.pages(context)] == ["own/2026-01-02-run.md"]
    assert [problem.path for problem in context.site.problems] == ["local/2026-01-01/run/own.json"]


def test_hostile_function_name_is_no_markup(tmp_path: Path) -> None:
    text = only_page(tmp_path, own_record(COMPUTING, function="a:<script>{{ 1 }}`\n# b"))
    assert "<script>" not in text
    assert "\n# b" not in text
