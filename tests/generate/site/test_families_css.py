"""The colours and shapes of families: a new one needs no other file, and each is distinct."""

import re

import pytest

from generate.charts.traces import LINE_COLOURS
from generate.pages.templates import TEMPLATES
from generate.site.families_css import SHAPES, families_css
from generate.site.pipeline import ASSETS
from runners.harness.catalogue.family_colours import FAMILIES, Family
from runners.harness.catalogue.scenarios import ROOT

STYLE = "".join(path.read_text() for path in ASSETS.glob("*.css"))


def test_no_two_families_look_alike() -> None:
    assert len({SHAPES[family.symbol] for family in FAMILIES.values()}) == len(FAMILIES)


def test_a_new_family_needs_no_other_file() -> None:
    styles = families_css({**FAMILIES, "newcomer": Family("#101010", "#f0f0f0", "hexagon")})
    assert "--family-newcomer: #101010" in styles.partition("slate")[0]
    assert "--family-newcomer: #f0f0f0" in styles.partition("slate")[2]
    assert ".family-newcomer { --family: var(--family-newcomer); --shape: polygon(" in styles
    elsewhere = [*ASSETS.iterdir(), *(ROOT / "generate").rglob("*.py"), *TEMPLATES.iterdir(), ROOT / "CONTRIBUTING.md"]
    listed = re.compile(r"threads\W+processes\W+gevent\W+asyncio")
    assert not [path.name for path in elsewhere if listed.search(path.read_text(encoding="utf-8"))]


@pytest.mark.parametrize("scheme", ["default", "slate"])
def test_ink_and_marks_stand_out_from_the_paper(scheme: str) -> None:
    block = re.search(rf'\[data-md-color-scheme="{scheme}"\] {{\n +--paper.*?\n *}}', STYLE, re.DOTALL)
    assert block
    colours = dict(re.findall(r"--([\w-]+): (#\w+);", block[0]))
    for name in ("ink", "ink-soft", "link", "quiet", "caution"):
        assert contrast(colours[name], colours["paper"]) >= 4.5, name
    for name, family in FAMILIES.items():
        assert contrast(family.light if scheme == "default" else family.dark, colours["paper"]) >= 3, name
    for pair in LINE_COLOURS:
        assert contrast(pair[scheme == "slate"], colours["paper"]) >= 3, pair


def contrast(first: str, two: str) -> float:
    dark, light = sorted(luminance(each) for each in (first, two))
    return (light + 0.05) / (dark + 0.05)


def luminance(colour: str) -> float:
    """Return a colour's relative luminance, by the accessibility guidelines (WCAG)."""
    shares = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4 for share in shares)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
