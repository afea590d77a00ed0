"""The real pages over odd results: each is made, every word is a word, and nothing is injected."""

import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import get_args

import pytest
from factory import REFERENCE, Plan, build
from sample_site import build_site, write_results

from runners.harness.catalogue import scenarios as catalogue
from runners.harness.catalogue.scenarios import Scenario
from runners.harness.record.model import Status

ALL = catalogue.find()
SOME = {name: ALL[name] for name in ("primes", "heartbeat")}
HOSTILE = "<script>alert('x')</script> \"q\" \u202edrah & *b* [l](j) {{ 7*7 }}"
EVERY_RUNNER = {name for scenario in ALL.values() for name in scenario.runners}
MANY = [build(f"3.{10 + n // 10}.{n % 10}", free_threaded=n % 3 == 0) for n in range(18)]
ODD: dict[str, tuple[Mapping[str, Scenario], dict[str, Plan]]] = {
    "no result at all": (ALL, {}),
    "only some scenarios": (SOME, {"a.json": Plan(build=REFERENCE), "b.json": Plan()}),
    "one machine, one build": (ALL, {"a.json": Plan(rounds=3, build=REFERENCE)}),
    "many builds": (SOME, {f"{n}.json": Plan(rounds=3, build=of) for n, of in enumerate(MANY)}),
    "very long names": (SOME, {"a.json": Plan(machine="m" * 100, run_id="r" * 80, build=build(f"3.13.{'1' * 60}"))}),
    "hostile names": (
        SOME,
        {
            f"{n}.json": Plan(rounds=3, machine=HOSTILE, cpu=HOSTILE, run_id=f"r{n}", build=of)
            for n, of in enumerate((build(f"3.13.1{HOSTILE}"), build("3.14.0", implementation=HOSTILE), REFERENCE))
        },
    ),
    **{
        f"only {status}": (SOME, {"a.json": Plan(status=dict.fromkeys(EVERY_RUNNER, status))})
        for status in get_args(Status)
    },
    "a quick run that was cut off": (ALL, {"a.json": Plan(profile="quick", rounds=1, complete=False)}),
    "one round": (SOME, {"a.json": Plan(rounds=1), "b.json": Plan(build=REFERENCE, rounds=1)}),
    "a scenario that is gone": ({"gone": replace(ALL["primes"], name="gone")}, {"a.json": Plan()}),
    "two processors": (SOME, {"a.json": Plan(cpu="one"), "b.json": Plan(cpu="other", run_id="r2")}),
    "two machines": (SOME, {"a.json": Plan(machine="one"), "b.json": Plan(machine="other", run_id="r2")}),
}
NO_WORDS = re.compile(r"\b(nan|None|inf|Undefined|1 rounds)\b|\{%|\{\{(?! 7\*7 \}\})")
NOT_PROSE = re.compile(r"```.*?```|<svg.*?</svg>|<code>.*?</code>|`[^`\n]*`", re.DOTALL)
BLOCK = r"(section|details|figure|div|ul|p)"
INNERMOST = re.compile(rf"<{BLOCK}\b(?:(?!<{BLOCK}\b).)*?</\1>", re.DOTALL)


def outside_html(page: str) -> str:
    """Return the Markdown of a page, without its blocks of HTML, the innermost first."""
    while (less := INNERMOST.sub("", page)) != page:
        page = less
    return page


@pytest.mark.parametrize("kind", ODD)
def test_pages_are_made_safe_and_readable(tmp_path: Path, kind: str) -> None:
    scenarios, plans = ODD[kind]
    (tmp_path / "results").mkdir()
    write_results(tmp_path / "results", plans, scenarios)
    files = build_site(tmp_path / "results", ALL, catalogue.ROOT / "docs")
    pages = {path: content for path, content in files.items() if path.endswith(".md") and isinstance(content, str)}
    assert {"docs/index.md", "docs/scenarios/primes.md", "docs/claims/S4.md", "docs/data.md"} <= pages.keys()
    assert "docs/data-problems.md" not in pages
    for path, page in pages.items():
        assert "<script" not in page, path
        assert "\u202e" not in re.sub(r"<bdi>.*?</bdi>", "", page), path
        assert "](j)" not in outside_html(page), path
        assert page.count("<details") == page.count("</details>"), path
        text = NOT_PROSE.sub(" ", page)
        match = NO_WORDS.search(text)
        assert match is None, (path, text[max(0, match.start() - 80) : match.end() + 80])


def test_every_table_has_a_caption_and_scrolls_by_keyboard(tmp_path: Path) -> None:
    write_results(tmp_path, {"a.json": Plan(build=REFERENCE), "b.json": Plan()}, SOME)
    for path, content in build_site(tmp_path, ALL, catalogue.ROOT / "docs").items():
        for before, table in re.findall(r"(<[^<]*>\s*)<table class=\"(data[^\"]*)\"", str(content)):
            assert re.search(r'class="scroller" tabindex="0" role="group" aria-label="[^"]+"', before), (path, table)
        tables = re.findall(r"<table class=\"data(?! plain).*?</table>", str(content), re.DOTALL)
        assert all("<caption" in table for table in tables), path
