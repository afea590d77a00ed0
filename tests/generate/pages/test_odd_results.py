"""The real pages over results that are not as one would wish: each still reads well, and nothing is injected."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, get_args

import pytest
from factory import REFERENCE, Plan, build
from sample_site import put, site_of

from runners.harness.catalogue import scenarios as catalogue
from runners.harness.record.model import Status

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from runners.harness.catalogue.scenarios import Scenario

ALL = catalogue.find()
SOME = {name: ALL[name] for name in ("primes", "heartbeat")}
HOSTILE = "<script>alert('x')</script> \"q\" \u202edrah & *b* [l](j) {{ 7*7 }}"
EVERY_RUNNER = {name for scenario in ALL.values() for name in scenario.runners}
ODD: dict[str, tuple[Mapping[str, Scenario], dict[str, Plan]]] = {
    "no result at all": (ALL, {}),
    "some scenarios alone": (SOME, {"a.json": Plan(build=REFERENCE), "b.json": Plan()}),
    "one machine, one build": (ALL, {"a.json": Plan(build=REFERENCE)}),
    "fifty builds": (
        SOME,
        {f"{n}.json": Plan(build=build(f"3.{10 + n // 10}.{n % 10}", free_threaded=n % 3 == 0)) for n in range(50)},
    ),
    "very long names": (SOME, {"a.json": Plan(machine="m" * 100, run_id="r" * 80, build=build(f"3.13.{'1' * 60}"))}),
    "hostile names": (SOME, {"a.json": Plan(machine=HOSTILE, build=build(f"3.13.1{HOSTILE}"))}),
    **{
        f"nothing but {status}": (ALL, {"a.json": Plan(status=dict.fromkeys(EVERY_RUNNER, status))})
        for status in get_args(Status)
    },
    "a quick run that was cut off": (ALL, {"a.json": Plan(profile="quick", rounds=1, complete=False)}),
    "one round": (SOME, {"a.json": Plan(rounds=1), "b.json": Plan(build=REFERENCE, rounds=1)}),
    "a scenario that is gone": ({"gone": replace(ALL["primes"], name="gone")}, {"a.json": Plan()}),
    "two processors": (SOME, {"a.json": Plan(cpu="one"), "b.json": Plan(cpu="other", run_id="r2")}),
    "two machines": (SOME, {"a.json": Plan(machine="one"), "b.json": Plan(machine="other", run_id="r2")}),
}
NO_WORDS = re.compile(r"\b(nan|None|inf|Undefined)\b|\{%|\{\{(?! 7\*7 \}\})")
NOT_PROSE = re.compile(r"```.*?```|<svg.*?</svg>|<code>.*?</code>|`[^`\n]*`", re.DOTALL)


BLOCK = r"(section|details|figure|div|ul|p)"
INNERMOST = re.compile(rf"<{BLOCK}\b(?:(?!<{BLOCK}\b).)*?</\1>", re.DOTALL)


def outside_html(page: str) -> str:
    """Return what of a page is Markdown: without its blocks of HTML, the innermost first."""
    while (less := INNERMOST.sub("", page)) != page:
        page = less
    return page


@pytest.mark.parametrize("kind", ODD)
def test_every_page_is_made_and_says_nothing_that_is_no_word(tmp_path: Path, kind: str) -> None:
    scenarios, plans = ODD[kind]
    (tmp_path / "results").mkdir()
    put(tmp_path / "results", plans, scenarios)
    files = site_of(tmp_path / "results", ALL, catalogue.ROOT / "docs")
    pages = {path: content for path, content in files.items() if path.endswith(".md") and isinstance(content, str)}
    assert {"docs/index.md", "docs/scenarios/primes.md", "docs/claims/S4.md", "docs/data.md"} <= pages.keys()
    assert "docs/data-problems.md" not in pages
    for path, page in pages.items():
        assert "<script" not in page, path
        assert "\u202e" not in re.sub(r"<bdi>.*?</bdi>", "", page), path
        assert "](j)" not in outside_html(page), path
        text = NOT_PROSE.sub(" ", page)
        found = NO_WORDS.search(text)
        assert found is None, (path, text[max(0, found.start() - 80) : found.end() + 80])
