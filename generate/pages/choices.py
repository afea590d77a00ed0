"""What pages fetch when a reader chooses a machine and a build. They come with what is current. Pure.

A piece is an element with a `data-piece`: its content follows the choice. A file a machine and page has the pieces of
that machine (none where the page comes with them), and for each other build of it those that differ.
"""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from generate.charts.figures import draw
from generate.words.names import strip_markup

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from generate.data.selection import MachineKey
    from generate.pages.context import SiteContext

FOLDER = "assets/machines"
"""Where what is fetched lies below docs/: a folder a machine."""


def path(host: MachineKey, page: str) -> str:
    """Return where what a page fetches of a machine lies below docs/."""
    return f"{FOLDER}/{host.key}/{page}.json"


def encoded(pieces: Mapping[str, str], builds: Mapping[str, Mapping[str, str]] | None = None) -> str:
    """Return what a page fetches of a machine: HTML by piece, and by build that of the pieces that differ."""
    by_build = {
        strip_markup(build): of_build for build, of_build in (builds or {}).items()
    }  # as forms have their names
    return as_json({"pieces": pieces, "builds": by_build})


def as_json(content: Mapping[str, object]) -> str:
    """Return JSON without spaces."""
    return json.dumps(content, separators=(",", ":"), ensure_ascii=False)


def machines(context: SiteContext) -> Iterator[tuple[MachineKey, SiteContext]]:
    """Go through the machines, each with the site as if there were no other: its results, its board, its charts."""
    for host in dict.fromkeys(cell.machine_key for cell in context.site.cells()):
        site = context.site.on_machine(host)
        measured = [name for name, cells in site.current.items() if cells]
        own = {name for name in measured if context.site.machine_keys(name)[0] == host}
        drawn = draw(site, [name for name in measured if name not in own])
        charts = {key: of_case for key, of_case in context.charts.items() if key[0] in own}
        charts |= {
            key: [replace(chart, path=f"{FOLDER}/{host.key}/{chart.path.rpartition('/')[2]}") for chart in of_case]
            for key, of_case in drawn.items()
        }
        yield host, replace(context, site=site, board=context.board.only_on(host), charts=charts)


class OfferedMachine(NamedTuple):
    """A machine that the form of a page offers."""

    host: MachineKey
    builds: list[str]
    """By name, in order."""
    first: str
    """The build that the page shows first."""
