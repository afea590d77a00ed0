"""Sentences and phrases with slots: every pattern that states a value, a ratio, a range or a verdict.

Plain strings, filled with `str.format`, one section a package. Numbers in slots come from `numbers.py`.
"""

# --- numbers: values, ranges, ratios ---

RANGE = "{} to {}"
WITH_RANGE = "{value} ({range})"
NO_RANGE = "one round: no range"
NOT_MEASURED = "not measured"
UNDECIDED = "undecided"
NO_DIFFERENCE = "no difference"
WITHIN = "within {}"
BEYOND_MEASURE = "beyond measure"

TIMES_AS_FAST = "{} times as fast"
TIMES_AS_LONG = "{} times as long"
TAKES = "takes "
TIMES_THE = "{{}} times the {}"
TIMES_AS_MANY_PER_SECOND = "{} times as many per second"
TIMES_AS_MANY = "{} times as many"
TIMES_AS_MUCH = "{} times as much"
LOWER = "lower by a factor of {}"
FEWER = "fewer by a factor of {}"
LESS = "less by a factor of {}"

# --- names of statuses and builds ---

STATUSES = {
    "ok": "measured",
    "partial": "measured in part",
    "unsupported": "not supported",
    "timed_out": "ran out of time",
    "not_reached": "not reached",
}
"""By status of a record's series; other statuses are words already."""
OWN_MACHINE = " (this machine)"
CONTRIBUTED = " (contributed)"
OPTIMISED = {
    (True, True): "built with PGO and LTO",
    (True, False): "built with PGO, without LTO",
    (False, True): "built with LTO, without PGO",
    (False, False): "built without PGO and LTO",
}
"""By whether PGO is on, and LTO."""
OPTIMISATION_UNKNOWN = "optimisation not known"

# --- terminal: show, compare, check ---

# --- claims ---

# --- charts ---

# --- pages: scenarios, tables, machines, builds, compare, data ---

# --- pages: home, choose, everyday, articles, claims ---

# --- downloads ---
