"""Pictures of several cases and of several builds, in an article."""

from dataclasses import replace
from pathlib import Path

import pytest
from factory import REFERENCE, Plan, build
from sample_site import build_context, letters, readable, write_results
from syrupy.assertion import SnapshotAssertion

from generate.data import between_runs
from generate.pages.pictures import PictureFunctions

PLAIN = Plan(REFERENCE, speed={"thread_pool": 2.0, "asyncio_gather": 4.0}, status={"sync_loop": "failed"})
FREE = Plan(build("3.12.8", free_threaded=True), speed={"thread_pool": 0.5})
OLDER = Plan(build("3.11.4"), speed={"asyncio_gather": 8.0}, status={"thread_pool": "unsupported"})


@pytest.mark.parametrize("plans", [[], [PLAIN], [PLAIN, FREE, OLDER]])
def test_pictures_of_an_article(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, plans: list[Plan], snapshot: SnapshotAssertion
) -> None:
    monkeypatch.setattr(between_runs, "DEFAULT", dict.fromkeys(["value", "within", "across"], 0.01**2))
    write_results(tmp_path, {f"{number}.json": plan for number, plan in enumerate(plans)}, letters())
    first, *others = letters()["letters"].metrics
    compute = lambda row: 1e9 / row["elapsed_ns"]  # noqa: E731 - not only for numbers
    gain = first._replace(name="gain", unit="times", better="higher", compute=compute)
    cases = {
        name: case._replace(parameters={"workers": len(name)}) for name, case in letters()["letters"].cases.items()
    }
    scenarios = {"letters": replace(letters()["letters"], metrics=(first, gain, *others), cases=cases)}
    functions = PictureFunctions(build_context(tmp_path, scenarios), "articles/a.md")
    ladders = functions.ladder("letters"), functions.ladder("letters", "tenth")
    place = "letters", "published"
    pictures = [*ladders, functions.speed_ups(*place, "asyncio_gather", "gain"), functions.together(*place, "workers")]
    pictures.append(functions.curve("letters", "workers", "tenth", "published"))
    for change, runner in {"GIL": "thread_pool", "3.12": "asyncio_gather", "asyncio_gather": "thread_pool"}.items():
        pictures.append(functions.versions(*place, runner, "It", change))
    assert "\n\n".join(map(readable, pictures)) == snapshot
    assert str(pictures[0]).count("font-weight") == 2 * bool(plans)  # headings
