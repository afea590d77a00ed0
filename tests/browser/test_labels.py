"""The pictures that pages come with, on a phone: their words can be read."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from visiting import NARROW, PAGES, lay_out_all

if TYPE_CHECKING:
    from visiting import Visit

LABELS = """() => {
  const pictures = [...document.querySelectorAll("main svg:has(text)")].filter((one) => one.checkVisibility());
  const apart = (a, b) => a.right - 1 <= b.left || b.right - 1 <= a.left;
  const share = (a, b) => (Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top)) / Math.min(a.height, b.height);
  return pictures.map((picture) => {
    const frame = picture.getBoundingClientRect();
    const labels = [...picture.querySelectorAll("text")]
      .map((text) => ({ words: text.textContent, box: text.getBoundingClientRect() }))
      .filter(({ box }) => box.width);
    const collide = labels.flatMap((one, place) =>
      labels.slice(place + 1)
        .filter(({ box }) => !apart(one.box, box) && share(one.box, box) > 0.25)
        .map(({ words }) => `${one.words} / ${words}`)
    );
    const cut = labels.filter(({ box }) => box.left < frame.left - 1 || box.right > frame.right + 1);
    return { labels: labels.length, faults: [...collide, ...cut.map(({ words }) => `${words} leaves the picture`)] };
  });
}"""


@pytest.mark.surroundings(viewport=NARROW)
@pytest.mark.parametrize("path", PAGES)
def test_no_label_of_a_picture_covers_another_or_is_cut_off(visit: Visit, path: str) -> None:
    page = visit.open(path)
    lay_out_all(page)
    assert [fault for picture in page.evaluate(LABELS) for fault in picture["faults"]] == []


@pytest.mark.surroundings(viewport=NARROW)
def test_the_pictures_that_are_looked_at_have_labels(visit: Visit) -> None:
    page = visit.open("index.html")
    lay_out_all(page)
    assert sum(picture["labels"] for picture in page.evaluate(LABELS)) > 20
