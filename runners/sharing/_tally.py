"""Work on private objects: a list and a dict of its own."""

from runners.sharing.workload import timed


@timed
def tally(numbers: range) -> int:
    """Count the numbers by their last digit, and by whether they are even."""
    digits = [0] * 10
    parity = {"even": 0, "odd": 0}
    for number in numbers:
        digits[number % 10] += 1
        parity["odd" if number % 2 else "even"] += 1
    return min(sum(digits), sum(parity.values()))
