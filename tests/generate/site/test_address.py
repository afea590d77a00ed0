"""Where the site will stand."""

from __future__ import annotations

import pytest

from generate.site.navigation import repository, site_url


@pytest.mark.parametrize(
    ("told", "repository", "expected"),
    [
        ("", None, ""),
        ("https://example.org/a", None, "https://example.org/a/"),
        ("https://example.org/", "Owner/name", "https://example.org/"),
        ("", "Owner/name", "https://owner.github.io/name/"),
        ("", "Owner/Owner.github.io", "https://owner.github.io/"),
        ("", "broken", ""),
    ],
)
def test_it_is_as_told_or_as_the_host_has_it(told: str, repository: str | None, expected: str) -> None:
    assert site_url(told, {} if repository is None else {"GITHUB_REPOSITORY": repository}) == expected


@pytest.mark.parametrize(
    ("environment", "address"),
    [
        ({}, ""),
        ({"GITHUB_REPOSITORY": "o/n"}, "https://github.com/o/n"),
        ({"GITHUB_REPOSITORY": "o/n", "GITHUB_SERVER_URL": "https://git.example"}, "https://git.example/o/n"),
        ({"GITHUB_REPOSITORY": "o/<b>"}, ""),
    ],
)
def test_the_project_is_cloned_from_where_a_workflow_runs(environment: dict[str, str], address: str) -> None:
    assert repository(environment) == address


@pytest.mark.parametrize(
    ("origin", "address"),
    [
        ("https://github.com/o/n.git", "https://github.com/o/n"),
        ("https://name:secret@git.example/o/n", "https://git.example/o/n"),
        ("git@github.com:o/n.git", "https://github.com/o/n"),
        ("ssh://git@github.com/o/n", "https://github.com/o/n"),
        ("/home/me/n", ""),
        ("file:///home/me/n", ""),
        ("me@host:n", ""),
        ("https://git.example/<b>/n", ""),
    ],
)
def test_elsewhere_it_is_cloned_from_where_this_clone_is_from_if_that_is_on_the_web(origin: str, address: str) -> None:
    assert repository({}, origin) == address
    assert repository({"GITHUB_REPOSITORY": "fork/n"}, origin) == "https://github.com/fork/n"
