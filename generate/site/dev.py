"""`make dev`: serve the site, and render again what an edit changes. The results are read once and kept in memory."""

from __future__ import annotations

import gc
import os
from typing import TYPE_CHECKING

import click
from mkdocs.commands.build import build as build_html
from mkdocs.config import load_config
from mkdocs.livereload import LiveReloadServer

from generate.options import DOCS, OUT, RESULTS
from generate.pages import templates
from generate.site.pipeline import ASSETS, OVERRIDES, Options, make_context, render_fetched, render_pages
from generate.site.plotly_js import find_bundle
from generate.site.write import SITE_FILE, put, write
from runners.harness.catalogue.scenarios import ROOT
from runners.harness.errors import UserError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from generate.pages.pieces import SiteContext
    from generate.site.write import Content


class Preview:
    """The site as it was last rendered."""

    def __init__(self, results: Path, docs: Path, out: Path) -> None:
        """Read the results and build every page once."""
        self._docs, self._out = docs, out
        self._options = Options(find_bundle(ROOT / ".cache"), downloads=False)
        self._context: SiteContext = make_context(results, docs, self._options)
        self._files: Mapping[str, Content] = render_pages(self._context, docs, self._options)
        write(out, {**self._files, **render_fetched(self._context)}, docs)
        self._build_html(only_changed=False)

    def refresh(self) -> None:
        """Render all pages again, which takes two seconds, and rebuild those whose text changed."""
        templates.environment.cache_clear()
        try:
            files = render_pages(self._context, self._docs, self._options)
        except UserError as error:
            click.echo(f"{error}", err=True)
            return
        for path, content in files.items():
            if content != self._files.get(path) or path.startswith("docs/assets/"):
                put(self._out / path, content)
        self._files = files
        self._build_html(only_changed=True)

    def _build_html(self, *, only_changed: bool) -> None:
        build_html(load_config(str(self._out / SITE_FILE), strict=False), dirty=only_changed)


@click.command()
@RESULTS
@OUT
@DOCS
@click.option("--port", default=8000)
def dev(results: Path, out: Path, docs: Path, port: int) -> None:
    """Serve the pages on this machine, and show edits of pages, templates, styles and scripts within seconds."""
    os.environ["NO_MKDOCS_2_WARNING"] = "1"
    preview = Preview(results, docs, out)
    gc.enable()  # only a command that ends soon goes without it
    server = LiveReloadServer(preview.refresh, "127.0.0.1", port, str(out / "site"))
    for folder in (docs, templates.TEMPLATES, ASSETS, OVERRIDES):
        server.watch(str(folder))
    click.echo(
        f"http://127.0.0.1:{port}/ (Ctrl-C ends it; start again after a change to Python code, claims or results)"
    )
    server.serve()  # type: ignore[no-untyped-call]
