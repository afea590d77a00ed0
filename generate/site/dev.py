"""`make dev`: serve the site, and rebuild the pages that an edit changes. Results are read once and kept in memory."""

import gc
import os
from pathlib import Path

import click
from mkdocs.commands.build import build as build_html
from mkdocs.config import load_config
from mkdocs.livereload import LiveReloadServer
from mkdocs.structure.nav import Navigation
from mkdocs.structure.pages import Page

from generate.options import DOCS, OUT, RESULTS
from generate.pages import templates
from generate.site.pipeline import ASSETS, OVERRIDES, Options, make_context, render_fetched, render_pages
from generate.site.plotly_js import find_bundle
from generate.site.write import SITE_FILE, as_bytes, put, write
from runners.harness.catalogue.scenarios import ROOT
from runners.harness.errors import UserError


class Titles:
    """Names the pages that MkDocs does not read again, for its navigation."""

    def __init__(self) -> None:
        self._titles: dict[str, str | None] = {}

    def on_nav(self, nav: Navigation, **_others: object) -> None:
        """Set the titles of unchanged pages before any page is rendered."""
        for page in nav.pages:
            if not page.file.is_modified():
                page.title = self._titles.get(page.file.src_uri)

    def on_page_content(self, _html: str, *, page: Page, **_others: object) -> None:
        """Remember the title of a page that was just read."""
        self._titles[page.file.src_uri] = page.title


class Preview:
    """The site as last rendered."""

    def __init__(self, results: Path, docs: Path, out: Path, options: Options) -> None:
        self._docs, self._out, self._options = docs, out, options
        self._context = make_context(results, docs, options)
        self._titles = Titles()
        self._files = self._render()

    def build(self) -> None:
        write(self._out, self._files, self._docs)
        self._build_html(only_changed=False)

    def refresh(self) -> None:
        """Render all pages, which takes three seconds, and build those that changed."""
        try:
            rendered = self._render()
        except UserError as error:
            click.echo(f"{error}", err=True)
            return
        before, self._files = self._files, rendered
        changed = {path for path in {*before, *rendered} if before.get(path) != rendered.get(path)}
        if any(not path.startswith("docs/") for path in changed):  # the theme, or the navigation after a new page
            self.build()
            return
        for path in changed:
            put(self._out / path, rendered[path])
        self._build_html(only_changed=True)

    def _render(self) -> dict[str, bytes]:
        templates.environment.cache_clear()
        files = {**render_pages(self._context, self._docs, self._options), **render_fetched(self._context)}
        return {path: as_bytes(content) for path, content in files.items()}

    def _build_html(self, *, only_changed: bool) -> None:
        config = load_config(str(self._out / SITE_FILE), strict=False)
        config.plugins.events["nav"].append(self._titles.on_nav)
        config.plugins.events["page_content"].append(self._titles.on_page_content)
        config.plugins.on_startup(command="serve", dirty=only_changed)
        if only_changed:  # the search keeps the old text of edited pages: indexing takes nearly as long as building
            search = config.plugins["material/search"]
            config.plugins.events["page_context"].remove(search.on_page_context)
            config.plugins.events["post_build"].remove(search.on_post_build)
        build_html(config, dirty=only_changed)


@click.command()
@RESULTS
@OUT
@DOCS
@click.option("--port", default=8000)
def dev(results: Path, out: Path, docs: Path, port: int) -> None:
    """Serve the pages on this machine, and show edits of pages, templates, styles and scripts within seconds."""
    os.environ["NO_MKDOCS_2_WARNING"] = "1"
    preview = Preview(results, docs, out, Options(find_bundle(ROOT / ".cache"), downloads=False))
    preview.build()
    gc.enable()  # only commands that end soon do without it
    server = LiveReloadServer(preview.refresh, "127.0.0.1", port, str(out / "site"))
    for folder in (docs, templates.TEMPLATES, ASSETS, OVERRIDES):
        server.watch(str(folder))
    click.echo(
        f"http://127.0.0.1:{port}/ (Ctrl-C ends it; start again after a change to Python code, claims or results)"
    )
    server.serve()  # type: ignore[no-untyped-call]
