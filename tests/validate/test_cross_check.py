"""The comparison with other load generators: with meters that are told what to say, and with the real ones."""

from __future__ import annotations

import shutil
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import cross_check
import other_generators
import pytest
from cross_check import Agreement
from other_generators import MeterError
from test_generator import RIGHT, closed_port, server

from runners.harness.catalogue import scenarios as catalogue
from runners.harness.http_load.generator import Load

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from other_generators import Meter

SCENARIO = catalogue.find()["blocking_server"]
REPORT = """
Concurrency Level:      12
Complete requests:      120
Failed requests:        0
Requests per second:    353.75 [#/sec] (mean)
"""
WRK_REPORT = """
  1190 requests in 4.00s, 101.00KB read
Requests/sec:    297.34
Transfer/sec:     25.24KB
"""
SMALL = Load(at_once=2, requests=4, timeout_s=1.0, seed=0)


@contextmanager
def serving(_runner: catalogue.Runner) -> Iterator[int]:
    yield closed_port()


def saying(asked: list[str], **rates_per_s: float) -> Mapping[str, Meter]:
    def meter(name: str, rate_per_s: float) -> Any:  # noqa: ANN401 - one of the meters
        def measure(_port: int, _load: Load) -> float:
            asked.append(name)
            return rate_per_s

        return measure

    return {name: meter(name, rate_per_s) for name, rate_per_s in rates_per_s.items()}


def agreed(runner: str, ours: float, **others: float) -> Agreement:
    return Agreement(runner, {name: (rate,) for name, rate in {"ours": ours, **others}.items()})


def test_each_server_is_asked_by_all_in_turn_and_the_one_that_begins_changes() -> None:
    asked: list[str] = []
    found = list(cross_check.compare(SCENARIO, serving, saying(asked, ours=98.0, ab=100.0, wrk=49.0), rounds=3))
    assert asked == ["ours", "ab", "wrk", "ab", "wrk", "ours", "wrk", "ours", "ab"] * len(found)
    assert {each.runner for each in found} == set(SCENARIO.runners) - set(cross_check.EXEMPT)
    assert [each.ratios for each in found] == [{"ab": 0.98, "wrk": 2.0}] * len(found)


def test_every_exempt_server_exists_and_has_a_reason() -> None:
    assert set(cross_check.EXEMPT) <= set(SCENARIO.runners)
    assert all(cross_check.EXEMPT.values())


def test_the_ratio_is_paired_by_round() -> None:
    found = Agreement("any", {"ours": (10.0, 50.0, 30.0), "ab": (10.0, 51.0, 29.0)})
    assert found.ratios == {"ab": 1.0}
    assert found.holds


@pytest.mark.parametrize(
    ("ours_per_s", "wrk_per_s", "status", "word"),
    [(100, 100, 0, "yes"), (104.9, 100, 0, "yes"), (94.9, 95, 1, "NO"), (105.1, 105, 1, "NO"), (100, 90, 1, "NO")],
)
def test_the_exit_status_says_whether_all_agree(ours_per_s: float, wrk_per_s: float, status: int, word: str) -> None:
    said: list[str] = []
    found = [agreed("first", 100.0, ab=100.0, wrk=100.0), agreed("second", ours_per_s, ab=100.0, wrk=wrk_per_s)]
    assert cross_check.check(iter(found), said.append) == status
    assert said[0].split()[:5] == ["server", "ours", "/s", "ab", "/s"]
    assert said[2].startswith("second")
    assert said[2].endswith(word)


def test_without_any_other_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda _program: None)
    said: list[str] = []
    assert cross_check.check(cross_check.compare(SCENARIO, serving), said.append) == 2
    assert "apache2-utils" in said[-1]
    assert "apt install wrk" in said[-1]


def test_of_the_others_those_that_are_installed_are_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda program: f"/bin/{program}" if program == "wrk" else None)
    assert other_generators.available().keys() == {"ours", "wrk"}


def test_the_rate_is_read_from_what_ab_prints() -> None:
    assert other_generators.ab_rate(REPORT, 120) == 353.75


@pytest.mark.parametrize(
    ("report", "message"),
    [
        ("", "no report"),
        (REPORT.replace("120", "119"), "119 answers to 120"),
        (REPORT.replace("requests:        0", "requests:        3"), "3 of them wrong"),
    ],
)
def test_a_run_of_ab_that_is_not_whole_is_no_measurement(report: str, message: str) -> None:
    with pytest.raises(MeterError, match=message):
        other_generators.ab_rate(report, 120)


def test_ours_refuses_to_give_a_rate_where_requests_failed() -> None:
    with pytest.raises(MeterError, match="0 answers to 4"):
        other_generators.with_ours(closed_port(), SMALL)


@pytest.mark.skipif(shutil.which("ab") is None, reason="Apache Bench is not installed")
def test_the_real_ab_measures_a_server_and_complains_where_there_is_none() -> None:
    with server(lambda connection: connection.sendall(RIGHT)) as port:
        assert other_generators.with_ab(port, SMALL) > 0
        assert other_generators.with_ours(port, SMALL) > 0
    with pytest.raises(MeterError, match="ab ended with status"):
        other_generators.with_ab(closed_port(), SMALL)


def test_the_rate_is_read_from_what_wrk_prints() -> None:
    assert other_generators.wrk_rate(WRK_REPORT) == 297.34


@pytest.mark.parametrize(
    ("report", "message"),
    [
        ("", "no answer"),
        (WRK_REPORT.replace("297.34", "0.00"), "no answer"),
        (WRK_REPORT + "  Non-2xx or 3xx responses: 7\n", "Non-2xx or 3xx responses: 7"),
        (WRK_REPORT + "  Socket errors: connect 0, read 0, write 0, timeout 12\n", "timeout 12"),
    ],
)
def test_a_run_of_wrk_with_wrong_answers_is_no_measurement(report: str, message: str) -> None:
    with pytest.raises(MeterError, match=message):
        other_generators.wrk_rate(report)
