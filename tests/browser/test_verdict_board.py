"""The board of verdicts in a real browser: filters, cards, keyboard, without JavaScript, without colour."""

from __future__ import annotations

from typing import TYPE_CHECKING

from visiting import Visit, hold

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, ViewportSize

WIDE: ViewportSize = {"width": 1280, "height": 900}
NARROW: ViewportSize = {"width": 390, "height": 844}


def shown(page: Page) -> list[str]:
    rows = page.locator("table.verdicts tr[data-source]:visible th > a")
    return rows.all_text_contents()


def choose(page: Page, name: str, value: str) -> None:
    page.locator(f"form.filters select[name={name}]").select_option(value)


def test_filters_narrow_the_board_and_live_in_the_address(browser: Browser, site: str) -> None:
    with Visit(browser, site, viewport=WIDE) as visit:
        page = visit.open("index.html")
        everything = shown(page)
        choose(page, "source", "S4")
        of_source = shown(page)
        assert 0 < len(of_source) < len(everything)
        assert all(claim.startswith("S4.") for claim in of_source)
        choose(page, "verdict", "holds")
        found = shown(page)
        assert set(found) <= set(of_source)
        assert "source=S4" in page.url
        assert "verdict=holds" in page.url
        page.reload()
        assert shown(page) == found
        choose(page, "source", "")
        choose(page, "verdict", "")
        assert shown(page) == everything
        assert "?" not in page.url
        assert not visit.complaints


def test_one_build_is_shown_alone_and_other_filters_go_by_it(browser: Browser, site: str) -> None:
    with Visit(browser, site, viewport=WIDE) as visit:
        page = visit.open("index.html")
        squares = page.locator("table.verdicts a.square:visible")
        everything, builds = squares.count(), page.locator("select[name=build] option:enabled:not([value=''])").count()
        choose(page, "build", "cpython-3.13.1")
        for _load in range(2):
            assert squares.count() == everything / builds
            heads = page.locator("table.verdicts th[data-build]:visible")
            assert {*heads.evaluate_all("all => all.map((one) => one.dataset.build)")} == {"cpython-3.13.1"}
            assert "build=cpython-3.13.1" in page.url
            page.reload()
        verdict = squares.first.get_attribute("data-verdict") or ""
        choose(page, "verdict", verdict)
        assert {*squares.evaluate_all("all => all.map((one) => one.dataset.verdict)")} == {verdict}
        assert squares.count() == len(shown(page)) < everything / builds
        page.set_viewport_size(NARROW)
        assert squares.count() == len(shown(page))
        assert not visit.complaints


def test_a_build_that_another_machine_has_not_is_let_go_with_the_machine(browser: Browser, site: str) -> None:
    with Visit(browser, site, viewport=WIDE) as visit:
        page = visit.open("index.html")
        everything = shown(page)
        builds = page.locator("select[name=build] option:disabled")
        (only_elsewhere,) = builds.evaluate_all("all => all.map((one) => one.value)")
        elsewhere = page.locator("select[name=machine] option").last.get_attribute("value") or ""
        choose(page, "machine", elsewhere)
        choose(page, "build", only_elsewhere)
        assert shown(page) == everything
        choose(page, "machine", "fixture-host")
        assert "build" not in page.url
        assert shown(page) == everything
        assert shown(visit.open(f"index.html?build={only_elsewhere}")) == everything
        assert not visit.complaints


def test_whatever_is_filtered_the_columns_are_explained(browser: Browser, site: str) -> None:
    with Visit(browser, site, viewport=WIDE) as visit:
        page = visit.open("index.html?source=S4")
        assert page.get_by_text("t is free-threaded").first.is_visible()
        scrollers = page.locator(".source:visible .scroller")
        assert scrollers.evaluate_all("all => all.every((one) => one.scrollWidth <= one.clientWidth)")


def test_a_board_of_many_builds_is_scrolled_and_not_the_page(browser: Browser, site: str) -> None:
    with Visit(browser, site, viewport=WIDE) as visit:
        page = visit.open("index.html#the-articles")
        wide = "(table) => { table.style.minWidth = '4000px'; }"
        page.locator("table.verdicts").evaluate_all(f"(all) => all.forEach({wide})")
        assert page.locator(".source .scroller").first.evaluate("(one) => one.scrollWidth") >= 4000
        assert page.evaluate("document.documentElement.scrollWidth") <= WIDE["width"]


def test_an_address_with_an_unknown_filter_shows_everything(browser: Browser, site: str) -> None:
    with Visit(browser, site, viewport=WIDE) as visit:
        everything = shown(visit.open("index.html"))
        assert shown(visit.open("index.html?source=S9&verdict=%3Cscript%3E")) == everything
        assert not visit.complaints


def test_a_square_opens_its_card_from_the_keyboard_and_gives_the_focus_back(browser: Browser, site: str) -> None:
    with Visit(browser, site, viewport=WIDE) as visit:
        page = visit.open("index.html")
        square = page.locator("tr[data-source]", has_text="S1.2").locator("a.square").first
        square.focus()
        page.keyboard.press("Enter")
        card = page.get_by_role("dialog", name="Verdict")
        card.wait_for()
        assert "S1.2" in card.inner_text()
        assert card.get_by_text("Noise floor").first.is_visible()
        for link in card.get_by_role("link").evaluate_all("all => all.map((one) => one.href)"):
            assert page.request.get(link).status == 200
        page.keyboard.press("Escape")
        assert not card.is_visible()
        assert page.evaluate("document.activeElement.matches('a.square')")
        assert not visit.complaints


def test_a_card_says_what_the_source_s_page_says(browser: Browser, site: str) -> None:
    with Visit(browser, site, viewport=WIDE) as visit:
        page = visit.open("index.html")
        square = page.locator("tr[data-source]", has_text="S4.2").locator("a.square").first
        link = square.get_attribute("href")
        assert link is not None
        square.click()
        opened = page.get_by_role("dialog", name="Verdict").locator(".card")
        words, links = (
            opened.inner_text().partition("\n\n")[2],
            opened.locator("a").evaluate_all("all => all.map((one) => one.href)"),
        )
        page = visit.open(link)
        card = page.locator(f"[id='{link.partition('#')[2]}']")
        assert words == card.inner_text()
        assert links == card.locator("a").evaluate_all("all => all.map((one) => one.href)")
        assert not visit.complaints


def test_a_card_fits_a_phone(browser: Browser, site: str) -> None:
    with Visit(browser, site, viewport=NARROW) as visit:
        page = visit.open("index.html")
        page.locator("a.square").first.click()
        card = page.get_by_role("dialog", name="Verdict")
        card.wait_for()
        assert card.evaluate("(box) => box.scrollWidth <= box.clientWidth")
        card.get_by_role("button", name="Close").click()
        assert not card.is_visible()


def test_without_javascript_the_board_is_whole_and_a_square_leads_to_its_card(browser: Browser, site: str) -> None:
    with Visit(browser, site, viewport=NARROW, java_script_enabled=False) as visit:
        page = visit.open("index.html")
        assert not page.locator("form.filters").is_visible()
        assert len(shown(page)) == page.locator("table.verdicts tr[data-source]").count() > 20
        link = page.locator("a.square").first.get_attribute("href")
        assert link is not None
        page = visit.open(link)
        assert page.locator(f"[id='{link.partition('#')[2]}']").count() == 1


def test_a_link_to_a_card_unfolds_it(browser: Browser, site: str) -> None:
    with Visit(browser, site, viewport=WIDE) as visit:
        link = visit.open("index.html").locator("a.square").first.get_attribute("href")
        assert link is not None
        page = visit.open(link)
        assert page.locator(f"[id='{link.partition('#')[2]}']").is_visible()


def test_verdicts_are_told_apart_without_colour(browser: Browser, site: str) -> None:
    with Visit(browser, site, viewport=WIDE) as visit:
        page = visit.open("index.html")
        pairs = page.eval_on_selector_all(
            "a.square", "all => all.map((one) => [one.dataset.verdict, one.dataset.symbol])"
        )
        by_verdict = dict(pairs)
        assert len({*by_verdict.values()}) == len(by_verdict) > 1


def test_the_card_that_was_asked_for_last_is_shown(browser: Browser, site: str) -> None:
    with Visit(browser, site, viewport=WIDE) as visit:
        page = visit.open("index.html")
        slow, fast = (page.locator("a.square[data-cell]").nth(number) for number in (0, 1))
        held = hold(page, f"**/verdicts/{slow.get_attribute('data-cell')}.json")
        with page.expect_request("**/verdicts/*.json"):
            slow.click()
        fast.click()
        card = page.get_by_role("dialog", name="Verdict")
        card.wait_for()
        shown = card.inner_text()
        with page.expect_response("**/verdicts/*.json"):
            held[0].continue_()
        page.wait_for_load_state("networkidle")
        assert card.inner_text() == shown
        assert not visit.complaints


def test_a_card_that_arrives_after_its_page_was_left_opens_nothing(browser: Browser, instant_site: str) -> None:
    with Visit(browser, instant_site, viewport=WIDE) as visit:
        page = visit.open("index.html")
        held = hold(page, "**/verdicts/*.json")
        with page.expect_request("**/verdicts/*.json"):
            page.locator("a.square").first.click()
        page.locator("a[href$='/data.html']:visible").first.click()
        page.wait_for_selector("h1:has-text('Data')")
        with page.expect_event("requestfailed"):
            held[0].abort()
        page.wait_for_load_state("networkidle")
        assert page.locator("dialog").count() == 0
        assert page.url.partition("#")[0].endswith("data.html")  # the theme may add the part that was read last


def test_a_card_is_closed_beside_it_and_not_by_marking_its_words(browser: Browser, site: str) -> None:
    with Visit(browser, site, viewport=WIDE) as visit:
        page = visit.open("index.html")
        page.locator("a.square").first.click()
        card = page.get_by_role("dialog", name="Verdict")
        card.wait_for()
        box = card.bounding_box()
        assert box is not None
        page.mouse.move(box["x"] + 40, box["y"] + 40)
        page.mouse.down()
        page.mouse.move(box["x"] - 40, box["y"] + 40)
        page.mouse.up()
        assert card.is_visible()
        page.mouse.click(box["x"] + 5, box["y"] + 60)
        assert card.is_visible()
        page.mouse.click(box["x"] - 40, box["y"] + 40)
        assert not card.is_visible()


def test_an_address_with_half_an_escape_breaks_nothing(browser: Browser, site: str) -> None:
    with Visit(browser, site, viewport=WIDE) as visit:
        page = visit.open("index.html#%")
        everything = shown(page)
        choose(page, "source", "S4")
        assert len(shown(page)) < len(everything)
        page.locator("a.square:visible").first.click()
        page.get_by_role("dialog", name="Verdict").wait_for()
        assert not visit.complaints


def test_one_script_that_fails_at_its_start_keeps_no_other_from_it(browser: Browser, site: str) -> None:
    with Visit(browser, site, viewport=WIDE) as visit:
        visit.page.add_init_script("""document.addEventListener("DOMContentLoaded", () => {
          window.findCharts = () => { throw new Error("planted"); };
        })""")
        page = visit.open("scenarios/primes.html")
        page.locator("form[data-page-filters] select[name=family]").select_option("processes")
        assert "family=processes" in page.url
        assert any("planted" in complaint for complaint in visit.complaints)


def test_a_square_says_to_those_who_hear_it_what_it_is_of(browser: Browser, site: str) -> None:
    with Visit(browser, site, viewport=WIDE) as visit:
        squares = visit.open("index.html").locator("table.verdicts a.square")
        told = squares.evaluate_all("all => all.map((one) => [one.ariaLabel, one.lastChild.textContent])")
        assert all(label.startswith("S") and " on CPython " in label for label, _ in told)
        assert all(label.endswith(words.strip()) for label, words in told)
