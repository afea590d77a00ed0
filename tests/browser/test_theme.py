"""Material, and what we add to it: the search, the navigation from the keyboard, no stray letters."""

import re

import pytest
from playwright.sync_api import Page, expect
from visiting import NARROW, settle

PAGE = "scenarios/primes.html"
HAS_FOCUS = "(place) => Boolean(document.activeElement.closest(place))"
ANSWERS: dict[str, str | tuple[str, ...]] = {
    "does free-threading make my program faster": "articles/free-thread",
    "nogil": "articles/free-thread",
    "free-threaded": "articles/free-thread",
    "web server without the GIL": "articles/serving-without-the-gil",
    "gunicorn workers": "articles/serving-without-the-gil",
    "def or async def": "articles/a-server-that-blocks",
    "FastAPI": ("articles/a-server-that-blocks", "articles/how-many-threads"),
    "event loop stalls": "articles/why-your-event-loop-stalls",
    "json": ("scenarios/stalls", "articles/why-your-event-loop-stalls"),
    "gc.freeze": "articles/why-your-event-loop-stalls",
    "asyncio threads or processes": "choose",
    "1,000 API calls": "choose",
    "ThreadPoolExecutor": ("choose", "articles/how-many-threads"),
    "httpx aiohttp requests niquests": "articles/httpx-or-aiohttp",
    "how large a thread pool": "articles/how-many-threads",
    "how many threads": "articles/how-many-threads",
    "interpreters or processes": ("articles/what-a-worker-costs", "articles/what-handing-data-over-costs"),
    "InterpreterPoolExecutor": ("articles/free-threaded", "articles/what-"),
    "multiprocessing slow forkserver": "articles/what-a-worker-costs",
    "pickle shared memory cost": "articles/what-handing-data-over-costs",
    "to_thread": ("articles/what-handing-data-over-costs", "scenarios/moving_data"),
    "semaphore": "articles/rate-limits-semaphores-and-queues",
    "is uvloop worth it": "articles/is-uvloop-worth-it",
    "django async views sync_to_async": ("not-here", "articles/what-handing-data-over-costs"),
    "asyncpg psycopg sqlite": "not-here",
    "aiofiles": "not-here",
    "cancellation timeout": ("articles/asyncio-trio-or-anyio", "scenarios/cancellation"),
    "trio or anyio instead of asyncio": "articles/asyncio-trio-or-anyio",
    "leave eventlet gevent": "articles/leaving-gevent-and-eventlet",
    "celery": "articles/leaving-gevent-and-eventlet",
    "websocket": ("articles/leaving-gevent-and-eventlet", "articles/what-a-waiting-task-costs"),
    "PyPy": "not-here",
    "JIT": "articles/is-the-jit-worth-it",
    "memory of a thread": ("articles/what-a-waiting-task-costs", "articles/serving-without-the-gil"),
    "10,000 connections memory": "articles/what-a-waiting-task-costs",
    "TaskGroup": ("articles/", "scenarios/cancellation", "scenarios/gather_tree"),
    "what changed in 3.14": "versions",
    "measure my own function": "measure-your-own",
    "latency_p99_us": "data-fields",
    "S4.2": "claims/S4",
    "Tornado": ("articles/a-server-that-blocks", "scenarios/blocking_server", "claims/S2"),
}
"""What practitioners look for, and how the addresses of pages that answer begin."""
FIRST = 34
"""How many of them have such a page first; all have one among the first three."""


def results(page: Page, words: str) -> list[str]:
    """Return the paths of the first three results."""
    field = page.locator("input.md-search__input")
    field.fill("")
    field.press("End")
    page.wait_for_function("() => !document.querySelector('.md-search-result__item')")
    field.fill(words)
    field.press("End")
    page.wait_for_selector(".md-search-result__item a")
    settle(page)
    links = page.locator(".md-search-result__item > a")
    return [*links.evaluate_all("all => all.slice(0, 3).map((one) => one.pathname.slice(1))")]


def test_search_answers_practitioners(page: Page) -> None:
    page.locator("input.md-search__input").click()
    answers = {words: [path.startswith(wanted) for path in results(page, words)] for words, wanted in ANSWERS.items()}
    assert [words for words, are_answers in answers.items() if not any(are_answers)] == []
    assert sum(are_answers[0] for are_answers in answers.values()) >= FIRST


def test_search_index_loads_with_the_first_use_of_the_search(page: Page) -> None:
    is_loaded = "() => performance.getEntriesByType('resource').some((one) => one.name.endsWith('search_index.json'))"
    page.wait_for_function("'document$' in window")
    assert not page.evaluate(is_loaded)
    page.locator("input.md-search__input").click()
    page.wait_for_function(is_loaded)


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
