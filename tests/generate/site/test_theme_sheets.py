"""Which rules of the theme's stylesheets stay."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

from generate.__main__ import main
from generate.site.theme_sheets import named, trimmed

if TYPE_CHECKING:
    from pathlib import Path

PAGE = '<html dir="ltr"><body data-md-color-primary="custom"><p class="md-nav md-nav--open">Text</p></body></html>'
SCRIPT = 'mark("md-found"); mark(`md-tag--${kind}`);'
NAMES = named([PAGE], [SCRIPT])


@pytest.mark.parametrize(
    "rule",
    [
        "p{color:red}",
        ".md-nav{color:red}",
        ".md-nav--open>.md-found:first-child{color:red}",
        ".md-tag--python{color:red}",
        "[dir=ltr] .md-nav{color:red}",
        "[data-md-color-primary=custom]{color:red}",
        '[data-md-color-primary="custom"]{color:red}',
        "[data-md-state=hidden]{color:red}",
        ".md-nav:not(.md-unknown){color:red}",
        ":is(.md-unknown,p){color:red}",
        "@media print{.md-nav{color:red}}",
        "@supports (top:env(a)){@media (min-width:1em){.md-nav{top:env(a)}}}",
        r".md\:nav{color:red}",
        "@keyframes turn{0%{opacity:0}to{opacity:1}}",
        '@font-face{font-family:"md-unknown";src:url(a.woff)}',
        ".md-nav{--icon:url(\"data:image/svg+xml;utf8,<svg d='M1,2{}.a'/>\")}",
    ],
)
def test_what_may_be_used_stays_to_the_letter(rule: str) -> None:
    assert trimmed(rule, NAMES) == rule


@pytest.mark.parametrize(
    "rule",
    [
        ".md-unknown{color:red}",
        ".md-nav .md-unknown{color:red}",
        ".md-nav.md-unknown{color:red}",
        "[dir=rtl] .md-nav{color:red}",
        "[data-md-color-primary=red]{color:red}",
        '[data-md-color-accent="custom"]{color:red}',
        "@media print{.md-unknown{color:red}}",
        "@supports (top:env(a)){@media (min-width:1em){.md-unknown{top:env(a)}}}",
        "/*! what the theme says of itself */",
    ],
)
def test_what_nothing_on_the_site_can_be_goes(rule: str) -> None:
    assert trimmed(f"p{{top:0}}{rule}p{{left:0}}", NAMES) == "p{top:0}p{left:0}"


def test_what_browsers_pass_over_goes() -> None:
    assert trimmed("p{top:0}p", NAMES) == "p{top:0}"


def test_of_several_selectors_those_stay_that_may_be_used() -> None:
    rule = ".md-unknown,.md-nav:is(.a,.b),[dir=rtl] p,p{color:red}"
    assert trimmed(rule, NAMES) == ".md-nav:is(.a,.b),p{color:red}"


def test_a_sheet_that_was_trimmed_stays_as_it_is() -> None:
    once = trimmed("@media print{.md-nav,.x{color:red}.y{top:0}}.md-found{top:0}", NAMES)
    assert trimmed(once, NAMES) == once == "@media print{.md-nav{color:red}}.md-found{top:0}"


def test_the_command_trims_a_built_site_in_its_place_and_says_by_how_much(tmp_path: Path) -> None:
    sheet = tmp_path / "assets/stylesheets/classic/main.css"
    own = tmp_path / "assets/site.css"
    sheet.parent.mkdir(parents=True)
    sheet.write_text(f".md-nav{{top:0}}.md-piece{{top:1}}.md-unknown{{color:{'r' * 2000}}}")
    own.write_text(".unknown{top:0}")
    (tmp_path / "page.html").write_text(PAGE)
    (tmp_path / "assets/piece.json").write_text('{"pieces": {"map": "<p class=\\"md-piece\\">"}}')
    source_map = sheet.with_name("main.css.map")
    source_map.touch()
    done = CliRunner().invoke(main, ["trim", str(tmp_path)])
    assert (done.exit_code, done.output) == (0, "stylesheets of the theme: 2 kB, of which the site can use 0\n")
    assert sheet.read_text() == ".md-nav{top:0}.md-piece{top:1}"
    assert not source_map.exists()
    assert own.read_text() == ".unknown{top:0}"


def test_a_folder_that_is_no_site_is_refused_with_the_remedy(tmp_path: Path) -> None:
    done = CliRunner().invoke(main, ["trim", str(tmp_path)])
    assert done.exit_code == 2
    assert f"{tmp_path}/assets/stylesheets: no stylesheets are there; build the site first (make site)" in done.output
