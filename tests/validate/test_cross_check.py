"""The comparison with other load generators: with meters that are told what to say, and with the real ones."""

from __future__ import annotations

import runpy
import shutil
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

import cross_check
import pytest
from cross_check import MeterError
from test_generator import RIGHT, closed_port, server

from runners.harness.catalogue import scenarios as catalogue
from runners.harness.http_load.generator import Load

if TYPE_CHECKING:
    from collections.abc import Callable

    from cross_check import Meter

SCENARIO = catalogue.find()["blocking_server"]
AB_REPORT = """
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
SMALL = Load(at_once=2, requests=4, timeout_s=1.0)


def test_meters_take_turns_and_are_compared_by_round() -> None:
    calls: list[str] = []
    rates_per_s = {"ours": [10.0, 50.0, 30.0], "ab": [10.0, 51.0, 29.0], "wrk": [20.0, 100.0, 60.0]}

    def meter(name: str) -> Meter:
        def measure(_port: int, _load: Load) -> float:
            calls.append(name)
            return rates_per_s[name][calls.count(name) % 3 - 1]

        return measure

    meters = {name: meter(name) for name in rates_per_s}
    seen = dict(cross_check.compare(SCENARIO, lambda _: nullcontext(closed_port()), meters, rounds=3))
    assert calls == ["ours", "ab", "wrk", "ab", "wrk", "ours", "wrk", "ours", "ab"] * len(seen)
    assert seen.keys() == set(SCENARIO.runners) - cross_check.EXEMPT
    assert set(SCENARIO.runners) > cross_check.EXEMPT
    assert [*seen.values()] == [{"ab": 1.0, "wrk": 0.5}] * len(seen)


def test_only_installed_meters_are_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda program: f"/bin/{program}" if program == "wrk" else None)
    assert cross_check.available().keys() == {"ours", "wrk"}


def test_without_other_meters_the_command_names_packages(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(shutil, "which", lambda _: None)
    assert runpy.run_path(str(Path(__file__).with_name("__main__.py")))["meters"]() == {}
    printed = capsys.readouterr().out
    assert "apt install apache2-utils" in printed
    assert "apt install wrk" in printed


def ab_rate(report: str) -> float:
    return cross_check.ab_rate(report, 120)


@pytest.mark.parametrize(
    ("read", "report", "message"),
    [
        (ab_rate, "", "-1 answers to 120"),
        (ab_rate, AB_REPORT.replace("120", "119"), "119 answers to 120"),
        (ab_rate, AB_REPORT.replace("requests:        0", "requests:        3"), "3 of them wrong"),
        (cross_check.wrk_rate, "", "no answer"),
        (cross_check.wrk_rate, WRK_REPORT.replace("297.34", "0.00"), "no answer"),
        (cross_check.wrk_rate, WRK_REPORT + "  Non-2xx or 3xx responses: 7\n", "Non-2xx or 3xx responses: 7"),
        (cross_check.wrk_rate, WRK_REPORT + "  Socket errors: connect 0, timeout 12\n", "timeout 12"),
        (lambda _: cross_check.with_ours(closed_port(), SMALL), "", "0 answers to 4"),
    ],
)
def test_only_complete_answers_make_a_rate(read: Callable[[str], float], report: str, message: str) -> None:
    assert (ab_rate(AB_REPORT), cross_check.wrk_rate(WRK_REPORT)) == (353.75, 297.34)
    with pytest.raises(MeterError, match=message):
        read(report)


@pytest.mark.skipif(shutil.which("ab") is None, reason="Apache Bench is not installed")
def test_real_ab_measures_a_server_and_fails_without_one() -> None:
    with server(lambda connection: connection.sendall(RIGHT)) as port:
        assert cross_check.with_ab(port, SMALL) > 0
        assert cross_check.with_ours(port, SMALL) > 0
    with pytest.raises(MeterError, match="ab ended with status"):
        cross_check.with_ab(closed_port(), SMALL)
