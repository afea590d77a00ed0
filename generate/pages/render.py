"""Renders the hand-written pages. A mistake in one is reported with its file and line."""

from __future__ import annotations

import traceback
from typing import TYPE_CHECKING

from jinja2 import Environment, FileSystemLoader, StrictUndefined, TemplateError

from generate.pages.article_functions import functions
from generate.pages.claim_functions import source_page
from generate.pages.templates import compiled
from runners.harness.errors import UserError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from generate.pages.context import SiteContext

COPIED = {".svg", ".png", ".jpg", ".webp", ".css", ".js"}
"""Suffixes of files that are copied as they are."""


class PageError(UserError):
    """A hand-written page asks for what does not exist."""


def render(context: SiteContext, docs: Path) -> dict[str, str | Path]:
    """Return every page and picture below *docs* by path, with a page for each source that has none there.

    Raises PageError with the file and line.
    """
    environment = _environment(docs)
    pages: dict[str, str | Path] = {
        f"claims/{source}.md": source_page(context, source)
        for source in context.board.claims.sources
        if not (docs / f"claims/{source}.md").exists()
    }
    for path in sorted(docs.rglob("*")):
        name = path.relative_to(docs).as_posix()
        if path.suffix == ".md":
            pages[name] = _render(environment, functions(context, name), name, docs)
        elif path.suffix in COPIED:
            pages[name] = path
    return pages


def _environment(docs: Path) -> Environment:
    return Environment(
        loader=FileSystemLoader(docs),
        autoescape=True,
        undefined=StrictUndefined,
        keep_trailing_newline=True,
        bytecode_cache=compiled(),
        auto_reload=False,
    )


def _render(environment: Environment, functions: Mapping[str, Callable[..., object]], name: str, docs: Path) -> str:
    try:
        return environment.get_template(name).render(functions)
    except (TemplateError, UserError, TypeError) as error:
        frames = traceback.extract_tb(error.__traceback__)  # Jinja puts the line of the page into it
        lines = [0, *(frame.lineno or 0 for frame in frames if frame.filename == str(docs / name))]
        msg = f"{docs.name}/{name}:{lines[-1]}: {error.message if isinstance(error, TemplateError) else error}"
        raise PageError(msg) from error
