"""Columns that all samples have, or all samples of servers. A scenario describes its own in COLUMNS of scenario.py."""

import re
from collections.abc import Iterable, Mapping

COMMON_COLUMNS = {
    "elapsed_ns": "From the call of the runner to its return; of a server, from the start of the load to the end of "
    "its last request.",
    "cpu_us": "Processor time of the process, and of the children that it waited for, from just before that time to "
    "just after it.",
    "idle_process_bytes": "Resident memory of the process just before the work, or before the load on a server.",
    "largest_process_peak_bytes": "Peak resident memory of the largest among the process and the children that it "
    "waited for; the children's has the warm-up in it, the process's own on Linux has not.",
}
SERVER_COLUMNS = {
    "tree_cpu_us": "Processor time, during the load, of the process and all that it started, waited for or not; null "
    "except on Linux, or if one of them ended.",
    "tree_proportional_bytes": "Resident memory of the same processes just after the load (Pss: a page that several "
    "share counts for each by its share); null in the same cases.",
    "tree_process_count": "How many processes these are.",
    "completed_count": "Requests that were answered with a 200 and an empty body.",
    "failed_count": "All other requests: the sum of the four kinds of failure below.",
    "connect_failed_count": "Requests without a connection.",
    "timed_out_count": "Requests without a complete answer at their time limit.",
    "broken_off_count": "Requests whose connection ended before the answer was complete.",
    "wrong_answer_count": "Requests with an answer other than a 200 and an empty body.",
    "received_bytes": "Bytes that the load generator received.",
    "latency_all_us": "Sum of the latencies of the answered requests, each from the request's start, in an open loop "
    "from when it was due, to the end of its connection.",
    "receive_all_us": "Sum, over the answered requests, of the time from the first byte of the answer to the end of "
    "the connection.",
    "receive_worst_us": "The longest such time; 0 if no request was answered.",
    "load_cpu_ns": "Processor time of the load generator.",
    "load_late_us": "The longest time between two looks of the load generator at its connections: an answer may have "
    "waited that long.",
    "load_peak_in_flight_count": "The most requests that the load generator had under way at one moment.",
}
_NUMBER = re.compile(r"\\{\w+\\}")


def matches(name: str, column: str) -> bool:
    """Return True if *column* matches a *name*, in which {words} mean numbers."""
    return re.fullmatch(_NUMBER.sub("[0-9]+", re.escape(name)), column) is not None


def find_undescribed(described: Mapping[str, str], columns: Iterable[str]) -> list[str]:
    return [column for column in columns if not any(matches(name, column) for name in described)]
