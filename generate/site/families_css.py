"""The styles of families: a colour for light and dark pages, and a shape, made from the table of families."""

from collections.abc import Mapping

from generate.charts.traces import LINE_COLOURS
from runners.harness.catalogue.family_colours import FAMILIES, Family

SHAPES = {
    "circle": "circle(44%)",
    "square": "polygon(12% 12%, 88% 12%, 88% 88%, 12% 88%)",
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
"""Marks in CSS, by their names in Plotly. Some are free for new families."""


def families_css(families: Mapping[str, Family] = FAMILIES) -> str:
    """Return the classes of tables (`.family-threads`) and the properties of charts (`--line-1`)."""
    light, dark = (
        "".join(
            [f"--family-{name}: {family[scheme]};\n" for name, family in families.items()]
            + [f"--line-{number}: {pair[scheme]};\n" for number, pair in enumerate(LINE_COLOURS, start=1)]
        )
        for scheme in (0, 1)
    )
    marks = "".join(
        f".family-{name} {{ --family: var(--family-{name}); --shape: {SHAPES[family.symbol]}; }}\n"
        for name, family in families.items()
    )
    return (
        f':root,\n[data-md-color-scheme="default"] {{\n{light}}}\n'
        f'@media screen {{\n[data-md-color-scheme="slate"] {{\n{dark}}}\n}}\n{marks}'
    )
