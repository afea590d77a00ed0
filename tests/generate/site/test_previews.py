"""What shared links show: a title, the finding, and a picture."""

from pathlib import Path

from factory import REFERENCE, Plan
from sample_site import BUNDLE, DOCS, letters, text_at, write_results

from generate.downloads.index import Origin
from generate.site import pipeline
from generate.site.pipeline import Site

ANSWER = """---
description: What it is about.
---

# Why?

{{ opening_picture("letters", "published", {"loop": "sync_loop", "pool": "thread_pool"}) }}

**The short answer.** A [pool](x.md) takes {{ number("letters", "published", "thread_pool") }}. And more.

"""
SIZE = (1200).to_bytes(4) + (630).to_bytes(4)


def build(tmp_path: Path, plans: dict[str, Plan], site_url: str) -> Site:
    (tmp_path / "docs/articles").mkdir(parents=True)
    (tmp_path / "docs/claims").symlink_to(DOCS / "claims")
    (tmp_path / "docs/articles/a.md").write_text(ANSWER)
    (tmp_path / "docs/index.md").write_text("# Which model?\n")
    (tmp_path / "results").mkdir()
    write_results(tmp_path / "results", plans, letters())
    options = pipeline.Options(BUNDLE, Origin(site_url), downloads=False, catalogue=letters())
    return pipeline.build(tmp_path / "results", tmp_path / "docs", options)


def test_finding_and_picture_are_the_page_s(tmp_path: Path) -> None:
    made = build(tmp_path, {"a.json": Plan(build=REFERENCE, speed={"thread_pool": 0.5})}, "https://example.org/x/")
    settings, claim = text_at(made.files, "mkdocs.yml"), text_at(made.files, "docs/claims/S1.1.html")
    assert '"og:description": "A pool takes 600 ms. And more."' in settings
    pictures = {path: content for path, content in made.files.items() if path.endswith(".png")}
    assert {content[16:24] for content in pictures.values() if isinstance(content, bytes)} == {SIZE}
    assert all(f"https://example.org/x/{path.removeprefix('docs/')}" in settings + claim for path in pictures)
    assert 'property="og:title" content="Holds: ' in claim
    assert 'url=S1.html#s1.1"' in claim


def test_missing_figures_leave_the_description(tmp_path: Path) -> None:
    made = build(tmp_path, {}, "")
    assert '"og:title": "Which model?"' in text_at(made.files, "mkdocs.yml")
    assert '"og:description": "What it is about."' in text_at(made.files, "mkdocs.yml")
    assert not [path for path in made.files if path.endswith(".png")]
    assert "og:image" not in text_at(made.files, "mkdocs.yml") + text_at(made.files, "docs/claims/S1.1.html")
