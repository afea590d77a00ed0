"""The site's own styles and scripts: nothing is left out, and what every page loads is small."""

from __future__ import annotations

import gzip

from generate.site.assets import ASSETS, EVERY_PAGE, assets

MOST_BYTES = {"site.css": 3_000, "site.js": 3_600}


def test_every_file_is_on_the_site_alone_or_as_a_part_of_another() -> None:
    parts = {part for of_page in EVERY_PAGE.values() for part in of_page}
    written = {path.name for path in ASSETS.iterdir()}
    assert parts <= written
    assert assets().keys() == (written - parts) | EVERY_PAGE.keys()


def test_comments_are_for_those_who_read_the_source() -> None:
    for name, content in assets().items():
        assert not isinstance(content, str) or "/*" not in content, name


def test_what_every_page_loads_is_small() -> None:
    for name, most in MOST_BYTES.items():
        content = assets()[name]
        assert isinstance(content, str)
        assert len(gzip.compress(content.encode())) <= most
