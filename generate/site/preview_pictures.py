"""Draws a preview of 1200 by 630 pixels: words and a page's figure, or home's matrix.

resvg renders it in a packaged font. It ignores our style sheets, so every look becomes an attribute.
"""

import html
import re
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from importlib.resources import files
from typing import NamedTuple
from xml.etree import ElementTree as ET

import resvg_py
from markupsafe import Markup

from generate.words import patterns

WIDTH, HEIGHT, EDGE, COLUMN, GAP, ROW_NAMES = 1200, 630, 56, 430, 48, 260
"""In pixels: the picture, its margin, the column of words, the gap to the figure, and the names of a matrix's rows."""
LARGEST, LARGEST_WITH_AXES = 2.5, 2.0
"""A figure's largest scale: a preview is often shown half as wide."""
TALLEST = 300
"""In pixels of a page: a figure that is still readable when it fits."""
EM, LEADING = 0.47, 1.22
"""Mean width of a letter, and the distance of lines, as shares of the size of the font."""
FONT = "Source Sans Pro"
FONTS = [str(files("font_source_sans_pro") / f"files/SourceSansPro-{weight}.ttf") for weight in ("Regular", "Bold")]
FIGURE_WORDS = (("(?:chart__title|<h[23])", "(?:p|h[23])"), ("chart__axis", "p"), ("<figcaption", "figcaption"))
LOOKS = {
    "text": {"paint-order": "stroke", "stroke": "paper", "stroke-width": "6"},
    "circle": {"r": "2", "stroke": "ink-soft"},
    "path": {"fill": "none"},
    "tick": {"fill": "ink-soft", "stroke": "none"},
    "grid": {"stroke": "rule"},
    "halo": {"stroke": "paper", "stroke-width": "4.5"},
    "range": {"stroke": "ink", "stroke-width": "1.5"},
}
"""The style sheet's rules for a figure's elements and classes."""
BADGE_COLOURS = {"holds": "holds", "refuted": "not", "holds in part": "caution"}

_join = Markup("").join
_LINK, _TAG, _EMPHASIS = re.compile(r"\[([^\]]+)\]\([^)]*\)"), re.compile(r"<[^>]+>"), re.compile(r"\*\*|`|\\(?=\W)")
_WORDS = [re.compile(rf"{start}[^>]*>(.*?)</{end}>", re.DOTALL) for start, end in FIGURE_WORDS]
_LENGTH = re.compile(r"([\d.]+)px")
_PROPERTY, _VARIABLE = re.compile(r"--([\w-]+): ([^;}]+);"), re.compile(r"var\(--([\w-]+)\)")


class Preview(NamedTuple):
    title: str
    words: str
    """The finding, in one or two sentences."""
    figure: str = ""
    """The first figure of the page, as HTML; empty without any."""
    verdict: str = ""
    """A claim's verdict, as on its badge."""
    claims: tuple[tuple[str, str], ...] = ()
    """A source's claims, each after its verdict."""
    matrix: tuple[tuple[tuple[str, str], ...], ...] = ()
    """Home's: a row of questions, then a row for each model, all as (text, colour)."""


def plain(text: str) -> str:
    """Return the words of Markdown or HTML."""
    return " ".join(html.unescape(_EMPHASIS.sub("", _TAG.sub("", _LINK.sub(r"\1", text)))).split())


def read_colours(css: str) -> dict[str, str]:
    """Return the custom properties of a style sheet on light pages, which come first."""
    colours: dict[str, str] = {}
    for name, value in _PROPERTY.findall(css):
        colours.setdefault(name, value)
    return {name: _VARIABLE.sub(lambda match: colours.get(match[1], ""), value) for name, value in colours.items()}


def draw(preview: Preview, colours: Mapping[str, str]) -> bytes:
    """Draw a preview as PNG, with the words at the left of the figure; larger without one."""
    room = COLUMN if preview.figure else WIDTH - 2 * EDGE
    pieces, y = [], float(EDGE)
    for text, sizes, most, weight, colour in _entries(preview):
        size, lines = _wrap(text, room, sizes, most)
        is_badge = colour in {*BADGE_COLOURS.values(), "close"}
        if y + size * LEADING * (len(lines) + 2 * is_badge) > HEIGHT - EDGE - 30:
            break
        pieces.append(_text(lines, EDGE, y, size, font_weight=weight, fill=colours[colour]))
        y += size * LEADING * len(lines) + (4 if is_badge else 18)
    if preview.matrix:
        pieces.append(_draw_matrix(preview.matrix, y, colours))
    pieces.append(_text([patterns.SITE_NAME], EDGE, HEIGHT - EDGE - 8, 26, font_weight=700, fill=colours["ink-soft"]))
    if preview.figure:
        pieces.append(_place_figure(preview.figure, colours))
    sheet = Markup('<svg xmlns="http://www.w3.org/2000/svg" width="{}" height="{}" font-family="{}" fill="{}">{}</svg>')
    drawn = sheet.format(WIDTH, HEIGHT, FONT, colours["ink"], _join(pieces))
    png = resvg_py.svg_to_bytes(
        svg_string=drawn, font_files=FONTS, skip_system_fonts=True, background=colours["paper"], font_family=FONT
    )
    return bytes(png)


Entry = tuple[str, Sequence[int], int, int, str]
"""Text, sizes of the font to try, most lines, weight and colour."""


def _entries(preview: Preview) -> Iterator[Entry]:
    """Yield the text, from top to bottom."""
    if preview.verdict:
        yield _badge(preview.verdict, 40, "Claim: ")
    if preview.claims:
        yield preview.title, (52, 44, 38), 2, 700, "ink"
        for verdict, says in preview.claims:
            yield _badge(verdict, 26)
            yield says, (30, 26), 2, 400, "ink"
    elif preview.matrix:
        yield preview.title, (52, 44, 36), 1, 700, "ink"
    else:
        yield preview.title, (46, 40, 34) if preview.figure else (64, 56, 48), 5, 700, "ink"
        yield preview.words, (30, 27) if preview.figure else (36, 32, 28), 7, 400, "ink"


def _badge(verdict: str, size: int, label: str = "") -> Entry:
    return label + verdict, (size,), 1, 700, BADGE_COLOURS.get(verdict, "close")


def _wrap(text: str, room: float, sizes: Sequence[int], most: int) -> tuple[int, list[str]]:
    """Return the first size that needs at most *most* lines, and the lines. The last size truncates the text."""
    fitting = (size for size in sizes if len(textwrap.wrap(text, int(room / size / EM))) <= most)
    size = next(fitting, sizes[-1])
    return size, textwrap.wrap(text, int(room / size / EM), max_lines=most, placeholder=" …")


def _text(lines: Sequence[str], x: float, y: float, size: float, **looks: object) -> Markup:
    """Write lines from *y* downwards. *looks* become attributes."""
    line = Markup('<text x="{}" y="{:g}" font-size="{}"{}>{}</text>')
    written = _join(Markup(' {}="{}"').format(name.replace("_", "-"), look) for name, look in looks.items())
    return _join(
        line.format(x, y + size * (0.8 + LEADING * number), size, written, text) for number, text in enumerate(lines)
    )


def _draw_matrix(matrix: Sequence[Sequence[tuple[str, str]]], top: float, colours: Mapping[str, str]) -> Markup:
    """Draw home's matrix below *top*, over the full width."""
    (_, *questions), *rows = matrix
    wide = (WIDTH - 2 * EDGE - ROW_NAMES) / len(questions)
    start = top + 66
    high = (HEIGHT - EDGE - 50 - start) / len(rows)
    pieces = []
    for column, words in enumerate([patterns.TIMES_THE_BEST, *(question for question, _ in questions)]):
        size, lines = _wrap(words, wide - 8 if column else ROW_NAMES, (20,), 3)
        x = EDGE + ROW_NAMES + wide * (column - 0.5) if column else EDGE
        anchor = "middle" if column else "start"
        pieces.append(_text(lines, x, start - 6 - size * LEADING * len(lines), size, text_anchor=anchor))
    cell = Markup('<rect x="{:g}" y="{:g}" width="{:g}" height="{:g}" fill="{}"/>')
    for number, ((name, _), *cells) in enumerate(rows):
        y = start + high * number
        pieces.append(_text([name], EDGE, y + (high - 24) / 2, 24))
        for column, (words, colour) in enumerate(cells):
            x = EDGE + ROW_NAMES + wide * column
            pieces.append(cell.format(x + 1, y + 1, wide - 2, high - 2, colours.get(colour, colours["paper"])))
            ink = colours["ink" if colour else "ink-soft"]
            size = 22 if colour else 17
            pieces.append(_text([words], x + wide / 2, y + (high - size) / 2, size, text_anchor="middle", fill=ink))
    return _join(pieces)


def _place_figure(figure: str, colours: Mapping[str, str]) -> Markup:
    """Draw a page's figure at the right, between its title and its caption."""
    left = EDGE + COLUMN + GAP
    room = WIDTH - EDGE - left
    title, axis, caption = (match[1] if (match := each.search(figure)) else "" for each in _WORDS)
    size, above = _wrap(plain(title), room, (26,), 2)
    small, below = _wrap(plain("".join(axis.split("<br>")[1:2]) or axis or caption), room, (22, 20), 2)
    head, foot = size * LEADING * len(above) + 8, small * LEADING * len(below) + 12
    svg = _picture(figure)
    tall, top, right, _, indent = map(float, _LENGTH.findall(svg.partition(">")[0]))
    scale = min(LARGEST_WITH_AXES if 'class="tick"' in svg else LARGEST, (HEIGHT - 2 * EDGE - head - foot) / tall)
    drawn = _settle(svg, room / scale - indent - right, indent, top, colours)
    start = (HEIGHT - head - scale * tall - foot) / 2
    frame = Markup('<g transform="translate({:g} {:g}) scale({:.3f})" font-size="12">{}</g>')
    return _join(
        [
            _text(above, left, start, size, font_weight=700),
            frame.format(left, start + head, scale, drawn),
            _text(below, left, start + head + scale * tall + 12, small, fill=colours["ink-soft"]),
        ]
    )


def fits(figure: str) -> bool:
    """True if a page's figure is readable next to words: it is low, and needs no legend."""
    height = float(_LENGTH.findall(_picture(figure))[0])
    return height <= TALLEST and 'class="keys"' not in figure


def _picture(figure: str) -> str:
    """Return a figure's first picture, with the ones nested in it."""
    figure, depth = figure[figure.index('<svg class="picture" ') :], 0
    for tag in re.finditer(r"<(/?)svg\b", figure):
        depth += -1 if tag[1] else 1
        if not depth:
            return f"{figure[: tag.end()]}>"
    return figure


def _settle(svg: str, width: float, x: float, y: float, colours: Mapping[str, str]) -> Markup:
    """Convert a page's picture to pixels, with its styles as attributes."""
    root = ET.fromstring(_VARIABLE.sub(lambda match: colours.get(match[1], "#555"), svg))  # noqa: S314 - our own
    for node in root.iter():
        for name, value in [*node.items()]:
            if value.endswith("%"):
                node.set(name, f"{float(value[:-1]) * width / 100:g}")
        for name, value in {**LOOKS.get(node.tag, {}), **LOOKS.get(node.get("class", ""), {})}.items():
            node.set(name, colours.get(value, value))
        if node.tag == "path":  # drawn in a box of its own, 100 units wide
            node.set(
                "d", re.sub(r"(?<=[ML])[^ ]+", lambda match: f"{float(match[0]) * width / 100:g}", node.get("d", ""))
            )
    for mark in root.findall(".//rect[@class='mark']"):
        mark.tag, mark.attrib = "circle", {"cx": mark.get("x", ""), "cy": mark.get("y", ""), "r": "4.5"}
    for box in root.iter("svg"):
        box.tag, box.attrib = "g", {}
    root.set("transform", f"translate({x:g} {y:g})")
    return Markup(ET.tostring(root, encoding="unicode"))  # noqa: S704 - an escaped picture, parsed
