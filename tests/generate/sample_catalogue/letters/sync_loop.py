"""One letter after another."""

FAMILY = "sync"
AT_ONCE = "one"


def run(job: list[str]) -> list[str]:
    return sorted(job)
