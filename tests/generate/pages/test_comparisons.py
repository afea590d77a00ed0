"""The pairs of results that are compared, and how a comparison is shown."""

import re
from collections.abc import Mapping
from pathlib import Path

import msgspec
from factory import REFERENCE, Plan, build
from sample_site import build_context, letters, write_results

from generate.pages.machines_and_builds import Comparison, compare_all, comparison_html
from generate.pages.pieces import SiteContext

GIL, NO_GIL = build("3.13.1"), build("3.13.1", free_threaded=True)
VARIANT = msgspec.structs.replace(GIL, variant=("patched",))
PRERELEASE = build("3.14.0rc2")
EVERY = {f"{number}.json": Plan(build=of) for number, of in enumerate((REFERENCE, GIL, NO_GIL, VARIANT, PRERELEASE))}


def make_context(folder: Path, plans: Mapping[str, Plan]) -> SiteContext:
    write_results(folder, plans, letters())
    return build_context(folder, letters())


def find_others(context: SiteContext) -> dict[tuple[str, str], str]:
    """Return what each result is compared with in each way."""
    return {
        (key.build.removeprefix("cpython-"), way): each.other.build.removeprefix("cpython-")
        for key, by_way in compare_all(context).items()
        for way, each in by_way.items()
        if isinstance(each, Comparison)
    }


def test_each_result_is_compared_in_each_way_that_exists(tmp_path: Path) -> None:
    assert find_others(make_context(tmp_path, EVERY)) == {
        ("3.13.1", "reference"): "3.12.8",
        ("3.13.1", "previous"): "3.12.8",
        ("3.13.1t", "reference"): "3.12.8",
        ("3.13.1t", "counterpart"): "3.13.1",
        ("3.13.1+patched", "reference"): "3.12.8",
        ("3.13.1+patched", "counterpart"): "3.13.1",
        ("3.14.0rc2", "reference"): "3.12.8",
        ("3.14.0rc2", "previous"): "3.13.1",
    }


def test_own_results_come_first_next_to_the_published(tmp_path: Path) -> None:
    own = {f"local/{name}.json": Plan(build=of, run_id="own") for name, of in (("r", REFERENCE), ("g", GIL))}
    compared = compare_all(make_context(tmp_path, EVERY | own))
    first, second, *others = compared
    assert [key.build for key in (first, second)] == ["cpython-3.12.8", "cpython-3.13.1"]
    published = compared[second]["published"]
    assert isinstance(published, Comparison)
    assert not published.other.key.local
    assert not any(isinstance(compared[key]["published"], Comparison) for key in others)


def test_difference_has_its_number_and_range(tmp_path: Path) -> None:
    slower = {"a.json": Plan(build=REFERENCE), "b.json": Plan(build=GIL, speed={"thread_pool": 2.0})}
    context = make_context(tmp_path, slower)
    (comparison,) = (
        each
        for by_way in compare_all(context).values()
        for way, each in by_way.items()
        if isinstance(each, Comparison) and way == "reference"
    )
    (row,) = re.findall(
        r"<tr[^>]*><th[^>]*>thread pool<small>Letters: published.*?</tr>", comparison_html(context.site, comparison)
    )
    assert re.search(r">[^<]*(2\.0|1\.9) [^<]*<small>[\d.]+ to [\d.]+<", row)
    assert comparison.counts[0].startswith("2 ")
