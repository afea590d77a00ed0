"""What is served of the styles and scripts."""

from __future__ import annotations

import pytest

from generate.site.assets import ASSETS, assets, without_comments


def test_comments_with_lines_of_their_own_are_left_out_and_nothing_else() -> None:
    text = '/** What\n * it is. */\na("//x"); // stays\n  // goes\n  /* goes */\n/** @type {x} */ (d);\nb { c: "/*" }\n'
    assert without_comments(text) == 'a("//x"); // stays\n/** @type {x} */ (d);\nb { c: "/*" }\n'


@pytest.mark.parametrize("name", [path.name for path in ASSETS.iterdir()])
def test_what_is_left_out_of_a_file_begins_as_a_comment_does(name: str) -> None:
    lines, served = (ASSETS / name).read_text(encoding="utf-8").splitlines(), iter(assets()[name].splitlines())
    expected = next(served, None)
    for line in lines:
        if line == expected:
            expected = next(served, None)
        else:
            assert line.strip().startswith(("/*", "*", "//")) or line.strip().endswith("*/") or not line.strip(), line
    assert expected is None
