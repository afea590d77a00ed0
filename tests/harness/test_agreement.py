"""The comparison with Apache Bench: with meters that are told what to say, and once with the real one."""

from __future__ import annotations

import shutil
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pytest
from test_load import RIGHT, closed_port, server

from runners.harness import agreement, catalogue
from runners.harness.agreement import AbError, Agreement, Meters
from runners.harness.load import Load

if TYPE_CHECKING:
    from collections.abc import Iterator

SCENARIO = catalogue.find()["blocking_server"]
REPORT = """
Concurrency Level:      12
Complete requests:      120
Failed requests:        0
Requests per second:    353.75 [#/sec] (mean)
"""
SMALL = Load(at_once=2, requests=4, timeout_s=1.0, seed=0)


@contextmanager
def serving(_runner: catalogue.Runner) -> Iterator[int]:
    yield closed_port()


def saying(ours_per_s: float, ab_per_s: float, asked: list[str]) -> Meters:
    def meter(name: str, rate_per_s: float) -> Any:  # noqa: ANN401 - one of the two meters
        def measure(_port: int, _load: Load) -> float:
            asked.append(name)
            return rate_per_s

        return measure

    return Meters(meter("ours", ours_per_s), meter("ab", ab_per_s))


def test_each_server_is_asked_by_both_in_turn_and_the_one_that_begins_alternates() -> None:
    asked: list[str] = []
    found = list(agreement.compare(SCENARIO, serving, saying(98.0, 100.0, asked), rounds=3))
    assert asked == ["ours", "ab", "ab", "ours", "ours", "ab"] * len(found)
    assert {each.runner for each in found} == set(SCENARIO.runners) - set(agreement.EXEMPT)
    assert {each.ratio for each in found} == {0.98}


def test_every_exempt_server_exists_and_has_a_reason() -> None:
    assert set(agreement.EXEMPT) <= set(SCENARIO.runners)
    assert all(agreement.EXEMPT.values())


def test_the_ratio_is_paired_by_round() -> None:
    found = Agreement("any", (10.0, 50.0, 30.0), (10.0, 51.0, 29.0))
    assert found.ratio == 1.0
    assert found.holds


@pytest.mark.parametrize(
    ("ours_per_s", "status", "word"), [(100, 0, "yes"), (104.9, 0, "yes"), (94.9, 1, "NO"), (105.1, 1, "NO")]
)
def test_the_exit_status_says_whether_all_agree(ours_per_s: float, status: int, word: str) -> None:
    said: list[str] = []
    found = [Agreement("first", (100.0,), (100.0,)), Agreement("second", (ours_per_s,), (100.0,))]
    assert agreement.check(iter(found), said.append) == status
    assert said[2].startswith("second")
    assert said[2].endswith(word)


def test_without_ab_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda _program: None)
    said: list[str] = []
    meters = Meters(lambda _port, _load: 1.0, agreement.with_ab)
    assert agreement.check(agreement.compare(SCENARIO, serving, meters, 1), said.append) == 2
    assert "apache2-utils" in said[-1]


def test_the_rate_is_read_from_what_ab_prints() -> None:
    assert agreement.rate_of(REPORT, 120) == 353.75


@pytest.mark.parametrize(
    ("report", "message"),
    [
        ("", "no report"),
        (REPORT.replace("120", "119"), "119 answers to 120"),
        (REPORT.replace("requests:        0", "requests:        3"), "3 of them wrong"),
    ],
)
def test_a_run_of_ab_that_is_not_whole_is_no_measurement(report: str, message: str) -> None:
    with pytest.raises(AbError, match=message):
        agreement.rate_of(report, 120)


def test_ours_refuses_to_give_a_rate_where_requests_failed() -> None:
    with pytest.raises(AbError, match="0 answers to 4"):
        agreement.with_ours(closed_port(), SMALL)


@pytest.mark.skipif(shutil.which("ab") is None, reason="Apache Bench is not installed")
def test_the_real_ab_measures_a_server_and_complains_where_there_is_none() -> None:
    with server(lambda connection: connection.sendall(RIGHT)) as port:
        assert agreement.with_ab(port, SMALL) > 0
        assert agreement.with_ours(port, SMALL) > 0
    with pytest.raises(AbError, match="ab ended with status"):
        agreement.with_ab(closed_port(), SMALL)
