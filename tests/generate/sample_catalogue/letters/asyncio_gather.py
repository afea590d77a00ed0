"""Coroutines, one a letter."""

FAMILY = "asyncio"
AT_ONCE = "one"


def run(job: list[str]) -> list[str]:
    return sorted(job)
