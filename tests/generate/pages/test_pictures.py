"""Pictures of several cases and of two builds, in an article."""

from dataclasses import replace
from pathlib import Path

import pytest
from factory import REFERENCE, Plan, build
from sample_site import build_context, letters, readable, write_results
from syrupy.assertion import SnapshotAssertion

from generate.data import between_runs
from generate.pages.pictures import PictureFunctions

FREE = build("3.12.8", free_threaded=True)
SLOW = Plan(build=REFERENCE, speed={"thread_pool": 2.0, "asyncio_gather": 4.0}, status={"sync_loop": "failed"})


@pytest.fixture
def functions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, plans: list[Plan]) -> PictureFunctions:
    """Make the functions of results in which runs differ little."""
    monkeypatch.setattr(between_runs, "DEFAULT", dict.fromkeys(["value", "within", "across"], 0.01**2))
    write_results(tmp_path, {f"{number}.json": plan for number, plan in enumerate(plans)}, letters())
    (tmp_path / "docs").mkdir()
    first, *others = letters()["letters"].metrics
    compute = lambda row: 1e9 / row["elapsed_ns"]  # noqa: E731 - not only for numbers
    gain = first._replace(name="gain", unit="times", better="higher", compute=compute)
    scenarios = {"letters": replace(letters()["letters"], metrics=(first, gain, *others))}
    return PictureFunctions(build_context(tmp_path, scenarios, tmp_path / "docs"), "articles/a.md")


@pytest.mark.parametrize(("plans", "cases"), [([SLOW], ()), ([SLOW], ("tenth",))])
def test_ladder_has_the_worst_of_each_case_first(functions: PictureFunctions, cases: tuple[str, ...]) -> None:
    page = str(functions.ladder("letters", *cases))
    shown = [page.index(f">{name}</text>") for name in ("asyncio gather", "thread pool", "sync loop (failed)")]
    assert shown == sorted(shown)
    assert page.count("font-weight") == (0 if cases else 2)
    assert "What helps most: thread pool" in page


@pytest.mark.parametrize("plans", [[], [Plan(REFERENCE)], [Plan(REFERENCE), Plan(FREE, speed={"thread_pool": 0.5})]])
def test_speed_ups(functions: PictureFunctions, plans: list[Plan], snapshot: SnapshotAssertion) -> None:
    page = functions.speed_ups("letters", "published", "sync_loop", "gain")
    assert page.count("stroke-dasharray") == 6 * bool(plans)
    assert page.count('fill-opacity="0.3"') == 3 * (len(plans) > 1)
    assert readable(page) == snapshot
