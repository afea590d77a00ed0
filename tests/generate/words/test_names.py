"""Names in addresses, and in order; those in titles are tested with the pages that bear them."""

from __future__ import annotations

import re

import pytest

from generate.words.names import MOST_LETTERS, build_order, is_prerelease, slug, strip_markup


@pytest.mark.parametrize(
    ("name", "address"), [("Ubuntu 24.04 x", "ubuntu-24.04-x"), ("linux-x86_64", "linux-x86-64"), ("a.b-", "a.b")]
)
def test_a_plain_name_is_its_own_address(name: str, address: str) -> None:
    assert slug(name) == address


@pytest.mark.parametrize("name", ["<&>", "..", "ноутбук", "мой", "../<b>Ünï</b> x", "x" * 200, "\ud800", ""])
def test_any_other_gets_an_address_of_its_own_that_no_path_can_be(name: str) -> None:
    assert re.fullmatch(r"[a-z0-9.-]+-[0-9a-f]{8}", slug(name))
    assert len(slug(name)) <= MOST_LETTERS + 9
    assert slug(name) != slug(name + "x")


def test_what_was_built_between_releases_has_another_address_than_the_release() -> None:
    names = [f"cpython-3.14.0{end}" for end in ("", "+", "+patched", "++patched", "+t", "t")]
    assert len({slug(name) for name in names}) == len(names)
    assert slug("cpython-3.14.0+patched") == "cpython-3.14.0-patched"


@pytest.mark.parametrize(
    ("name", "title"),
    [
        ("cpython-3.15.2+PYTHON_JIT=1", "cpython-3.15.2+PYTHON_JIT=1"),
        ("CPU beside I/O", "CPU beside I/O"),
        ("a==b", "a b"),
        ("</b>", "b"),
        ("=a", "a"),
        ("===", "unnamed"),
    ],
)
def test_an_equals_sign_or_a_slash_stays_within_a_word_alone_since_others_could_be_markup(
    name: str, title: str
) -> None:
    assert strip_markup(name) == title


def test_builds_stand_in_the_order_of_their_versions() -> None:
    builds = [
        "cpython-<odd>",
        "cpython-3.9.18",
        "cpython-3.13.0",
        "cpython-3.13.0+aiohttp-3.13.5",
        "cpython-3.13.0t",
        "cpython-3.13.0t-gil",
        "cpython-3.15.0a7",
        "cpython-3.15.0b1",
        "cpython-3.15.0rc1",
        "cpython-3.15.0",
        "pypy-3.11.13",
    ]
    assert sorted([*builds[1::2], *builds[::2]], key=build_order) == builds


def test_a_version_that_leads_to_a_release_is_a_pre_release_and_so_is_one_that_is_none() -> None:
    leading = ["cpython-3.15.0rc2", "cpython-3.15.0rc2t", "cpython-3.15.0a7", "cpython-<odd>"]
    released = ["cpython-3.14.0", "cpython-3.14.0t", "cpython-3.14.0+aiohttp-3.13.5", "pypy-3.11.13"]
    assert [build for build in [*leading, *released] if is_prerelease(build)] == leading
