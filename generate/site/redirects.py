"""Redirects from old addresses: of pages that moved, and of machines and maps without a processor in theirs."""

import json
from collections.abc import Container, Mapping

from markupsafe import Markup

from generate.data.files import slug
from generate.data.results import Results

CHOOSE = "choose.md"
MOVED = {
    "articles/choosing-by-the-map.md": CHOOSE,
    "articles/the-gil-and-free-threading.md": "versions.md",
    "articles/which-model-for-which-work.md": CHOOSE,
}
SECTIONS: Mapping[str, Mapping[str, str]] = {
    "articles/choosing-by-the-map.md": {"#how-many-threads": "articles/how-many-threads.md"},
    "articles/which-model-for-which-work.md": {
        "#the-gil-beside-threads-that-compute-and-threads-that-wait": "versions.md",
    },
}
"""Sections that moved to another page than theirs did."""
PAGE = Markup(
    """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>{title}</title>
<meta name="robots" content="noindex">
<meta http-equiv="refresh" content="0; url={url}">
{head}</head>
<body><p><a href="{url}">{title}</a></p></body>
</html>
"""
)
SCRIPT = Markup(
    "<script>location.replace({sections}[location.hash] ?? {url} + location.search + location.hash)</script>\n"
)
"""Keeps query and anchor. Without it the page still redirects."""


def redirects(site: Results, pages: Container[str]) -> dict[str, str]:
    """Return a redirect for each old address without a page. A label leads to its first machine."""
    targets = {old: new for old, new in MOVED.items() if new in pages}
    for result in (result for result in site.results if not result.key.local):
        label, build = slug(result.machine), slug(result.build)
        targets.setdefault(f"machines/{label}.md", result.machine_page)
        targets.setdefault(f"machines/{label}/{build}.md", result.page)
        targets.setdefault(f"choose/{label}/{build}.md", result.map_page if result.map_page in pages else CHOOSE)
    return {_html(old): _page(old, new, pages) for old, new in targets.items() if old not in pages}


def _page(old: str, new: str, pages: Container[str]) -> str:
    root = "../" * old.count("/")
    sections = {name: f"{root}{_html(page)}" for name, page in SECTIONS.get(old, {}).items() if page in pages}
    url = f"{root}{_html(new)}"
    script = SCRIPT.format(sections=_script(sections), url=_script(url))
    return PAGE.format(url=url, title="This page has moved", head=script)


def _script(value: str | Mapping[str, str]) -> Markup:
    return Markup(json.dumps(value).replace("<", "\\u003c"))  # noqa: S704 - escaped for a script by that


def _html(page: str) -> str:
    return f"{page.removesuffix('.md')}.html"
