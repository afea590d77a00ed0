"""The kinds of charts, a module each, which generate.charts.chart finds by name.

`draw` returns the chart of a case of one result, or None if it makes none for that; `PLACE` is its place among the
charts of a case. What a pointer that rests on a point is shown is the `hover` of its row or line.
"""
