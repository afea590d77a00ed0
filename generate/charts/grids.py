"""Draws the map as a table: what one model costs against the best, by how long each task computes and waits."""

from bisect import bisect_left
from collections.abc import Sequence

from markupsafe import Markup

from generate.data.estimates import AS_FAST
from generate.data.work_map import Cost, MapPoint
from generate.words import patterns
from generate.words.numbers import NEAR_ONE, count_noun, format_ratio, format_value

STEPS = (AS_FAST, 1.5, 2.0, 5.0, 20.0)
"""Times the best above which a cell or a square has the next colour."""
_JOIN = Markup("").join


def duration(duration_us: int) -> str:
    """Format microseconds: 0, 0.1 ms, 10 ms."""
    return f"{duration_us / 1_000:g} ms" if duration_us else "0"


def cost_step(cost: Cost) -> int:
    """Return a cost's colour: 1 if as fast as the best, up to 6; 0 if undecided."""
    if cost.state == "undecided":
        return 0
    return 1 if cost.is_best else 2 + bisect_left(STEPS[1:], cost.ratio)


def format_cost(cost: Cost | None) -> str:
    """Format a cost as a ratio: "1.9", "≥ 50" by arithmetic, "1.2?" if undecided. Near 1 only the state counts."""
    if cost is None:
        return patterns.NO_VALUE
    pattern = patterns.COST_BOUND if cost.is_bound else patterns.COST_OPEN if cost.state == "undecided" else "{}"
    ratio = f"{max(cost.ratio, 1):.1f}" if cost.ratio < NEAR_ONE else format_ratio(cost.ratio)
    return "1" if cost.state == "fastest" else pattern.format(ratio)


def map_picture(points: Sequence[MapPoint], runner: str, model: str, *, is_linked: bool = False) -> Markup:
    """Draw what *runner* costs at the points of one kind and number of tasks. Absent points were left out on purpose.

    If *is_linked*, each square leads to its answer on the same page.
    """
    by_place = {(each.point.compute_us, each.point.wait_us): each for each in points if each.measured}
    computing, waiting = (sorted({place[axis] for place in by_place}) for axis in (0, 1))
    rows = [
        Markup('<tr><th scope="row">{}{}').format(
            duration(compute_us),
            _JOIN(_square(by_place.get((compute_us, wait_us)), runner, is_linked=is_linked) for wait_us in waiting),
        )
        for compute_us in computing
    ]
    heads = _JOIN(Markup('<th scope="col">{}').format(duration(wait_us)) for wait_us in waiting)
    label = patterns.MAP_LABEL.format(tasks=count_noun(points[0].point.tasks, "task"), model=model)
    return Markup(
        '<table class="map__grid" data-search-exclude aria-label="{}"><thead>'
        '<tr><td><th colspan="{}" scope="colgroup">each waits<tr><th>computes{}</thead><tbody>{}</tbody></table>'
    ).format(label, len(waiting), heads, _JOIN(rows))


def _square(at: MapPoint | None, runner: str, *, is_linked: bool) -> Markup:
    """Draw a cost with the time, or the least time, that the model takes."""
    if at is None:
        return Markup("<td>")
    cost = at.cost(runner)
    time = format_value(cost.time_ns, "ns", 2) if cost else ""
    words = Markup("<b>{}</b><br>{}").format(format_cost(cost), time)
    if is_linked:
        words = Markup('<a href="#{}">{}</a>').format(at.point.key, words)
    return Markup('<td class="heat-{}">{}').format(cost_step(cost), words) if cost else Markup("<td>{}").format(words)
