"""Renders the hand-written pages, and what they fetch when a reader chooses a machine and a build.

What is wrong in one is reported with its file and line.
"""

from __future__ import annotations

import re
import traceback
from itertools import chain
from typing import TYPE_CHECKING

from jinja2 import Environment, FileSystemLoader, StrictUndefined, TemplateError

from generate.articles.claim_functions import source_page
from generate.articles.functions import functions
from generate.articles.pieces import FOLDERS, OF_BUILD, OF_MACHINE, Pieces, numbered, unplaced
from generate.pages import choices
from generate.pages.templates import compiled, fragment, root_of
from runners.harness.errors import UserError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

    from generate.analysis.selection import Host
    from generate.pages.context import SiteContext

COPIED = {".svg", ".png", ".jpg", ".webp", ".css", ".js"}
"""What lies beside the pages and goes to the site as it is."""
_TITLE = re.compile(r"^# .+$", re.MULTILINE)


class PageError(UserError):
    """A hand-written page asks for what does not exist."""


def render(context: SiteContext, docs: Path) -> dict[str, str | Path]:
    """Return every page and picture below *docs* by its path, and a page for each source that has none there.

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
            pages[name] = _page(environment, context, name, docs)
        elif path.suffix in COPIED:
            pages[name] = path
    return pages


def fetched(context: SiteContext, alone: SiteContext, host: Host, docs: Path) -> Iterator[tuple[str, str]]:
    """Go through what the articles fetch of one machine, path and JSON.

    *alone* is the site as if there were no other machine.
    """
    environment, offered = _environment(docs), choices.offered(context.site)
    chosen = {
        build: choices.of_build(alone, build)
        for machine in offered
        if machine.host == host
        for build in machine.builds
        if build != machine.first
    }
    is_own = bool(offered) and host == offered[0].host

    def said(name: str, shown: SiteContext, *wanted: Mapping[str, str]) -> Pieces:
        pieces = Pieces()
        asked = unplaced(functions(shown, name), pieces, {*chain.from_iterable(wanted)})
        _render(environment, asked, name, docs)
        return pieces

    for path in sorted(path for folder in FOLDERS for path in (docs / folder).glob("*.md")):
        name = path.relative_to(docs).as_posix()
        own = said(name, context, OF_BUILD) if is_own else said(name, alone, OF_BUILD, OF_MACHINE)
        by_build = {build: said(name, of_build, OF_BUILD) for build, of_build in chosen.items()}
        as_it_comes = own if is_own else said(name, context)
        if {len(each.said) for each in (own, *by_build.values())} != {len(as_it_comes.said)}:
            msg = (
                f"{docs.name}/{name}: it branches or loops by what was measured, so it can't follow a choice of builds"
            )
            raise PageError(msg)
        if (by_build and own.of_any_build) or (own.said and not is_own):
            given = {} if is_own else own.unlike()
            unlike = {build: pieces.unlike(own) for build, pieces in by_build.items()}
            yield choices.path(host, name.removesuffix(".md")), choices.encoded(given, unlike)


def _environment(docs: Path) -> Environment:
    return Environment(
        loader=FileSystemLoader(docs),
        autoescape=True,
        undefined=StrictUndefined,
        keep_trailing_newline=True,
        bytecode_cache=compiled(),
        auto_reload=False,
    )


def _page(environment: Environment, context: SiteContext, name: str, docs: Path) -> str:
    """Return a page; where it speaks of builds and follows a choice of them, with the form below its title."""
    of_page = functions(context, name)
    if not name.startswith(FOLDERS):
        return _render(environment, of_page, name, docs)
    pieces = Pieces()
    text = _render(environment, numbered(of_page, pieces), name, docs)
    machines = choices.offered(context.site)
    has_builds = pieces.of_any_build and any(len(machine.builds) > 1 for machine in machines)
    if not has_builds and not (pieces.said and len(machines) > 1):
        return text
    facts = {"machines": machines, "page": name.removesuffix(".md"), "families": [], "root": root_of(name)}
    form = fragment("page_filters.html", machine_name=context.site.machine_name, **facts)
    return _TITLE.sub(lambda title: f"{title[0]}\n\n{form}", text, count=1)


def _render(environment: Environment, functions: Mapping[str, Callable[..., object]], name: str, docs: Path) -> str:
    try:
        return environment.get_template(name).render(functions)
    except (TemplateError, UserError, TypeError) as error:
        frames = traceback.extract_tb(error.__traceback__)  # Jinja puts the line of the page into it
        lines = [0, *(frame.lineno or 0 for frame in frames if frame.filename == str(docs / name))]
        msg = f"{docs.name}/{name}:{lines[-1]}: {error.message if isinstance(error, TemplateError) else error}"
        raise PageError(msg) from error
