"""What practitioners type into the search, and the page that answers it among the first three."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import pytest
from visiting import NARROW, settle

if TYPE_CHECKING:
    from playwright.sync_api import Page
    from visiting import Visit

PAGE = "index.html"
ANSWERS = {
    "TaskGroup": "articles/eager-tasks-and-gather.html",
    "ThreadPoolExecutor": "articles/cpu-work-beside-an-event-loop.html",
    "uvloop": "articles/tails.html",
    "is uvloop worth it": "articles/tails.html",
    "run_in_executor": "articles/cpu-work-beside-an-event-loop.html",
    "process pool slower 3.14": "articles/the-gil-and-free-threading.html",
    "nogil": "articles/free-threaded-python-in-practice.html",
    "asyncio vs threads": "articles/which-model-for-which-work.html",
    "which is best for 1000 API calls": "choose.html",
    "is Tornado faster than Flask": "articles/a-server-that-blocks.html",
    "FastAPI": "not-here.html",
    "memory per thread": "articles/what-a-waiting-task-costs.html",
    "does free threading help CPU work": "articles/free-threaded-python-in-practice.html",
    "event loop blocked": "articles/a-server-that-blocks.html",
    "how sure is this number": "articles/how-to-read-a-benchmark.html",
    "reproduce the numbers": "run-it-yourself.html",
    "p99 latency": "articles/tails.html",
    "error bars": "articles/how-to-read-a-benchmark.html",
    "run locally": "run-it-yourself.html",
    "Tornado speed": "articles/a-server-that-blocks.html",
}
KEEP_WHAT_IS_ASKED = """window.asked = [];
const post = Worker.prototype.postMessage;
Worker.prototype.postMessage = function (message) {
  window.asked.push(message.data);
  post.call(this, message);
};"""

ASK_THE_WORKER = """async ([base, worker, separator]) => {
  const { config, docs } = await (await fetch(`${base}search/search_index.json`)).json();
  const search = new Worker(worker);
  const ask = (message) => new Promise((answered) => {
    search.addEventListener("message", ({ data }) => answered(data), { once: true });
    search.postMessage(message);
  });
  await ask({ type: 0, data: { config, docs, options: { suggest: false } } });
  const texts = docs.flatMap(({ title, tags, text }) => [title, text, ...(tags ?? [])]);
  const parser = new DOMParser();
  const plain = (text) => parser.parseFromString(text.replaceAll("<", " <"), "text/html").body.innerText;
  const words = new Set(texts.flatMap((text) => plain(text).toLowerCase().split(new RegExp(separator))));
  const missed = [];
  for (const word of words) {
    if (!/^[a-z0-9_.]{2,}$/.test(word)) continue;
    const { data } = await ask({ type: 2, data: word });
    if (!data?.items?.length) missed.push(word);
  }
  return missed;
}"""
STOP_WORDS = re.compile(r'\["a","able",[^]]+\]')
"""Of the worker: words that it looks for in no text."""


def found(page: Page, words: str) -> list[str]:
    """Return the addresses of the first three pages that the search finds."""
    field = page.locator("input.md-search__input")
    field.fill("")
    field.press("End")
    page.wait_for_function("() => !document.querySelector('.md-search-result__item')")
    field.fill(words)
    field.press("End")
    page.wait_for_selector(".md-search-result__item a")
    settle(page)
    items = page.locator(".md-search-result__item > a")
    paths: list[str] = items.evaluate_all("all => all.slice(0, 3).map((one) => one.pathname)")
    return paths


def test_the_search_answers_practitioners(page: Page) -> None:
    page.locator("input.md-search__input").click()
    missed = {}
    for words, answer in ANSWERS.items():
        first = found(page, words)
        if not any(path.endswith(f"/{answer}") for path in first):
            missed[words] = first
    assert missed == {}


def test_every_word_of_the_index_is_found(page: Page, site: str) -> None:
    """Lunr joins the ends of its words, and takes some that end in digits for others: then it finds neither."""
    separator = page.request.get(f"{site}search/search_index.json").json()["config"]["separator"]
    address = f"{site}assets/javascripts/workers/"
    source = page.evaluate("JSON.parse(document.querySelector('#__config').textContent).search")
    worker = f"{address}{source.rpartition('/')[2]}"
    stop_words = json.loads(STOP_WORDS.findall(page.request.get(worker).text())[0])
    page.locator("input.md-search__input").click()  # else no worker begins
    missed = page.evaluate(ASK_THE_WORKER, [site, worker, separator])
    assert {*missed} - {*stop_words} == set()


def test_no_figures_of_a_table_stand_in_the_index_as_one_word(page: Page, site: str) -> None:
    docs = page.request.get(f"{site}search/search_index.json").json()["docs"]
    assert [doc["location"] for doc in docs if re.search(r"\d\.\d+\.\d{3}", doc["text"])] == []


def test_a_hyphen_that_no_word_follows_yet_is_no_error(visit: Visit) -> None:
    visit.page.add_init_script(KEEP_WHAT_IS_ASKED)
    page = visit.open("index.html")
    field = page.locator("input.md-search__input")
    field.click()
    found(page, "free")
    for typed in ("free-", "free-t"):
        field.fill(typed)
        field.press("End")
        settle(page)
    found(page, "free")  # answered after all that was typed before
    asked = page.evaluate("window.asked")
    assert "free-t" in asked
    assert "free-" not in asked  # what is wrong with it the theme says in its worker, where no complaint is heard


@pytest.mark.surroundings(viewport=NARROW)
def test_the_index_is_fetched_once_a_reader_turns_to_the_search_which_finds_claims_and_runners(visit: Visit) -> None:
    page = visit.open("index.html")
    settle(page)
    assert not visit.urls("search_index")
    assert not page.workers
    page.locator("label.md-header__button[for=__search]").click()
    for words in ("S4.2", "semaphore", "process_pool"):
        page.locator("input.md-search__input").clear()
        page.locator("input.md-search__input").press_sequentially(words)
        page.locator(".md-search-result__item", has_text=words).first.wait_for()
    assert len(visit.urls("search_index")) == 1


def test_an_address_with_a_search_is_answered(visit: Visit) -> None:
    page = visit.open("index.html?q=semaphore")
    page.wait_for_selector(".md-search-result__item a")
    assert "semaphore" in page.locator(".md-search-result").inner_text().lower()
