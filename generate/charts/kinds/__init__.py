"""The kinds of charts, a module each, which generate.charts.figures finds.

A kind is called as its module is. `draw` returns the chart of a case on a cell, or None where it is not made for that
one; `PLACE` says where it stands among the charts of a case.
"""
