"""Sentences and phrases with slots: every pattern that states a value, a ratio, a range or a verdict.

Plain strings, filled with `str.format`, one section a package. Numbers in slots come from `numbers.py`.
"""

SITE_NAME = "Python Concurrency, Remeasured"

TIMES_THE_BEST = "Times the best model of each question"

# --- numbers: values, ranges, ratios ---

RANGE = "{} to {}"
BETWEEN = "between {} and {}"
WITH_RANGE = "{value} ({range})"
NO_RANGE = "one round: no range"
NOT_MEASURED = "not measured"
NOT_COMPARED = "not compared"
NO_VALUE = "no value"
BEYOND_MEASURE = "beyond measure"
EXACTLY = "exactly {}"
AT_LEAST = "at least {}"
AT_MOST = "at most {}"
WITHIN = "within {}"
UNDECIDED = "undecided"
NO_DIFFERENCE = "no difference"
THE_BASELINE = "the baseline"

TAKES = "takes "
TIMES_AS_LONG = "{} times as long"
TIMES_AS_FAST = "{} times as fast"
TIMES_THE = "{{}} times the {}"
TIMES_AS_MANY_PER_SECOND = "{} times as many per second"
TIMES_AS_MANY = "{} times as many"
TIMES_AS_MUCH = "{} times as much"
LOWER = "lower by a factor of {}"
FEWER = "fewer by a factor of {}"
LESS = "less by a factor of {}"

# --- names: statuses, machines, builds ---

STATUSES = {
    "ok": "measured",
    "partial": "measured in part",
    "unsupported": "not supported",
    "timed_out": "ran out of time",
    "not_reached": "not reached",
    "wrong_answers": "answers differ from the loop's",
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

# --- claims: verdicts ---

VERDICTS = {
    "holds": ("holds", "holds", "hold"),
    "does not hold": ("does not hold", "does not hold", "do not hold"),
    "undecided": ("undecided", "is undecided", "are undecided"),
    "not measured": ("not measured", "is not measured", "are not measured"),
    "does not apply": ("does not apply", "does not apply", "do not apply"),
}
"""Without a subject, after the name of one part, and after the names of several."""
OPPOSITES = {
    "holds": ("it does not", "it does not", "they do not"),
    "does not hold": ("it does", "it does", "they do"),
}
"""The opposite verdict in the same forms, after the verdict on other builds."""
VERDICT_BY_GIL = "{verdict} with the GIL; without it, {opposite}"
VERDICT_UP_TO = "{verdict} up to {last}; from {first} {opposite}"
VERDICT_ON_BUILDS = "{verdict} on {builds}; {opposite} on {others}"
VERDICT_ON = "{verdict} on {builds}"
VERDICT_ONLY_ON = "measured only on {builds}"
MANY_BUILDS = "{} builds"
MORE_PARTS = "{} more"
COUNTED_PARTS = "Parts of claims: {}"
CLAIMS_COUNTED = "{claims} about Python concurrency: {counts}"

VERDICTS_CHANGED = "From Python {older} to {newer}, {changed} of the verdicts changed ({parts} decided on both):"
NO_VERDICT_CHANGED = "From Python {older} to {newer}, no decided verdict changed ({parts} decided on both)."

# What a claim expects.
CLAIM_EXPECTED = "expected: {}"
SIDES_OF_ONE = {True: ("faster", "slower"), False: ("less", "more")}
"""Below and above 1, by whether it is a duration."""
NO_DIFFERENCE_BEYOND = "no difference beyond {}"
RATIO_GIVE_OR_TAKE = "{ratio}, give or take a factor of {times:g}"
NO_STEP_DOWN_BY = "no step down by more than {}"
RULE_RIGHT_FOR_AT_LEAST = "right for at least {} of the points"

# What was measured for a claim.
CLAIM_ON_BUILD = "On {build}, {measured}."
CLAIM_AGAINST = "{title}: {value} ({runner}) against {other} ({baseline}); {comparison}"
BASELINE_BUILDS = {
    "gil_twin": "on the same Python with the GIL",
    "no_jit": "with its just-in-time compiler off",
    "previous": "on the release before",
}
CLAIM_STEPS = "{title} of {runner}, each case against the one before: {steps}"
CLAIM_VALUE = "{title} ({runner}): {value}"
RULE_RIGHT_FOR = "right for {share} of the points for which it names a model"
CLAIM_UNDECIDED = " It decides nothing: {reason}."
INCOMPLETE_RUNS = "every run has a failed or rejected round, and to leave those out would bias the result"
ONE_EXACT_RUN = "one run, and exact values are judged from two"
CLAIM_WITHOUT_VALUE = "On {build}, {verdict}: {reason}."
CLAIM_PRINTED = "{candidate} against {baseline}, {ratio}"
CLAIM_CONTRADICTED = "The source's own figures contradict it: {printed}. Judged as claimed: {expected}."
CLAIM_RUNS = "{values} ({runs}, {rounds})"
CLAIM_IN_SHORT = "expected {expected}; measured {measured}"

# --- terminal: show, compare, check ---

TERMINAL_RUNS = "{build}: {runs} ({profile} profile, {rounds}) on {machine}, {day}"
ROUNDS_CUT_OFF = "{rounds}, cut off"
TERMINAL_TITLE = "{scenario}, {case}: {metric}"
TERMINAL_AGAINST = "against {}"
NO_BASELINE = "no baseline is known"
NO_RATIO = "no ratio: the baseline is 0 or has no value"
NO_REFERENCE_RATIO = "no ratio"
TERMINAL_BEST = "{case}: {runners} {value}, {words}"
TERMINAL_AS_GOOD = "{} and {} more"
TERMINAL_BUILD = "{build}: {counts}"
TERMINAL_MORE = "and {} more scenarios: see the tables"
COMPARE_SERIES = "{runner} in {scenario}, {case}"
COMPARE_NOT = "not compared: {reason}"
COMPARE_THROUGH_REFERENCE = "{}, through the reference build"
COMPARE_SUMMARY = "{second} against {first}: of {rows} series, {counts}"
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
COMPARE_MORE = "  and {} more, in the tables above"
COMPARE_NOT_COUNT = "  not compared ({number}): {reason}"
NOTHING_DECIDED = "Nothing here is decided: {}. Measure again."
RUN_LEFT_OUT = "Left out: run {run}: {reason}"
FILES_CHECKED = "{} read, {}"
FILES_CHECKED_REJECTED = "{} read, {}; the site shows them as rejected"
FILE_BREAKS = "it can't be used, though it is valid: {}"
REPORT_FILE = "report this as a fault of the project, with the file"

# --- charts ---

# Titles of one case, and the caption.
TITLE_BEST = {
    "duration": "Fastest",
    "rate": "Most per second",
    "share": "Nearest to the ideal",
    "delay": "Shortest delay",
    "latency": "Lowest latency",
}
"""By kind of metric. For any other kind, the next two."""
TITLE_HIGHEST = "Highest {metric}"
TITLE_LOWEST = "Lowest {metric}"
TITLE_APART_FROM = "{subject} apart from {names}"
TITLE_AHEAD = "{best}: {names}"
AHEAD_BY = "{values}, {distance}"
TITLE_UNDECIDED_AGAINST = "{title}; undecided against {others}"
DISTANCE_AS_RATIO = "{ratio} as {name}"
DISTANCE_AS_VALUE = "against {value} for {name}"
TITLE_ALL_ALIKE = "Within 10 % of each other: {implementations}"
TITLE_ALL_UNDECIDED = "Undecided between {implementations}"
TITLE_EVERY_VALUE = "{metric}: {values}"
TITLE_VALUE_WITH = "{value} ({name})"
BARS_CAPTION = "{implementations}. The line across is the range of the long-run value, each dot a run."
BARS_CAPTION_IDEAL = "The dotted line is the ideal."
BARS_CAPTION_TIED = "The line at the right joins the best and all within 10 % of it."
BARS_CAPTION_MISSING = "No value: {names}."

# Titles and captions of curves over the number in which cases differ.
CURVE_ENOUGH = "{name}: {amount} is enough"
CURVE_ARE_ENOUGH = "{name}: {amount} are enough"
CURVE_MOST = "{name}: best with {amount}, the most that was measured"
CURVE_TOO_MANY = "{title}, {amount} too many"
CURVE_ALIKE = "{name}: no difference from {least} to {most}"
CURVE_UNDECIDED = "{name}: undecided from {least} to {most}"
CURVE_ENDS = "{name}: {first}, {last}"
CURVE_VALUE = "{value} with {amount}"
CURVE_OTHER = "with {amount}: {ratio}"
CURVE_UNDECIDED_AT = "undecided: {}"
CURVE_CAPTION = "Each point is an estimate with its range. Dotted lines are usual choices."

# Pictures of articles: rows over several cases, and ratios with and without the GIL.
LADDER_HELPS = "Best fix: {best} ({first} → {last})"
LADDER_UNDECIDED = "Undecided which fix is best"
LADDER_AGAINST = "{case}, against {worst}"
LADDER_TIED = "{}; as good, or undecided: {}"
SPEED_UPS_TITLE = {
    True: "With the GIL, {gain} of {count} gain, {lose} lose",
    False: "Without the GIL, {gain} of {count} gain, {lose} lose",
}
SPEED_UPS_UNDECIDED = "{title}, {count} undecided"
SPEED_UPS_VALUES = "Most: {most} with {best}; least: {least} with {worst}"
SPEED_UPS_LIMIT = "{values}; {limit}: {reach}"
SPEED_UPS_CAPTION = "The dotted lines: no gain, and {limit}."
TOGETHER_TITLE = "{count} at once: {least} as {best}, {most} as {worst}"
TOGETHER_WITHOUT_GIL = "Without the GIL: {most} as {worst}"
TOGETHER_VALUES = "{metric}, times {count}"
CURVE_GROWS = "{metric}: {times} times as much from {least} to {most}"
CURVE_FIRST_LINE = "{name}: {first} with {least}, {last} with {most}"
CURVE_LEFT_OUT = "Not at every point: {names}."

# Pictures of a series on every build.
VERSION_OUTCOMES = {
    "duration": {"less": "faster", "more": "slower", "same": "as fast", "undecided": UNDECIDED},
    "memory": {"less": "less", "more": "more", "same": "as much", "undecided": UNDECIDED},
    "rate": {"less": "fewer", "more": "more", "same": "as many", "undecided": UNDECIDED},
    "delay": {"less": "shorter", "more": "longer", "same": "as long", "undecided": UNDECIDED},
    "latency": {"less": "shorter", "more": "longer", "same": "as long", "undecided": UNDECIDED},
}
"""What a change did to a metric, by its kind. For any other kind, the next."""
VERSION_OTHER = {"less": "lower", "more": "higher", "same": "the same", "undecided": UNDECIDED}
VERSION_MIXED = "mixed"
VERSION_CHANGES = {"GIL": "without the GIL", "JIT": "with the JIT"}
VERSION_SINCE = "since {}"
VERSION_TITLE = "{}: {}"
VERSION_AGAINST = "{} against {}: {}"
VERSION_THAN = "{} than {}"
VERSION_BESIDE = "{}, against {}"
VERSION_ON = "{} on {}"
VERSION_WORK = "{scenario}: {runner}, {case}"
VERSION_VALUES = "{metric} ({unit})"
VERSION_TIMES = "{metric}, times that of {other}"

# Titles, legends and captions of latencies and queues.
LATENCIES_WITHIN = "99 of 100 requests were answered within {times} (one run)"
LATENCIES_BY = "{time} by {name}"
LATENCIES_PERCENTILES = "half within {half}, 99 of 100 within {most}"
LATENCIES_CAPTION = "Share of requests that were answered within a time, over all rounds of the run of {day}."
QUEUES_FULLEST = "Most items waiting after a get: {depths}"
QUEUES_DEPTH = "{items} in {name}"
QUEUES_CAPTION = "Depth as the items were taken, in the first round of the run of {day}."

# Titles and captions of builds, and what differs between them.
TITLE_BUILDS_ALIKE = "All builds are within 10 %"
TITLE_BUILDS_UNDECIDED = "Builds compared: undecided"
TITLE_BUILD_DIFFERS = {
    True: "{name} gains most on {build}",
    False: "{name} loses most on {build}",
}
TITLE_BUILD_CHANGES = "{name} changes most on {build}"
"""Of a metric that is neither better nor worse."""
BUILD_BY = "{ratio}, against {reference}"
MORE_DIFFERS = "{values}; more than the version differs"
BUILDS_VALUES_SPEED = "Times as fast as on {reference}"
BUILDS_VALUES = "{metric}: ratio to {reference}"
BUILDS_VALUES_BETTER = "{values}; above 1 is better"
BUILDS_CAPTION = (
    "Each point is a ratio to {reference} in the same runs, with its range and a dot a run. The line is 1, no change; "
    "numbers are next to ratios that differ from it."
)
BUILDS_CAPTION_MOST = "Drawn are the {count} that differ most; the table has all."
MORE_DIFFERS_ON_BUILDS = "Also different on {builds}: {difference}."
OTHER_START_METHOD = "processes start by {method}, not {other}"
OTHER_COMPILER = "{compiler}, not {other}"
FRAME_POINTERS = {True: "with frame pointers", False: "without frame pointers"}

# --- pages: scenarios, tables, builds, machines ---

MODEL_AGAINST_MODEL = "{first} against {second}: {ratio}"
ANOTHER_RUN_WOULD_GIVE = "another run of “{runner}” would give {range}"
BASELINE_OF_ANOTHER_CASE = "{runner} in “{case}”"
IN_CASE = "in “{}”"
CONTROL_DIFFERS = "{ratio}, though it is the same code"
NOT_DRAWN = "Nothing to draw: {}. To measure it: <code>{}</code>"

MEASURED_WITH = "Measured with {sources}"
MEASURED_ON_MACHINE = "{build} on {machine}, {runs}"
MEASURED_IN_ONE_DAY = "{build}: {processor}, {how}, measured on {first}."
MEASURED_BETWEEN = "{build}: {processor}, {how}, measured between {first} and {last}."

FREE_BUILD = "Without the GIL, this is {build}."
FREE_BUILD_IS_OLD = "Without the GIL, this is {build}; not measured here: {newer}."
NO_FREE_BUILD = "Nothing here was measured without the GIL."

CODE_MEASURED = "`sha256 {shown}`, the file that was measured."
CODE_OLDER_ON = " The figures for {builds} are from an earlier file."
CODE_NOT_MEASURED = "`sha256 {shown}`, not measured."
CODE_CHANGED = "`sha256 {shown}`. **Changed since:** {build} measured `{measured}`."

# --- pages: articles, everyday, sources ---

MODELS_HELP = {
    "better": "help",
    "undecided": "may help",
    "not better": "do not help",
    "not measured": "were not measured",
}

# --- pages: the map of work, Choose ---

AS_FAST = "as fast"
AS_FAST_AS_ANY = "as fast as any"
RATIO_BY_ARITHMETIC = "by arithmetic {}"
COST_BOUND = "≥ {}"
COST_OPEN = "{}?"
MAP_HABIT = "Within {limit:g} times the best in {within} of {count} squares, above it in {above}; {undecided} undecided"
MAP_LABEL = "{tasks}: what {model} costs, by how long each computes and waits"

CHOOSE_FASTEST = "Fastest: {models}."
CHOOSE_ANY = "Any of these: {models}. Take the simplest."
CHOOSE_UNDECIDED = "Undecided: {why}. Lowest: {models}."
CHOOSE_PERHAPS = "Perhaps as fast: {models}."
CHOOSE_SLOWER = "Times as long: {models}."
CHOOSE_MORE_MEMORY = "{} more"
CHOOSE_LESS_MEMORY = "{} less"
CHOOSE_BLOCKS = "By total time: other tasks on the event loop may wait {} or longer."
AT_LEAST_IN_TURN = "at least {time}: one after the other"
AT_LEAST_BY_POOL = "at least {time}: {room} at a time by default"
CHOOSE_NOTHING = "Not measured."
CHOOSE_LEAVES = "Not measured. Arithmetic leaves {models}."
CHOOSE_LEAST = "No model takes less than {time} on {cores}."
CHOOSE_NEAR = "Measured, with {how}: "
RULE_SHARES = "Right at {percent}\u00a0% of its points, on {maps}."
WORKS_LIKE_MODEL = "like {model}: nothing to compute"

# --- pages: home ---

HOME_BEST = "best: {}"
HOME_AS_GOOD = "{} ="
HOME_WITHIN = "within {} of the best"
HOME_UNDECIDED = "{}?"
HOME_AT_LEAST = "≥ {}"
HOME_BOUND = "by arithmetic"
HOME_ANOTHER_PYTHON = "{}*"
HOME_VALUE_ON = "{value} on {build}"
HOME_NO_RATIO = "no ratio"
HOME_OTHER_RUNS = "not measured in the same runs as the best"

# --- a function of your own: terminal and page ---

OWN_MODELS = {
    "loop": "plain loop",
    "threads": "{} threads",
    "to_thread": "to_thread ({} at once)",
    "gather": "gather ({} at once)",
    "taskgroup": "TaskGroup ({} at once)",
    "trio": "trio ({} at once)",
    "uvloop": "uvloop ({} at once)",
    "greenlets": "{} greenlets",
    "loops_in_threads": "{} loops in threads",
    "processes_fork": "{} processes (fork)",
    "processes_forkserver": "{} processes (forkserver)",
    "processes_spawn": "{} processes (spawn)",
    "interpreters": "{} interpreters",
    "service": "{} requests/s",
}
OWN_MODEL_ON = "{model} on {build}"
OWN_HEADS = (
    ("time", "speed", "range", "CPU", "memory", ""),
    ("answered", "median", "99 of 100", "failed"),
    ("predicted",),
)
"""Of measured models, rates of a service, and predictions."""
OWN_NOISE = "noise ±{}"
OWN_NOISY = "the loop differs from itself by up to {}"
OWN_ITEM = "An item computes for {compute} and waits for {wait}."
OWN_HOLDS_GIL = "In threads, {} of the computing did not run in parallel: it holds the GIL or another lock."
OWN_FREE = "Threads can run its computing in parallel."
OWN_BLOCKS = "It blocks its event loop for {} of that: a call in it isn't awaited."
OWN_PICKLES = "Pickled, an item is {} and its answer {}; pickling and unpickling takes {}."
OWN_DOES_NOT_PICKLE = "The function, an item or an answer can't be pickled."
OWN_STARTS = "A new process takes {} to start and import your function, the second time {}."
OWN_SAME = "no diff."
OWN_SLOWER = "slower"
OWN_MARKS = {"best": "best", "as fast": "tied", "perhaps": "maybe", "slower": ""}
OWN_TAKE = "Take {model}: {ratio}, compared with a plain loop."
OWN_TAKE_FASTEST = "Take the {model}: no other model is clearly faster."
OWN_UNDECIDED = "No clear winner: {model} may be fastest. Measure again with a longer --budget."
OWN_UNCERTAIN = "Measure again on an idle machine: {}."
OWN_PREDICTED = "By arithmetic, take {model}: {time}. Nothing was measured."
OWN_COST = "A pass takes {cpu} of processor time and {memory} of memory; a plain loop {loop_cpu} and {loop_memory}."
OWN_LOOP_COST = "A pass takes {cpu} of processor time and {memory} of memory."
OWN_START = "Starting and ending its workers takes {} of its {}."
OWN_OVERLOADED = "It keeps up with none of these rates: try a lower --rate."
OWN_SERVICE = "Highest rate that it keeps up with: {}, 99 of 100 answered within {}."
OWN_NOTHING = "Nothing was measured."
OWN_WRONG = " ({} of {})"
OWN_NOT_RUN = "{models} did not run: {reason}"
OWN_FAILURES = {
    "wrong_answers": "{models} gave wrong answers: {reason}. It is a race if overlapping calls share state.",
    "partial": "{models} did not run in every round: {reason}",
}
OWN_NEAREST = (
    "The nearest work on the published map: {}, each computing {:g} ms and waiting {:g} ms. Fastest there, coroutines "
    "included: {}."
)
OWN_BARS = "Time of one pass over the items in this run; lower is better"
OWN_CURVES = "Time of one pass ({}); lower is better"
OWN_SIZES = "Size of the pool"
