"""The kinds of charts, a module each, which generate.charts.figures finds.

A kind is called as its module is. `draw` returns the chart of a case of one result, or None if it makes none for that;
`PLACE` is its place among the charts of a case.
"""
