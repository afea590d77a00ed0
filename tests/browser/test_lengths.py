"""How long the pages of scenarios are on a phone."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from visiting import NARROW, lay_out_all

from runners.harness.catalogue.scenarios import find

if TYPE_CHECKING:
    from visiting import Visit

WITH_VALUES = sorted(find().keys() - {"hand_over", "idle_tasks"})
"""Those two compute their first metrics from columns that made-up samples can't have."""
LONGEST_PX = 8_000


@pytest.mark.surroundings(viewport=NARROW)
@pytest.mark.parametrize("name", WITH_VALUES)
def test_a_scenario_s_page_begins_with_its_answer_picture_and_table_and_is_short(visit: Visit, name: str) -> None:
    page = visit.open(f"scenarios/{name}.html")
    lay_out_all(page)
    assert page.evaluate("document.documentElement.scrollHeight") <= LONGEST_PX
    assert page.locator(".chart__area:visible").count() == 1
    assert page.locator("main table.data:visible").count() == 1
    places = [
        page.locator(part).first.bounding_box() for part in (".answer", ".chart__area:visible", "table.data:visible")
    ]
    tops = [place["y"] for place in places if place]
    assert tops == sorted(tops)
    assert len(tops) == 3
