"""A small figure of a series on many builds: a line with the GIL, others apart, and a word for a missing value."""

import math
from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby
from typing import NamedTuple

from generate.charts.lines import LETTER
from generate.charts.scale import Scale, drawn_range, number_axis, short
from generate.charts.svg import LINE_HEIGHT
from generate.charts.traces import Figure, Trace, figure, marks, whiskers, words
from generate.data.estimates import Estimate

HEIGHT = 160
APART = 0.4
"""Gap between groups, in places."""
WORD_AT = 0.03
"""Lower end of a word, as a share of the axis."""


class Place(NamedTuple):
    """A build's place on the axis."""

    name: str
    """In several lines."""
    group: str
    """Which line it is on: gil, free or jit. The style sheet has its colour and mark."""
    value: Estimate | None
    why: str = ""
    """Why it has no value."""


def version_figure(places: Sequence[Place], size: float) -> Figure:
    """Draw values from zero over *places*, which are sorted by group. The axis is in a unit of this *size*."""
    known = [each.value for each in places if each.value]
    ends = [end for each in known for end in drawn_range(each)]
    scale = Scale.for_values([each.value for each in known], ends, log_from=math.inf)
    step = scale.ticks()[1]
    scale = replace(scale, high=step * math.ceil(scale.high / step))  # the last tick is above all
    groups = list(dict.fromkeys(each.group for each in places))
    at = [number + 0.5 + APART * groups.index(each.group) for number, each in enumerate(places)]
    traces: list[Trace] = []
    for (group, has_value), members in groupby(
        zip(at, places, strict=True), key=lambda each: (each[1].group, each[1].value is not None)
    ):
        along = [*members]
        if has_value:
            traces.append(_line(group, [(x, each.value) for x, each in along if each.value]))
        else:
            gap = {"meta": {"family": "gap"}}
            traces += ({**words(x, scale.value_at(WORD_AT), each.why), **gap} for x, each in along)
    up = number_axis("", scale, size)
    names = [each.name.replace("\n", "<br>") for each in places]
    lines = 1 + max(name.count("<br>") for name in names)
    left = 12 + LETTER * max(len(name) for name in up["ticktext"])
    across = {"title": {"text": ""}, "range": [0, at[-1] + 0.5], "tickvals": at, "ticktext": names}
    margin = {"l": left, "r": 8, "t": 8, "b": 8 + LINE_HEIGHT * lines}
    return figure(traces, HEIGHT, {"margin": margin, "xaxis": across, "yaxis": up})


def _line(group: str, points: Sequence[tuple[float, Estimate]]) -> Trace:
    """Join neighbouring builds of a group: a build without a value interrupts its line."""
    own = f"var(--build-{group})"
    trace = marks(group, [x for x, _ in points], [short(each.value) for _, each in points], own)
    line = {"color": own, "width": 2, "dash": "solid"}
    return {**trace, "mode": "lines+markers", "line": line, "error_y": whiskers([each for _, each in points])}
