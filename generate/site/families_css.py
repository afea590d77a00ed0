"""The styles of families: a colour for light and for dark pages, and a shape. Made of the one table of families."""

from __future__ import annotations

from typing import TYPE_CHECKING

from runners.harness.catalogue.families import FAMILIES

if TYPE_CHECKING:
    from collections.abc import Mapping

    from runners.harness.catalogue.families import Family

SHAPES = {
    "circle": "circle(44%)",
    "square": "inset(12%)",
    "triangle-up": "polygon(50% 6%, 100% 94%, 0 94%)",
    "diamond": "polygon(50% 0, 100% 50%, 50% 100%, 0 50%)",
    "triangle-down": "polygon(0 6%, 100% 6%, 50% 94%)",
    "cross": (
        "polygon(33% 0, 67% 0, 67% 33%, 100% 33%, 100% 67%, 67% 67%, "
        "67% 100%, 33% 100%, 33% 67%, 0 67%, 0 33%, 33% 33%)"
    ),
    "star": "polygon(50% 0, 62% 36%, 100% 36%, 70% 59%, 81% 95%, 50% 73%, 19% 95%, 30% 59%, 0 36%, 38% 36%)",
    "pentagon": "polygon(50% 2%, 100% 38%, 81% 98%, 19% 98%, 0 38%)",
    "hexagon": "polygon(25% 6%, 75% 6%, 100% 50%, 75% 94%, 25% 94%, 0 50%)",
    "hourglass": "polygon(4% 4%, 96% 4%, 4% 96%, 96% 96%)",
    "bowtie": "polygon(4% 4%, 96% 96%, 96% 4%, 4% 96%)",
}
"""How CSS draws a mark that has this name in Plotly: the two stand side by side. Some are not used yet."""


def families_css(families: Mapping[str, Family] = FAMILIES) -> str:
    """Return what tables take by class (`.family-threads`) and charts by property (`--family-threads`)."""
    light = "".join(f"  --family-{name}: {family.light};\n" for name, family in families.items())
    symbols = "".join(f"  --symbol-{name}: {family.symbol};\n" for name, family in families.items())
    dark = "".join(f"    --family-{name}: {family.dark};\n" for name, family in families.items())
    marks = "".join(
        f".family-{name} {{ --family: var(--family-{name}); --shape: {SHAPES[family.symbol]}; }}\n"
        for name, family in families.items()
    )
    return (
        f':root,\n[data-md-color-scheme="default"] {{\n{light}{symbols}}}\n'
        f'@media screen {{\n  [data-md-color-scheme="slate"] {{\n{dark}  }}\n}}\n'
        f"{marks}"
    )
