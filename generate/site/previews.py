"""What a link to home, an article or a claim shows where it is shared: title, finding, and a picture of 1200 by 630.

The picture has the page's own first figure. resvg draws it, in a font that comes with a package.
"""

import hashlib
import html
import math
import re
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from importlib.resources import files
from typing import NamedTuple
from xml.etree import ElementTree as ET

import resvg_py
from markupsafe import Markup

from generate.claims.board import Board
from generate.claims.marks import Badge, find_badge
from generate.claims.model import Claim
from generate.claims.sentences import describe_in_short
from generate.data.files import slug
from generate.pages.articles import front_matter
from generate.pages.home import choose_findings, read_columns
from generate.pages.pieces import SiteContext
from generate.site.families_css import SHAPES
from generate.words import patterns
from runners.harness.catalogue.family_colours import FAMILIES

FOLDER = "assets/previews"
HOME, MOST_QUESTIONS, ROW_NAMES = "index.md", 5, 260
PAGES = (HOME, "choose.md", "versions.md", "articles/", "claims/")
LONGEST = 190
"""Letters of a finding."""
WIDTH, HEIGHT, EDGE, COLUMN, GAP = 1200, 630, 56, 430, 48
"""In pixels: the picture, its margin, the words at the left of a figure, and the space between them."""
LARGEST, LARGEST_WITH_AXES = 2.5, 2.0
"""How far a figure is enlarged at most: a preview is often shown half as wide."""
TALLEST, MARK, KEY_HEIGHT = 300, 9, 17
"""In pixels of a page: a figure that is still readable when it fits, its marks, and a line of its legend."""
EM, LEADING = 0.47, 1.22
"""Mean width of a letter, and the distance of lines, as shares of the size of the font."""
FONT = "Source Sans Pro"
FONTS = [str(files("font_source_sans_pro") / f"files/SourceSansPro-{weight}.ttf") for weight in ("Regular", "Bold")]
FIGURE_WORDS = (("(?:chart__title|<h[23])", "(?:p|h[23])"), ("chart__axis", "p"), ("<figcaption", "figcaption"))
LOOKS = {
    "text": {"paint-order": "stroke", "stroke": "paper", "stroke-width": "6"},
    "circle": {"r": "2", "stroke": "ink-soft"},
    "path": {"fill": "none"},
    "tick": {"fill": "ink-soft"},
    "grid": {"stroke": "rule"},
    "range": {"stroke": "ink", "stroke-width": "1.5"},
}
"""What the style sheet gives to the elements and classes of a figure."""
BADGES = {**{badge: badge.value for badge in Badge}, Badge.HALF: "holds in part"}
BADGE_COLOURS = {"holds": "holds", "refuted": "not", "holds in part": "caution"}

CLAIM_PAGE = Markup(
    """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>{title}</title>
{tags}<meta name="twitter:card" content="{card}">
<meta name="robots" content="noindex">
<meta http-equiv="refresh" content="0; url={url}">
</head>
<body><p><a href="{url}">{title}</a></p></body>
</html>
"""
)

_join = Markup("").join
_SHORT_ANSWER = re.compile(r"\*\*The short answer\.\*\*(.+?)\n\s*\n", re.DOTALL)
_TITLE = re.compile(r"^# (.+?)(?: \{:.*)?$", re.MULTILINE)
_FIGURE = re.compile(
    r'(?:<h[23][^>]*>[^<]*</h[23]>)?<figure(?:(?!</figure>).)*?<svg class="picture" .*?</figure>', re.DOTALL
)
_LINK, _TAG, _EMPHASIS = re.compile(r"\[([^\]]+)\]\([^)]*\)"), re.compile(r"<[^>]+>"), re.compile(r"\*\*|`|\\(?=\W)")
_SENTENCE = re.compile(r".+?[.?!](?=\s+[A-Z0-9“]|$)")
_WORDS = [re.compile(rf"{start}[^>]*>(.*?)</{end}>", re.DOTALL) for start, end in FIGURE_WORDS]
_LENGTH, _KEY = re.compile(r"([\d.]+)px"), re.compile(r"<li>(.*?)</li>", re.DOTALL)
_PROPERTY, _VARIABLE = re.compile(r"--([\w-]+): ([^;}]+);"), re.compile(r"var\(--([\w-]+)\)")


class Preview(NamedTuple):
    title: str
    words: str
    """The finding, in one or two sentences."""
    figure: str = ""
    """The first figure of the page, as HTML; empty without any."""
    verdict: str = ""
    """On the title, if that is a claim, as on its badge."""
    claims: tuple[tuple[str, str], ...] = ()
    """Those of a source, each with its verdict."""
    matrix: tuple[tuple[tuple[str, str], ...], ...] = ()
    """Rows of words with their colours, below a row of questions: that of home."""


def read_previews(pages: Mapping[str, object], context: SiteContext) -> dict[str, Preview]:
    """Return the previews of home, Choose, articles, sources and claims, by page. Claims have claims/W3.2.html."""
    texts = {page: text for page, text in pages.items() if isinstance(text, str) and page.endswith(".md")}
    previews = {page: _read_page(page, text) for page, text in texts.items() if page.startswith(PAGES)}
    if HOME in previews:
        previews[HOME] = _read_home(context, previews[HOME])
    board = context.board
    for source in board.claims.sources:
        verdicts = {claim: BADGES[find_badge(board.best_row(claim))] for claim in board.claims_from(source)}
        for claim, verdict in verdicts.items():
            previews[f"claims/{claim.id}.html"] = Preview(claim.says, _describe(board, claim), verdict=verdict)
        page = f"claims/{source}.md"
        if len(verdicts) == 1:
            previews[page] = previews[f"claims/{claim.id}.html"]
        elif verdicts and page in previews:
            words = "; ".join(f"{claim.id}: {verdict}" for claim, verdict in verdicts.items())
            claims = tuple((verdict, claim.says) for claim, verdict in verdicts.items())
            previews[page] = previews[page]._replace(words=words, figure="", claims=claims)
    return previews


def _read_page(page: str, text: str) -> Preview:
    """Read a page's Markdown. Its description is the finding if it has no short answer, or one with a missing value."""
    title, answer, words = _TITLE.search(text), _SHORT_ANSWER.search(text), ""
    for sentence in _SENTENCE.findall(_plain(answer[1])) if answer else ():
        if words and len(words) + len(sentence) > LONGEST:
            break
        words += sentence
    if not words or patterns.NOT_MEASURED in words:
        words = str(front_matter(text, page).get("description", ""))
    figure = next((each for each in _FIGURE.findall(text) if _measure(each)[0] <= TALLEST), "")
    return Preview(_plain(title[1]) if title else patterns.SITE_NAME, words, figure)


def _read_home(context: SiteContext, page: Preview) -> Preview:
    """Return the first questions of home's matrix, and the titles of its findings."""
    rows, columns = context.home.row, read_columns(context)
    shown = [column for column in columns.values() if column.values][:MOST_QUESTIONS]
    findings = [each.title for each in choose_findings(columns, context.home.finding)]
    cells = zip(*(column.cells(rows) for column in shown), strict=True)
    matrix = [
        ((row.name, ""), *((cell.text, f"heat-{cell.step}" if cell.times else "") for cell in each))
        for row, each in zip(rows.values(), cells, strict=False)
    ]
    heads = ("", ""), *((column.question.title, "") for column in shown)
    words = ". ".join([*findings, ""]).strip() or page.words
    return page._replace(words=words, figure="", matrix=(heads, *matrix) if matrix else ())


def _plain(text: str) -> str:
    """Return the words of Markdown or HTML."""
    return " ".join(html.unescape(_EMPHASIS.sub("", _TAG.sub("", _LINK.sub(r"\1", text)))).split())


def _describe(board: Board, claim: Claim) -> str:
    """Return the answer to a claim, and what was expected and measured for the first of its parts."""
    findings = filter(None, map(board.finding, board.parts[claim.id]))
    measured = next(filter(None, map(describe_in_short, findings)), "")
    answer = board.answer(claim.id) or patterns.NOT_MEASURED
    return " ".join(f"{each[0].upper()}{each[1:]}." for each in (answer, measured) if each)


def picture_path(preview: Preview) -> str:
    """Return the path of a picture below docs/. It changes with the preview, since others keep copies of pictures."""
    return f"{FOLDER}/{hashlib.sha256(repr(preview).encode()).hexdigest()[:12]}.png"


def head(preview: Preview, site_url: str) -> dict[str, str]:
    """Return the facts of a page's head. `og:image` has to be absolute: without the site's address there is none."""
    image = {"og:image": site_url + picture_path(preview)} if site_url else {}
    verdict = preview.verdict and f"{preview.verdict[0].upper()}{preview.verdict[1:]}: "
    return {"og:title": f"{verdict}{preview.title}", "og:description": preview.words, **image}


def claim_pages(previews: Mapping[str, Preview], site_url: str) -> dict[str, str]:
    """Return a page for each claim: an address to share, which leads to the claim on the page of its source."""
    made: dict[str, str] = {}
    for page, preview in previews.items():
        if page.endswith(".html"):
            address = {"og:url": site_url + page} if site_url else {}
            facts = {"og:type": "article", "og:site_name": patterns.SITE_NAME, **address, **head(preview, site_url)}
            claim = page.removeprefix("claims/").removesuffix(".html")
            made[page] = CLAIM_PAGE.format(
                url=f"{claim.partition('.')[0]}.html#{slug(claim)}",
                title=preview.title,
                tags=_join(Markup('<meta property="{}" content="{}">\n').format(*fact) for fact in facts.items()),
                card="summary_large_image" if site_url else "summary",
            )
    return made


def read_colours(css: str) -> dict[str, str]:
    """Return the custom properties of a style sheet on light pages, which come first."""
    colours: dict[str, str] = {}
    for name, value in _PROPERTY.findall(css):
        colours.setdefault(name, value)
    return {name: _VARIABLE.sub(lambda found: colours.get(found[1], ""), value) for name, value in colours.items()}


def draw_previews(previews: Mapping[str, Preview], css: str) -> dict[str, bytes]:
    """Return the pictures by path, in the colours of a style sheet."""
    colours = read_colours(css)
    return {picture_path(preview): draw(preview, colours) for preview in {*previews.values()}}


def draw(preview: Preview, colours: Mapping[str, str]) -> bytes:
    """Draw a preview as PNG: the words at the left of the figure, or larger without a figure."""
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
    """Yield what is written, from top to bottom."""
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
    """Return the first size in which a text has at most *most* lines, and the lines. The last size cuts it."""
    fitting = (size for size in sizes if len(textwrap.wrap(text, int(room / size / EM))) <= most)
    size = next(fitting, sizes[-1])
    return size, textwrap.wrap(text, int(room / size / EM), max_lines=most, placeholder=" …")


def _text(lines: Sequence[str], x: float, y: float, size: float, **looks: object) -> Markup:
    """Write lines, the first below *y*. *looks* are attributes."""
    line = Markup('<text x="{}" y="{:g}" font-size="{}"{}>{}</text>')
    written = _join(Markup(' {}="{}"').format(name.replace("_", "-"), look) for name, look in looks.items())
    return _join(
        line.format(x, y + size * (0.8 + LEADING * number), size, written, text) for number, text in enumerate(lines)
    )


def _draw_matrix(matrix: Sequence[Sequence[tuple[str, str]]], top: float, colours: Mapping[str, str]) -> Markup:
    """Draw home's matrix over the full width, from *top* down."""
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
    """Draw a page's figure at the right, below its title and above its caption, in the middle of the height."""
    left = EDGE + COLUMN + GAP
    room = WIDTH - EDGE - left
    title, axis, caption = (found[1] if (found := each.search(figure)) else "" for each in _WORDS)
    size, above = _wrap(_plain(title), room, (26,), 2)
    small, below = _wrap(_plain("".join(axis.split("<br>")[1:2]) or axis or caption), room, (22, 20), 2)
    head, foot = size * LEADING * len(above) + 8, small * LEADING * len(below) + 12
    svg, legend = _picture(figure), [each.rpartition("</svg>") for each in _KEY.findall(figure)]
    tall, height, top, right, indent = _measure(figure)
    scale = min(LARGEST_WITH_AXES if 'class="tick"' in svg else LARGEST, (HEIGHT - 2 * EDGE - head - foot) / tall)
    drawn = [_settle(svg, room / scale - indent - right, indent, top, colours)]
    for number, (line, end, name) in enumerate(legend):
        y = height + KEY_HEIGHT * number
        drawn += [_settle(line + end, 28, 0, y, colours), _text([_plain(name).partition(": ")[0]], 36, y, 12)]
    start = (HEIGHT - head - scale * tall - foot) / 2
    frame = Markup('<g transform="translate({:g} {:g}) scale({:.3f})" font-size="12">{}</g>')
    return _join(
        [
            _text(above, left, start, size, font_weight=700),
            frame.format(left, start + head, scale, _join(drawn)),
            _text(below, left, start + head + scale * tall + 12, small, fill=colours["ink-soft"]),
        ]
    )


def _measure(figure: str) -> tuple[float, float, float, float, float]:
    """Return a figure's height, that of its picture without the legend, and the padding: top, right and left."""
    height, top, right, _, left = map(float, _LENGTH.findall(_picture(figure).partition(">")[0]))
    return height + KEY_HEIGHT * len(_KEY.findall(figure)), height, top, right, left


def _picture(figure: str) -> str:
    """Return the first picture in a figure, which may have others in it."""
    figure, depth = figure[figure.index('<svg class="picture" ') :], 0
    for tag in re.finditer(r"<(/?)svg\b", figure):
        depth += -1 if tag[1] else 1
        if not depth:
            return f"{figure[: tag.end()]}>"
    return figure


def _settle(svg: str, width: float, x: float, y: float, colours: Mapping[str, str]) -> Markup:
    """Draw a picture of a page in pixels, with the looks that the style sheet gives it there."""
    root = ET.fromstring(_VARIABLE.sub(lambda found: colours.get(found[1], "#555"), svg))  # noqa: S314 - our own
    for node in root.iter():
        for name, value in [*node.items()]:
            if value.endswith("%"):
                node.set(name, f"{float(value[:-1]) * width / 100:g}")
        for name, value in {**LOOKS.get(node.tag, {}), **LOOKS.get(node.get("class", ""), {})}.items():
            node.set(name, colours.get(value, value))
        if node.tag == "path":  # drawn in a box of its own, 100 units wide
            node.set(
                "d", re.sub(r"(?<=[ML])[^ ]+", lambda found: f"{float(found[0]) * width / 100:g}", node.get("d", ""))
            )
    for group in root.iter("g"):
        family = group.get("class", "").removeprefix("family-")
        for mark in group.findall("rect[@class='mark']"):
            place = f"translate({mark.get('x')} {mark.get('y')})"
            mark.tag, mark.attrib = "path", {"d": _outline(family), "transform": place}
    for box in root.iter("svg"):
        box.tag, box.attrib = "g", {}
    root.set("transform", f"translate({x:g} {y:g})")
    return Markup(ET.tostring(root, encoding="unicode"))  # noqa: S704 - an escaped picture, parsed


def _outline(family: str) -> str:
    """Return the path of a family's mark around 0, from its shape in CSS."""
    shape = SHAPES[FAMILIES[family].symbol if family in FAMILIES else "circle"]
    numbers = [*map(float, re.findall(r"[\d.]+", shape))]
    points = [*zip(numbers[::2], numbers[1::2], strict=False)]
    if shape.startswith("circle"):
        turns = (2 * math.pi * each / 24 for each in range(24))
        points = [(50 + numbers[0] * math.cos(turn), 50 + numbers[0] * math.sin(turn)) for turn in turns]
    if shape.startswith("inset"):
        low, high = numbers[0], 100 - numbers[0]
        points = [(low, low), (high, low), (high, high), (low, high)]
    return "M" + "L".join(f"{(x - 50) * MARK / 100:.2f} {(y - 50) * MARK / 100:.2f}" for x, y in points) + "Z"
