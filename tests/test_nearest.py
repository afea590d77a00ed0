"""The tests that `make try-mine` runs for a change."""

import pytest
from nearest import FOLDERS, ROOT, nearest_tests


def test_every_folder_of_tests_is_there() -> None:
    assert [tests for tests in FOLDERS.values() if not (ROOT / tests).exists()] == []


@pytest.mark.parametrize(
    ("path", "arguments"),
    [
        ("runners/primes/my_pool.py", ["tests/runners/test_every_runner.py", "-k", "primes and my_pool"]),
        ("runners/primes/scenario.py", ["tests/runners/test_every_runner.py", "-k", "primes"]),
        ("generate/charts/kinds/dots.py", ["tests/generate/charts"]),
        ("docs/articles/tails.md", ["tests/generate/pages/test_hand_written.py"]),
        ("tests/test_nearest.py", ["tests/test_nearest.py"]),
        ("CHANGELOG.md", []),
    ],
)
def test_change_has_its_nearest_tests(path: str, arguments: list[str]) -> None:
    assert nearest_tests(path) == arguments
