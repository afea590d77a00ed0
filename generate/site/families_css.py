"""The styles of families: a colour for light and dark pages, and a shape, made from the table of families.

Tables and bars have a family's own colour. A chart can have several lines of a family, so there are more colours in
other hues, with enough contrast to the page.
"""

from __future__ import annotations

import colorsys
from typing import TYPE_CHECKING

from generate.charts.traces import COLOURS
from runners.harness.catalogue.families import FAMILIES

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

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
"""Marks in CSS, by their names in Plotly. Some are free for new families."""
TURNS = (0.0, 0.17, 0.83, 0.33, 0.55, 0.69, 0.45)
"""How far each colour's hue is from the family's own, in turns."""
LIGHTS = (0.0, 0.1, 0.24, 0.16, 0.27, 0.05, 0.07)
"""Relative luminance of each further colour on a white page: a contrast of 3 needs at most 0.3."""
LIGHTS_IN_THE_DARK = (0.0, 0.6, 0.2, 0.4, 0.28, 0.5, 0.7)
"""Likewise on a dark page, which needs at least 0.14."""
LEAST_SATURATION = 0.55
REDS = 0.93, 0.06
"""The hues around red, in turns, reserved for verdicts that do not hold."""


def families_css(families: Mapping[str, Family] = FAMILIES) -> str:
    """Return the classes of tables (`.family-threads`) and the properties of charts (`--family-threads-1`)."""
    light = "".join(_colours(name, family.light, LIGHTS) for name, family in families.items())
    dark = "".join(_colours(name, family.dark, LIGHTS_IN_THE_DARK) for name, family in families.items())
    marks = "".join(
        f".family-{name} {{ --family: var(--family-{name}); --shape: {SHAPES[family.symbol]}; }}\n"
        for name, family in families.items()
    )
    return (
        f':root,\n[data-md-color-scheme="default"] {{\n{light}}}\n'
        f'@media screen {{\n[data-md-color-scheme="slate"] {{\n{dark}}}\n}}\n{marks}'
    )


def _colours(name: str, own: str, lights: Sequence[float]) -> str:
    shades = [shade(own, TURNS[number], lights[number]) for number in range(1, COLOURS)]
    further = "".join(f" --family-{name}-{number}: {colour};" for number, colour in enumerate(shades, start=1))
    return f"--family-{name}: {own};{further}\n"


def shade(own: str, turn: float, light: float) -> str:
    """Return a colour with the relative luminance *light*, its hue *turn* from that of *own*, but never red."""
    hue, _, saturation = colorsys.rgb_to_hls(*(int(own[at : at + 2], 16) / 255 for at in (1, 3, 5)))
    hue = (hue + turn) % 1
    hue = hue if REDS[1] < hue < REDS[0] else REDS[1]
    low, high = 0.0, 1.0
    for _step in range(20):
        middle = (low + high) / 2
        channels = colorsys.hls_to_rgb(hue, middle, max(saturation, LEAST_SATURATION))
        low, high = (middle, high) if luminance(channels) < light else (low, middle)
    return "#" + "".join(f"{round(255 * channel):02x}" for channel in channels)


def luminance(channels: Iterable[float]) -> float:
    """Return the relative luminance of a colour, 0 to 1, by the accessibility guidelines (WCAG)."""
    red, green, blue = (
        share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4  # noqa: PLR2004 - constants of sRGB
        for share in channels
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
