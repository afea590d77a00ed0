"""A pool of <threads>, "quoted" & all."""

FAMILY = "threads"
AT_ONCE = "one"


def run(job: list[str]) -> list[str]:
    return sorted(job)
