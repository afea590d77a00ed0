"""Sentences and phrases with slots: every pattern that states a value, a ratio, a range or a verdict.

Plain strings, filled with `str.format`, one section a package. Numbers in slots come from `numbers.py`.
"""

# --- numbers: values, ranges, ratios ---

RANGE = "{} to {}"
WITH_RANGE = "{value} ({range})"
NO_RANGE = "one round: no range"
NOT_MEASURED = "not measured"
THE_BASELINE = "the baseline"
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

TERMINAL_RUNS = "{build}: {runs} ({profile} profile, {rounds}) on {machine}, {day}"
CUT_OFF = "{rounds}, cut off"
TERMINAL_TITLE = "{scenario}, {case}: {metric}"
TERMINAL_AGAINST = "against {}"
NO_BASELINE = "no baseline is known"
NO_RATIO = "no ratio: the baseline is 0 or has no value"
NO_REFERENCE_RATIO = "no ratio"
STATUS_WITH_REASON = "{status}: {reason}"
COMPARE_SERIES = "{runner} in {scenario}, {case}"
COMPARE_NOT = "not compared: {reason}"
COMPARE_NOT_COUNT = "  not compared ({number}): {reason}"
COMPARE_OTHER_REASONS = "for other reasons, in the tables above"
COMPARE_THROUGH_REFERENCE = "{}, through the reference build"
COMPARE_SUMMARY = "{second} against {first}: of {rows} series, {counts}"
COMPARE_DIFFERENCE = "  {way}: {series}: {comparison}"
COMPARE_MORE = "  and {} more, in the tables above"
COMPARE_OUTCOMES = {
    "faster": "{} faster",
    "better": "{} otherwise better",
    "slower": "{} slower",
    "worse": "{} otherwise worse",
    "more": "{} more",
    "less": "{} less",
    "same": "{} without a difference",
    "undecided": "{} undecided",
    "not compared": "{} not compared",
}
NOTHING_DECIDED = "Nothing here is decided: {}. Measure again."
CHECKED = "{} read, {}"
CHECKED_REJECTED = "{} read, {}; the site shows them as rejected"
LEFT_OUT = "Left out: run {run}: {reason}"

# --- claims ---

VERDICTS = {
    "holds": ("holds", "holds", "hold"),
    "does not hold": ("does not hold", "does not hold", "do not hold"),
    "undecided": ("undecided", "is undecided", "are undecided"),
    "not measured": ("not measured", "is not measured", "are not measured"),
    "does not apply": ("does not apply", "does not apply", "do not apply"),
}
"""Each without a subject, after the name of a part, and after the names of several."""
OPPOSITES = {
    "holds": ("it does not", "it does not", "they do not"),
    "does not hold": ("it does", "it does", "they do"),
}
"""The other verdict, in the same forms, after that on other builds."""
VERDICT_BY_GIL = "{verdict} with the GIL; without it, {opposite}"
VERDICT_UP_TO = "{verdict} up to {last}; from {first} {opposite}"
VERDICT_ON_RELEASE = "{verdict} on {last}; from {first} {opposite}"
VERDICT_ON_BUILDS = "{verdict} on {builds}; {opposite} on {others}"
VERDICT_ON = "{verdict} on {builds}"
VERDICT_ONLY_ON = "measured only on {builds}"
MANY_BUILDS = "{} builds"
CLAIM_PARTS = "{names} {verdict}"
PART_NAME = "“{}”"

CLAIM_ON_BUILD = "On {build}, {measured}."
CLAIM_WITHOUT_VALUE = "On {build}, {verdict}: {reason}."
CLAIM_UNDECIDED = " It decides nothing: {reason}."
INCOMPLETE_RUNS = "every run lacks a round, failed or rejected, and leaving it out would be choosing"
ONE_EXACT_RUN = "one run; exact values are judged from two"
RIGHT_AT = "right at {share} of the points at which it names a model"
CLAIM_STEPS = "{title} of {runner}, each case over the one before: {steps}"
CLAIM_VALUE = "{title} ({runner}): {value}"
CLAIM_AGAINST = "{title}: {value} ({runner}) against {other} ({baseline}); {comparison}"
SAME_PYTHON_WITH_GIL = "on the same Python with the GIL"
CLAIM_PRINTED = "{candidate} against {baseline}, {ratio}"
CLAIM_CONTRADICTED = "The source's own figures contradict it: {printed}. Judged as claimed: {expected}."
CLAIM_RUNS = "{runs} ({rounds}): {values}"
CLAIM_LOAD = "up to {share} of a core"
CLAIM_EXPECTED = "expected: {}"
COUNTED_PARTS = "Parts of claims: {}"

EXACTLY = "exactly {}"
AT_LEAST = "at least {}"
AT_MOST = "at most {}"
SIDES_OF_ONE = {True: ("faster", "slower"), False: ("less", "more")}
"""Below and above 1, by whether it is a duration."""
NO_DIFFERENCE_BEYOND = "no difference beyond {}"
GIVE_OR_TAKE = "{ratio}, give or take a factor of {times:g}"
NO_STEP_DOWN = "no step down"
NO_STEP_DOWN_BY = "no step down by more than {}"
RIGHT_AT_LEAST = "right at {} of the points or more"

# --- charts ---

# Titles of one case.
BEST = {
    "duration": "Fastest",
    "rate": "Most per second",
    "share": "Nearest to the ideal",
    "delay": "Shortest delay",
    "latency": "Lowest latency",
}
"""By kind of metric; of any other, the next two."""
HIGHEST = "Highest {metric}"
LOWEST = "Lowest {metric}"
APART_FROM = "{subject} apart from {names}"
AHEAD = "{best}: {names} ({value}), {distance}"
AHEAD_UNDECIDED = "{best}: {names}, undecided against {others} ({value}), {distance}"
DISTANCE_AS_RATIO = "{ratio} as {name}"
DISTANCE_AS_VALUE = "against {value} for {name}"
ALL_ALIKE = "All {implementations} are within 10 %: {values}"
ALL_UNDECIDED = "Undecided between {implementations}: {values}"
ONE_VALUE = "{metric}, {name}: {value}"
EVERY_VALUE = "{metric}: {values}"
VALUE_WITH = "{value} with {name}"
MANY_ALIKE = "{count} of {total} alike"
MANY_OTHERS = "{count} others"
HOVER = "{value}, {runs}"
HOVER_BUILD = "{build}: {ratio}"

# Titles of a sweep.
STAYED = "From {least} to {most} {parameter}, {name} stayed at {last}"
WENT = "From {least} to {most} {parameter}, {name} went from {first} to {last}"
WENT_UNDECIDED = "From {least} to {most} {parameter}, {name} went from {first} to {last} (undecided)"

# Titles and legends of latencies and depths.
ANSWERED_ONE = "99 of 100 requests were answered within {best} by {name} (one run)"
ANSWERED = "99 of 100 requests were answered within {best} by {name}, within {worst} by {last} (one run)"
PERCENTILES = "half within {half}, 99 of 100 within {most}"
EQUAL_DEPTHS = "No queue was fuller than another: at most {items}"
DEEPEST = "At most {items} waited in {names}"
SHALLOWER = "{items} in {names}"
EMPTY = "none after a get in {names}"
DEPTH = "at most {items}"

# Titles of builds.
BUILDS_ALIKE = "All builds are within 10 %"
BUILDS_UNDECIDED = "Undecided whether builds differ"
ON_BUILD = "On {build}, {name}: {change}"
WITHOUT_GIL = "Without the GIL, on {build}, {name}: {change}"
ON = "on {build}"
WITH_GIL = "with it"
AS_THERE = "{ratio} as {there}"
AGAINST = "{value}, against {other} {there}"
STARTED = "processes start by {method}, not {other}"
BUILT_WITH = "{compiler}, not {other}"
FRAME_POINTERS = {True: "with frame pointers", False: "without frame pointers"}
DIFFERENCE = "On {builds} more than the version differs: {difference}."
MORE_DIFFERS = "{title}; more than the version differs"

# --- pages: scenarios, tables, machines, builds, compare, data ---

PAIR = "{first} against {second}: {ratio}"
ANOTHER_RUN = "another run of “{runner}” would give {range}"
BASELINE_OF_ANOTHER_CASE = "{runner} in “{case}”"
CONTROL_DIFFERS = "{ratio}, though it is the same code"
NOT_DRAWN = "Nothing to draw: {}. To measure it: <code>{}</code>"

MEASURED_WITH = "Measured with {sources}"
SOURCE = "{build} on {machine}, {runs}"
MEASURED_IN_ONE_DAY = "{build}: {processor}, {how}, measured on {first}."
MEASURED_BETWEEN = "{build}: {processor}, {how}, measured between {first} and {last}."
BUILDS_WERE = "These Pythons: {how}"

CODE_MEASURED = "`sha256 {shown}`, the file that was measured."
CODE_OLDER_ON = " Not on {builds}: those figures are of an earlier file."
CODE_NOT_MEASURED = "`sha256 {shown}`, not measured."
CODE_CHANGED = "`sha256 {shown}`. **Changed since:** {build} measured `{measured}`."

POOLS_MADE = "{size} (made {count:,} times)"

# --- pages: home, choose, everyday, articles, claims ---

HELP = {
    "better": "help",
    "undecided": "may help",
    "not better": "do not help",
    "not measured": "were not measured",
}
RATIO_ON_BUILD = "on {build} {ratio}"
RELEASE_DIFFERS = "{versions} differs from {usual}."
RELEASES_DIFFER = "{versions} differ from {usual}."
RELEASES_ALIKE = "No other release is seen to differ from {usual}."
RELEASE_DECIDES = "How it compares with “{baseline}” depends on the release."
SAME_ANSWER = "The answer stays the same: against “{baseline}”, with {usual}, {ratio}."
OTHER_PACKAGES = "Other packages differ too: {packages}."
OTHER_PACKAGES_ON = "On {builds} packages differ too: {packages}."
BUSY_LOAD = (
    "The load generator used up to {most} of a core ({builds}): near its limit of {limit} servers look alike, so a"
    " ratio may be too near 1."
)

FASTEST_MODELS = "{models} ({time})"
ANY_MODEL = "any of {count} models: take the simplest ({time})"
AS_FAST_AS_ANY = "as fast as any"
BY_ARITHMETIC = "by arithmetic {}"

CHOOSE_FASTEST = "Fastest: {models}."
CHOOSE_ANY = "Any of these: {models}. Take the simplest."
CHOOSE_UNDECIDED = "Undecided: {why}. Lowest: {models}."
CHOOSE_PERHAPS = "Perhaps as fast: {models}."
CHOOSE_SLOWER = "Slower: {models}."
CHOOSE_TOO_SMALL = "Too small by default: {pools}."
CHOOSE_TOO_SLOW = "Too slow by arithmetic: {models}."
CHOOSE_CLIENTS = "With real HTTP clients, compared with threads: {ratios}."
CHOOSE_CLIENTS_DIFFER = "The order differs with real HTTP clients, compared with threads: {ratios}."
CHOOSE_SOCKETS = "With sockets of a local server instead of timers: {models}."
CHOOSE_NOTHING = "Not measured."
CHOOSE_LEAVES = "Not measured. Arithmetic leaves {models}."
CHOOSE_LEAST = "No model takes less than {time} on {cores}."
CHOOSE_NEARBY = "{how}: {work}: {models}, {time}"
LONGER_WAITS = "Longer waits were not measured; what a model adds to them should be much the same."
WORKS_AS = "as {model}: nothing to compute"
BOUND_IN_TURN = "at least {time}: one after the other"
BOUND_BY_POOL = "at least {time}: {room} at a time by default"
HASHES = "hash (in C, without the GIL)"
BEST_AND_PERHAPS = "{best}; perhaps {perhaps}"

HOME_PROCESSES = "Processes, against a plain loop: {ratio}."
HOME_THAN_PROCESSES = {
    "less": ", faster than processes with it.",
    "undecided": ", perhaps faster than processes with it.",
    "same": ", no faster than processes with it.",
    "more": ", no faster than processes with it.",
}
HOME_OVERLAPPING = "Threads or coroutines that await, against one request at a time: {ratio}."
HOME_BLOCKING = "Coroutines with a blocking call: {ratio}."
HOME_BURST = "Without a queue the loop stops for {time}."
HOME_WHOLE_BURST = "Without a queue the loop stops for {time}: as long as the entire burst."
HOME_QUEUE = {
    "less": "With a queue and four workers, for {time}.",
    "undecided": "With a queue and four workers: undecided.",
    "same": "With a queue and four workers: no shorter.",
    "more": "With a queue and four workers: no shorter.",
}

MAP_PICTURE = "Who is fastest for {tasks}: to the right each waits longer, downwards it computes more. {build}"

# --- downloads ---
