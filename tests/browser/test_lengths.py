"""How long the pages of scenarios are on a phone."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from factory import Plan, make
from map_factory import map_record
from visiting import LONGEST_PX, NARROW, height_px

from runners.harness.catalogue.scenarios import find

if TYPE_CHECKING:
    from visiting import Visit

    from runners.harness.record.model import Series

SCENARIOS = find()


def has_value(series: Series) -> bool:
    """Say whether a made-up series has a value of its scenario's first metric, which may need columns that it lacks."""
    metric = SCENARIOS[series.scenario].metrics[0]
    samples = [
        dict(zip(series.samples.values, row, strict=True)) for row in zip(*series.samples.values.values(), strict=True)
    ]
    return any(
        (metric.compute(sample) if metric.compute else sample.get(metric.name)) is not None for sample in samples
    )


MADE_UP = [*make(SCENARIOS, Plan(rounds=1)).series, *map_record(rounds=1).series]
WITH_VALUES = sorted({series.scenario for series in MADE_UP if has_value(series)})


def test_few_scenarios_have_no_made_up_values() -> None:
    assert len(WITH_VALUES) > len(SCENARIOS) / 2


@pytest.mark.surroundings(viewport=NARROW)
@pytest.mark.parametrize("name", WITH_VALUES)
def test_a_scenario_s_page_begins_with_its_answer_picture_and_table_and_is_short(visit: Visit, name: str) -> None:
    page = visit.open(f"scenarios/{name}.html")
    assert height_px(page) <= LONGEST_PX["scenarios/*.html"]
    assert page.locator(".chart__area:visible").count() == 1
    assert page.locator("main table.data:visible").count() == 1
    places = [
        page.locator(part).first.bounding_box() for part in (".answer", ".chart__area:visible", "table.data:visible")
    ]
    tops = [place["y"] for place in places if place]
    assert tops == sorted(tops)
    assert len(tops) == 3
