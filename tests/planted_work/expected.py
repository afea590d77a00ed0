"""The model expected to be best for each planted function, written down before anything was measured.

Two cores, CPython up to 3.13 with the GIL, only the standard library. The reasons calculate with c and w (what one of n
items computes and waits), s = 0.1 s to start two processes (0.02 s with fork), 20 µs to hand an item to a thread,
100 µs to hand it to a process, and 1 ms to pickle, send and unpickle 1 MB of bytes (20 ms for 100,000 objects).
The models of one family differ in size or library only: a pool of threads and asyncio.to_thread, gather and TaskGroup.
"""

from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).parent


@dataclass(frozen=True)
class Planted:
    """A function, its items, and the family of models expected to be best.

    `also` names families within 1.1 of the best by arithmetic: either is right. `named` is what the report must name.
    """

    work: str
    items: str
    best: str
    reason: str
    also: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    status: int = 0
    named: str = ""


COMPUTES = "holds the GIL: n·c in threads, n·c/2 + s in two processes"
WAITS = "waits without the GIL: n·w in a loop, n·w/2 in two processes, about w with a thread for each call"
PICKLES = "pickling both ways costs more than c, and the GIL leaves threads the time of the loop"
TINY = "c is below 1 µs, and handing an item over costs 20 µs or more"
FREE = "the C call releases the GIL: n·c/2 in two threads, n·c/2 + s in two processes; the simpler of equals is taken"
AWAITS = "awaits: n·w one after the other, about w when gathered; more loops have nothing to add to that"


def in_file(  # noqa: PLR0913, PLR0917 - a row of the table below
    file: str, items: str, best: str, reason: str, functions: str, also: tuple[str, ...] = ()
) -> list[Planted]:
    """Return the planted functions of a file that share all but their name."""
    return [Planted(f"{file}.py:{name}", f"{file}.py:{items}", best, reason, also) for name in functions.split()]


def racy(name: str, best: str, reason: str) -> Planted:
    reset = ("--reset", "racy.py:reset") if name == "draw_ticket" else ()
    return Planted(f"racy.py:{name}", "racy.py:numbers", best, reason, (), reset, 5, "wrong answers")


PLANTED = [
    *in_file("computing", "seeds", "processes", COMPUTES, "count_primes encode_json multiply_big_numbers"),
    *in_file("computing", "tables", "processes", f"{COMPUTES}; 100 kB pickle in 0.1 ms of some 10", "parse_csv"),
    *in_file("computing", "pairs_of_texts", "processes", COMPUTES, "edit_distance"),
    *in_file("waiting", "numbers", "threads", WAITS, "sleep_20ms sleep_3ms select_nothing receive_nothing run_sleep"),
    *in_file("mixed", "numbers", "threads", "c = 0.3, w = 10 ms: threads 0.3n, processes 5.2n", "mostly_wait"),
    *in_file("mixed", "numbers", "threads", "c = 3, w = 9 ms: threads 3n, processes 6n", "wait_three_quarters"),
    *in_file("mixed", "numbers", "processes", "c = 9, w = 1 ms: threads 9n, processes 5n + s", "wait_a_tenth"),
    *in_file("mixed", "numbers", "processes", "c = 6, w = 0.1 ms: threads 6n, processes 3n + s", "wait_seldom"),
    *in_file("mixed", "numbers", "threads", "c = w = 4 ms: n·4 in threads, and processes", "wait_half", ("processes",)),
    *in_file("gil_free", "numbers", "threads", FREE, "hash_buffer compress derive_key"),
    *in_file("gil_free", "buffers", "threads", "8 MB pickle in 8 ms, as long as c; threads n·c/2", "hash_argument"),
    *in_file("gil_free", "numbers", "threads", f"{FREE}; SQLite's lock costs some", "query_sqlite", ("processes",)),
    *in_file("pickling", "lists", "loop", PICKLES, "add_up"),
    *in_file("pickling", "numbers", "loop", PICKLES, "make_records"),
    *in_file("pickling", "grids", "loop", PICKLES, "transpose"),
    *in_file("tiny", "numbers", "loop", TINY, "double"),
    *in_file("tiny", "names", "loop", TINY, "look_up"),
    *in_file("unequal", "longest_dominates", "loop", "one item is 97 % of it: 0.97n + s in processes", "compute"),
    *in_file("unequal", "few_long", "processes", f"{COMPUTES}; the longest item is 2 % of it", "compute"),
    *in_file("unequal", "longest_last", "processes", f"{COMPUTES}; the longest item is 1 % of it", "compute"),
    *in_file("unequal", "waits", "threads", "0.62 s in a loop, its longest item (0.15 s) in threads", "wait"),
    racy("draw_ticket", "loop", "reads, waits 4 ms and writes one counter: right only if one call follows the other"),
    racy("sum_in_scratch", "processes", f"one list for all: wrong in threads, one a process; {COMPUTES}"),
    racy("greet_current_user", "processes", "waits between writing and reading: n·w, n·w/2 + s in processes"),
    racy("simulate_from_seed", "processes", f"one generator of random numbers for all; {COMPUTES}"),
    racy("await_current_user", "loop", "awaits between writing and reading: right only one after the other"),
    Planted(
        "refused.py:call_later", "refused.py:functions", "threads", f"lambdas do not pickle; {WAITS}", named="pickle"
    ),
    Planted(
        "refused.py:compute_with_lock",
        "refused.py:locks",
        "loop",
        "locks do not pickle; c holds the GIL: n·c in a loop and in threads",
        named="pickle",
    ),
    Planted("forking.py:compute", "forking.py:numbers", "processes", f"{COMPUTES}, by spawn", named="fork"),
    *in_file("coroutines", "numbers", "gather", AWAITS, "call_api time_out run_program"),
    *in_file("coroutines", "numbers", "gather", "c = 0.3, w = 50 ms: 50n in a loop, 0.3n gathered", "call_and_parse"),
    *in_file("coroutines", "numbers", "loop", "computes and holds the GIL: n·c however it is run", "compute_only"),
    *in_file("coroutines", "many", "loop", "c is below 1 µs, and a task costs 5 µs", "return_at_once"),
    *in_file("coroutines", "numbers", "loops", "blocks its loop without the GIL: n·c/2 on two loops", "hash_on_loop"),
    *in_file("coroutines", "numbers", "loops", "blocks its loop: n·w, divided by the number of loops", "block_on_loop"),
    *in_file("coroutines", "numbers", "gather", "in a thread: n·c/2, also on two loops", "hash_in_thread", ("loops",)),
]
