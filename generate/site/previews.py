"""What a shared link to home, an article or a claim shows: title, finding, and the page's first figure as a picture."""

import hashlib
import re
from collections.abc import Mapping

from markupsafe import Markup

from generate.claims.marks import Badge, find_badge
from generate.data.files import slug
from generate.pages.articles import find_title, front_matter
from generate.pages.home import choose_findings, read_columns
from generate.pages.pieces import SiteContext
from generate.site.preview_pictures import Preview, draw, fits, plain, read_colours
from generate.site.redirects import PAGE
from generate.words import patterns
from generate.words.names import capital

FOLDER = "assets/previews"
HOME, MOST_QUESTIONS = "index.md", 5
PAGES = (HOME, "choose.md", "versions.md", "articles/", "claims/")
LONGEST = 190
"""Letters of a finding."""
BADGES = {**{badge: badge.value for badge in Badge}, Badge.HALF: "holds in part"}

TAG, CARD = Markup('<meta property="{}" content="{}">\n'), Markup('<meta name="twitter:card" content="{}">\n')

_join = Markup("").join
_SHORT_ANSWER = re.compile(r"\*\*The short answer\.\*\*(.+?)\n\s*\n", re.DOTALL)
_FIGURE = re.compile(
    r'(?:<h[23][^>]*>[^<]*</h[23]>)?<figure(?:(?!</figure>).)*?<svg class="picture" .*?</figure>', re.DOTALL
)
_SENTENCE = re.compile(r".+?[.?!](?=\s|$)")


def read_previews(pages: Mapping[str, object], context: SiteContext) -> dict[str, Preview]:
    """Return the previews by page. Each claim has a page of its own, such as claims/W3.2.html."""
    texts = {page: text for page, text in pages.items() if isinstance(text, str) and page.endswith(".md")}
    previews = {page: _read_page(page, text) for page, text in texts.items() if page.startswith(PAGES)}
    if HOME in previews:
        previews[HOME] = _read_home(context, previews[HOME])
    board = context.board
    for source in board.claims.sources:
        verdicts = {claim: BADGES[find_badge(board.best_row(claim))] for claim in board.claims_from(source)}
        for claim, verdict in verdicts.items():
            words = board.summary(claim) or capital(verdict)
            previews[f"claims/{claim.id}.html"] = Preview(claim.says, words, verdict=verdict)
        page = f"claims/{source}.md"
        if len(verdicts) == 1:
            previews[page] = previews[f"claims/{claim.id}.html"]
        elif verdicts and page in previews:
            words = "; ".join(f"{claim.id}: {verdict}" for claim, verdict in verdicts.items())
            claims = tuple((verdict, claim.says) for claim, verdict in verdicts.items())
            previews[page] = previews[page]._replace(words=words, figure="", claims=claims)
    return previews


def _read_page(page: str, text: str) -> Preview:
    """Read a page's Markdown. The finding is its short answer, or its description if a value is missing there."""
    answer, words = _SHORT_ANSWER.search(text), ""
    for sentence in _SENTENCE.findall(plain(answer[1])) if answer else ():
        if words and len(words) + len(sentence) > LONGEST:
            break
        words += sentence
    if not words or patterns.NOT_MEASURED in words:
        words = str(front_matter(text, page).get("description", ""))
    figure = next((each for each in _FIGURE.findall(text) if fits(each)), "")
    return Preview(plain(find_title(text)) or patterns.SITE_NAME, words, figure)


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


def picture_path(preview: Preview) -> str:
    """Return the path of a picture below docs/. It changes with the preview, since others keep copies of pictures."""
    return f"{FOLDER}/{hashlib.sha256(repr(preview).encode()).hexdigest()[:12]}.png"


def head(preview: Preview, site_url: str) -> dict[str, str]:
    """Return the facts of a page's head. `og:image` has to be absolute: without the site's address there is none."""
    image = {"og:image": site_url + picture_path(preview)} if site_url else {}
    verdict = preview.verdict and f"{capital(preview.verdict)}: "
    return {"og:title": f"{verdict}{preview.title}", "og:description": preview.words, **image}


def claim_pages(previews: Mapping[str, Preview], site_url: str) -> dict[str, str]:
    """Return a page for each claim: an address to share, which leads to the claim on the page of its source."""
    made: dict[str, str] = {}
    for page, preview in previews.items():
        if page.endswith(".html"):
            address = {"og:url": site_url + page} if site_url else {}
            facts = {"og:type": "article", "og:site_name": patterns.SITE_NAME, **address, **head(preview, site_url)}
            claim = page.removeprefix("claims/").removesuffix(".html")
            url = f"{claim.partition('.')[0]}.html#{slug(claim)}"
            card = CARD.format("summary_large_image" if site_url else "summary")
            tags = _join([*(TAG.format(*fact) for fact in facts.items()), card])
            made[page] = PAGE.format(url=url, title=preview.title, head=tags)
    return made


def draw_previews(previews: Mapping[str, Preview], css: str) -> dict[str, bytes]:
    """Return the pictures by path, in the colours of a style sheet."""
    colours = read_colours(css)
    return {picture_path(preview): draw(preview, colours) for preview in {*previews.values()}}
