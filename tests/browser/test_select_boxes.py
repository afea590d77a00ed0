"""The boxes of a form show their words whole, on a phone as well."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from visiting import NARROW, PAGES, lay_out_all

if TYPE_CHECKING:
    from visiting import Visit

CUT = """() => {
  const context = document.createElement("canvas").getContext("2d");
  const shown = [...document.querySelectorAll("select")].filter((one) => one.checkVisibility());
  return shown.flatMap((select) => {
    const style = getComputedStyle(select);
    context.font = style.font;
    const arrow = parseFloat(style.fontSize); // beside the words: no page can ask how wide it is
    const room = select.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight) - arrow;
    const width = (text) => context.measureText(text).width;
    return [...select.options].map(({ text }) => ({ text, name: select.name, room, needs: width(text) }));
  });
}"""


@pytest.mark.surroundings(viewport=NARROW)
@pytest.mark.parametrize("path", [*PAGES, "compare.html"])
def test_what_is_chosen_in_a_form_is_not_cut_off(visit: Visit, path: str) -> None:
    page = visit.open(path)
    lay_out_all(page)
    boxes = page.evaluate(CUT)
    assert [box for box in boxes if box["needs"] > box["room"]] == []


@pytest.mark.surroundings(viewport=NARROW)
def test_a_pre_release_without_the_gil_on_a_cloud_s_machine_has_room_in_compare(visit: Visit) -> None:
    page = visit.open("compare.html")
    words = "3.15.0rc2 free-threaded, 2-core AMD cloud VM"
    page.locator("select[name=result]").evaluate("(box, words) => box.add(new Option(words, ''))", words)
    (box,) = (box for box in page.evaluate(CUT) if box["text"] == words)
    assert box["needs"] <= box["room"]


@pytest.mark.surroundings(viewport=NARROW)
def test_the_boxes_that_are_looked_at_are_there_and_a_narrow_one_is_found(visit: Visit) -> None:
    page = visit.open("choose.html")
    names = {box["name"] for box in page.evaluate(CUT)}
    assert {"tasks", "compute", "wait", "kind", "build"} <= names
    page.add_style_tag(content="select[name=wait] { width: 3rem !important; }")
    assert {box["name"] for box in page.evaluate(CUT) if box["needs"] > box["room"]} == {"wait"}
