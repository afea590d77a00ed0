"""The comparison with other load generators: with meters of known rates, and with real ones."""

import shutil
from contextlib import nullcontext

import cross_check
import pytest
from cross_check import Meter
from test_generator import RIGHT, closed_port, server

from runners.harness.catalogue import scenarios as catalogue
from runners.harness.errors import UserError
from runners.harness.http_load.generator import Load

SCENARIO = catalogue.find()["blocking_server"]
AB = "Complete requests:      {}\nFailed requests:        {}\nRequests per second:    353.75 [#/sec] (mean)\n"
WRK = "  1190 requests in 4.00s, 101.00KB read\nRequests/sec:    {}\nTransfer/sec:     25.24KB\n{}"
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


def test_meter_without_all_answers_is_named() -> None:
    with pytest.raises(UserError, match="ours did not"):
        next(cross_check.compare(SCENARIO, lambda _: nullcontext(closed_port()), {"ours": cross_check.with_ours}))


def test_only_installed_meters_are_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda program: f"/bin/{program}" if program == "wrk" else None)
    assert cross_check.available().keys() == {"ours", "wrk"}


@pytest.mark.parametrize(
    ("report", "rate_per_s"),
    [
        (AB.format(120, 0), 353.75),
        (AB.format(119, 0), None),
        (AB.format(120, 3), None),
        (WRK.format(297.34, ""), 297.34),
        (WRK.format("0.00", ""), None),
        (WRK.format(297.34, "  Non-2xx or 3xx responses: 7\n"), None),
        (WRK.format(297.34, "  Socket errors: connect 0, timeout 12\n"), None),
        ("", None),
    ],
)
def test_only_complete_answers_make_a_rate(report: str, rate_per_s: float | None) -> None:
    assert (cross_check.read_ab(report, 120) or cross_check.read_wrk(report)) == rate_per_s


@pytest.mark.skipif(shutil.which("ab") is None, reason="Apache Bench is not installed")
def test_real_ab_measures_a_server() -> None:
    with server(RIGHT) as port:
        rates_per_s = [cross_check.with_ab(port, SMALL), cross_check.with_ours(port, SMALL)]
    assert all(rates_per_s)
