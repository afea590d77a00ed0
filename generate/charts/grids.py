"""The picture of the map, a table: who is fastest, by how long each task computes and waits."""

from collections.abc import Iterable, Mapping, Sequence

from markupsafe import Markup

from generate.data.work_map import MapPoint, family_at
from generate.words.numbers import count_noun, format_estimate

SHORT = {"sync": "loop", "interpreters": "interpret."}
"""Names of families that fit a square."""
_JOIN = Markup("").join


def duration(duration_us: int) -> str:
    """Format microseconds: 0, 0.1 ms, 10 ms."""
    return f"{duration_us / 1_000:g} ms" if duration_us else "0"


def map_picture(points: Sequence[MapPoint], families: Mapping[str, str]) -> Markup:
    """Draw the points of one kind and number of tasks; *families* by model. Absent points were left out on purpose."""
    by_place = {(each.point.compute_us, each.point.wait_us): each for each in points}
    computing, waiting = (sorted({place[axis] for place in by_place}) for axis in (0, 1))
    rows = [
        Markup('<tr><th scope="row">{}{}').format(
            duration(compute_us),
            _JOIN(_square(by_place.get((compute_us, wait_us)), families) for wait_us in waiting),
        )
        for compute_us in computing
    ]
    heads = _JOIN(Markup('<th scope="col">{}').format(duration(wait_us)) for wait_us in waiting)
    label = f"{count_noun(points[0].point.tasks, 'task')}: who is fastest, by how long each computes and waits"
    return Markup(
        '<table class="map__grid" data-search-exclude aria-label="{}"><thead>'
        '<tr><td><th colspan="{}" scope="colgroup">each waits<tr><th>computes{}</thead><tbody>{}</tbody></table>'
    ).format(label, len(waiting), heads, _JOIN(rows))


def _square(point: MapPoint | None, families: Mapping[str, str]) -> Markup:
    """Draw the family of the fastest, its time, and which others may be as fast."""
    if point is None or not point.measured:
        return Markup("<td>")
    first, *others = point.families(families)
    perhaps = "undecided" if point.is_undecided else _others(others)
    looks = f"family-{first} {'undecided' if point.is_undecided else 'tie' if others else 'clear'}"
    return Markup('<td class="{}" title="{}"><b>{}</b><br>{}<br>{}').format(
        looks,
        describe_hover(point, families),
        SHORT.get(first, first),
        format_estimate(point.measured[0].estimate, "ns"),
        perhaps,
    )


def _others(names: Sequence[str]) -> str:
    """Name another family that may be as fast, or how many there are."""
    if len(names) > 1:
        return f"or {len(names)} others"
    return f"or {SHORT.get(names[0], names[0])}" if names else ""


def describe_hover(point: MapPoint, families: Mapping[str, str]) -> str:
    def list_named(models: Iterable[str]) -> str:
        return ", ".join(f"{each.replace('_', ' ')} ({family_at(point.point, each, families)})" for each in models)

    place = f"computes {duration(point.point.compute_us)}, waits {duration(point.point.wait_us)}"
    perhaps = f"; perhaps as fast: {list_named(point.undecided)}" if point.undecided else ""
    return f"{place}: {list_named(point.best)}, {format_estimate(point.measured[0].estimate, 'ns')}{perhaps}"
