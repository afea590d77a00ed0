"""Material, and what we add to it: the search, the navigation from the keyboard, no stray letters."""

import re

import pytest
from playwright.sync_api import Page, expect
from visiting import NARROW, settle

PAGE = "scenarios/primes.html"
HAS_FOCUS = "(place) => Boolean(document.activeElement.closest(place))"
ANSWERS = {
    "how many threads": "articles/how-many-threads.html",
    "free-threaded": "articles/free-threaded-python-in-practice.html",
    "gevent": "scenarios/",
    "TaskGroup": "",
    "S4.2": "claims/S4.html",
    "semaphore": "articles/rate-limits-semaphores-and-queues.html",
    "def or async def": "articles/a-server-that-blocks.html",
    "eventlet": "articles/leaving-gevent-and-eventlet.html",
    "JIT": "articles/is-the-jit-worth-it.html",
    "PyPy": "not-here.html",
    "process_pool": "",
    "is uvloop worth it": "articles/is-uvloop-worth-it.html",
    "trio or anyio instead of asyncio": "articles/asyncio-trio-or-anyio.html",
    "httpx aiohttp requests": "articles/httpx-or-aiohttp.html",
    "pickle shared memory cost": "articles/what-handing-data-over-costs.html",
    "event loop stalls": "articles/why-your-event-loop-stalls.html",
    "multiprocessing slow forkserver": "articles/what-a-worker-costs.html",
    "web server without the GIL": "articles/serving-without-the-gil.html",
    "django async views sync_to_async": "not-here.html",
}
"""What practitioners look for, and the address of a page among the first results; empty for any."""


def results(page: Page, words: str) -> list[str]:
    """Return the paths of the first five results."""
    field = page.locator("input.md-search__input")
    field.fill("")
    field.press("End")
    page.wait_for_function("() => !document.querySelector('.md-search-result__item')")
    field.fill(words)
    field.press("End")
    page.wait_for_selector(".md-search-result__item a")
    settle(page)
    links = page.locator(".md-search-result__item > a")
    return [*links.evaluate_all("all => all.slice(0, 5).map((one) => one.pathname.slice(1))")]


def test_search_answers_practitioners(page: Page) -> None:
    page.locator("input.md-search__input").click()
    paths_by_query = {words: results(page, words) for words in ANSWERS}
    assert {
        w: paths for w, paths in paths_by_query.items() if not any(path.startswith(ANSWERS[w]) for path in paths)
    } == {}


def test_search_index_keeps_versions_and_figures_apart(page: Page, site: str) -> None:
    index = page.request.get(f"{site}search/search_index.json").json()
    assert [doc["location"] for doc in index["docs"] if re.search(r"\d\.\d+\.\d{3}", doc["text"])] == []
    separator = re.compile(index["config"]["separator"])
    assert separator.split("asyncio.TaskGroup on 3.14") == ["asyncio", "TaskGroup", "on", "3.14"]


@pytest.mark.context(viewport=NARROW, reduced_motion="reduce")
def test_drawer_opens_and_closes_from_the_keyboard(page: Page) -> None:
    button = page.locator("button[aria-controls=site-navigation]")
    button.wait_for()
    links = page.locator(".md-sidebar--primary a")
    assert links.count() > 10
    assert not links.filter(visible=True).count()
    button.focus()
    page.keyboard.press("Enter")
    expect(button).to_have_attribute("aria-expanded", "true")
    assert page.evaluate(HAS_FOCUS, ".md-sidebar--primary")
    page.keyboard.press("Tab")
    assert page.evaluate(HAS_FOCUS, ".md-sidebar--primary a")
    page.keyboard.press("Escape")
    expect(button).to_be_focused()
    expect(button).to_have_attribute("aria-expanded", "false")
    button.click()
    page.keyboard.press("Shift+Tab")  # the focus leaves it
    expect(button).to_have_attribute("aria-expanded", "false")


def test_no_single_letter_leaves_the_page(page: Page) -> None:
    page.wait_for_function("'document$' in window")  # Material listens to keys
    for letter in ("n", ".", "p", ",", "f", "s"):
        page.keyboard.press(letter)
        settle(page)
        assert page.url.endswith(PAGE)
        assert page.evaluate("document.activeElement === document.body")
