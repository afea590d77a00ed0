import pytest

from runners.harness.own.work import Limits, candidates


@pytest.mark.parametrize(
    ("workers", "at_once", "sizes"),
    [
        ([], None, {"threads": [2, 4, 8, 16, 64], "to_thread": [8], "processes_spawn": [4], "interpreters": [4]}),
        ([], 50, {"threads": [2, 4, 8, 16, 50], "to_thread": [8], "processes_spawn": [4]}),
        ([], 3, {"threads": [2, 3], "to_thread": [3], "processes_spawn": [3]}),
        ([2, 32], None, {"threads": [2, 32], "to_thread": [2, 32], "processes_spawn": [2, 32]}),
    ],
)
def test_pools_have_usual_sizes_within_the_limit(
    workers: list[int], at_once: int | None, sizes: dict[str, list[int]]
) -> None:
    found: dict[str, list[int | None]] = {}
    for model, size in candidates(Limits({}, workers, at_once, 4), is_coroutine=False):
        found.setdefault(model, []).append(size)
    assert {name: found[name] for name in sizes} == sizes
