"""Which machine, build and runs something was measured on. Pure."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from markupsafe import Markup

from generate.words.builds import describe_build, describe_optimisation
from generate.words.machines import add_article, format_ownership
from generate.words.names import list_names_briefly, strip_markup
from generate.words.numbers import count_noun

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from generate.data.selection import Result, ResultKey


def measured_on(cells: Iterable[Result], root: str) -> Markup:
    """Return the foot of an answer that several results give: one line, which opens to the rest."""
    by_cell: dict[ResultKey, list[Result]] = defaultdict(list)
    for each in cells:
        by_cell[each.key].append(each)
    if not by_cell:
        return Markup('<p class="note">Not measured yet.</p>')
    return Markup(
        '<details class="more measured" data-search-exclude><summary>{}</summary>\n<p class="note">{} '
        "A range in brackets holds the long-run value 95 times in 100. "
        '<a href="{}method.html">How sure is a number?</a></p>\n</details>'
    ).format(
        f"Measured with {'; '.join(map(_in_brief, by_cell.values()))}",
        " ".join(map(_in_full, by_cell.values())),
        root,
    )


def _in_brief(alike: Sequence[Result]) -> str:
    """Write "CPython 3.14.7 on a 2-core AMD cloud VM, 8 to 11 runs" of results of one machine and build."""
    first, counts = alike[0], sorted({len(each.runs) for each in alike})
    runs = f"{counts[0]} to {counts[-1]:,} runs" if len(counts) > 1 else count_noun(counts[0], "run")
    machine = f"{add_article(strip_markup(first.machine_name))}{format_ownership(first.machine, first.key.local)}"
    return f"{describe_build(first.build)} on {machine}, {runs}"


def _in_full(alike: Sequence[Result]) -> str:
    first = alike[0]
    days = sorted(run.file.record.run.started[:10] for each in alike for run in each.runs)
    when = f"on {days[0]}" if days[0] == days[-1] else f"between {days[0]} and {days[-1]}"
    how = describe_optimisation(first.record.build)
    return f"{describe_build(first.build)}: {strip_markup(first.record.machine.cpu)}, {how}, measured {when}."


def how_they_were_built(cells: Iterable[Result]) -> str:
    """Return a sentence on how the builds of *cells* were optimised, the commonest way first; empty without any."""
    by_way: dict[str, list[str]] = defaultdict(list)
    for cell in {cell.build: cell for cell in sorted(cells, key=lambda cell: cell.order)}.values():
        by_way[describe_optimisation(cell.record.build)].append(describe_build(cell.build))
    if not by_way:
        return ""
    common = max(by_way, key=lambda way: len(by_way[way]))
    others = [f"{list_names_briefly(names)}: {way}" for way, names in by_way.items() if way != common]
    return "; ".join([f"These Pythons: {common}", *others]) + "."
