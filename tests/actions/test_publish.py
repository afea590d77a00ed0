"""Publishing while others do: nothing is lost or doubled, and a refusal is reported."""

import os
import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from repository import bare, commit, git, list_files

from actions.publish import PROTECTED, READ_ONLY, REMEDIES, Publication, _Git, _GitError
from actions.publish import publish as publish_waiting
from runners.harness.errors import UserError

AT_ONCE = int(os.environ.get("PUBLISHERS", "40"))
"""The most that a busy repository may see. Fewer take less than half a minute."""


RUN_1, RUN_2 = ({f"2026-01-01/run-{number}/a.json": f"run-{number}".encode()} for number in (1, 2))


@pytest.fixture
def remote(tmp_path: Path) -> Path:
    return bare(tmp_path / "remote.git")


def publication(remote: Path, files: dict[str, bytes] = RUN_1, branch: str = "main") -> Publication:
    return Publication(files, f"file://{remote}", branch, "Results")


def publish(wanted: Publication) -> tuple[str, list[str]]:
    return publish_waiting(wanted, lambda _: None)


def with_results(*runs: dict[str, bytes]) -> set[str]:
    return {"README", *(f"results/{name}" for files in runs for name in files)}


def test_publishing_again_changes_nothing(remote: Path) -> None:
    wanted = publication(remote)
    added = publish(wanted)
    assert added == publish(wanted) == (git("rev-parse", "main", cwd=remote), [])
    assert list_files(remote) == with_results(RUN_1)
    assert git("rev-list", "--count", "main", cwd=remote) == "2"


def test_published_file_is_never_changed(remote: Path) -> None:
    publish(publication(remote))
    assert publish(publication(remote, {**dict.fromkeys(RUN_1, b"made up"), **RUN_2}))[1] == [*RUN_1]
    assert git("show", "main:results/2026-01-01/run-1/a.json", cwd=remote) == "run-1"
    assert git("show", "main:results/2026-01-01/run-2/a.json", cwd=remote) == "run-2"


def test_many_publishers_lose_and_double_nothing(remote: Path) -> None:
    runs = [{f"2026-01-01/run-{number}/a.json": f"{number}".encode()} for number in range(AT_ONCE)]
    with ThreadPoolExecutor(AT_ONCE) as pool:
        list(pool.map(publish, [publication(remote, files) for files in runs]))
    assert list_files(remote) == with_results(*runs)
    assert git("rev-list", "--count", "main", cwd=remote) == str(AT_ONCE + 1)


@pytest.mark.parametrize(
    ("words", "remedy"),
    [
        ("changes must be made through a pull request", ""),
        ("Write access to repository not granted.", REMEDIES[READ_ONLY]),
        ("unable to access 'x': The requested URL returned error: 403", REMEDIES[READ_ONLY]),
        ("error: GH013: Repository rule violations found for refs/heads/main.", REMEDIES[PROTECTED]),
    ],
)
def test_refused_push_is_reported_at_once_with_a_remedy(remote: Path, words: str, remedy: str) -> None:
    hook = remote / "hooks" / "pre-receive"
    hook.write_text(f'#!/bin/sh\necho "{words}" >&2\nexit 1\n')
    hook.chmod(0o755)
    waits: list[float] = []
    with pytest.raises(UserError, match=re.escape(words) + ".*" + re.escape(remedy)):
        publish_waiting(publication(remote), waits.append)
    assert waits == []


def test_missing_branch_starts_at_the_default_branch(remote: Path) -> None:
    wanted = publication(remote, branch="results")
    made = publish(wanted)
    assert made == publish(wanted) == (git("rev-parse", "results", cwd=remote), [])
    assert git("rev-parse", "results^", cwd=remote) == git("rev-parse", "main", cwd=remote)
    assert list_files(remote, "results") == with_results(RUN_1)
    assert list_files(remote) == with_results()


@pytest.mark.parametrize("branch", ["a:b", "", "*", "a b", "../x"])
def test_impossible_branch_name_is_refused(remote: Path, branch: str) -> None:
    with pytest.raises(UserError, match="can't name a branch"):
        publish(publication(remote, branch=branch))


def test_silent_repository_is_tried_again(remote: Path) -> None:
    away, waits = remote.with_name("away"), []

    def wait(seconds: float) -> None:
        waits.append(seconds)
        if len(waits) == 3:
            away.rename(remote)

    remote.rename(away)
    publish_waiting(publication(remote), wait)
    assert len(waits) == 3
    assert list_files(remote) == with_results(RUN_1)


@pytest.mark.parametrize(
    ("address", "has_token"),
    [
        ("https://github.com/a/b/info/refs", True),
        ("https://github.com/c/d", True),
        ("https://example.org/a/b", False),
        ("https://github.com.example.org/a/b", False),
        ("http://github.com/a/b", False),
    ],
)
def test_token_only_goes_to_the_repositorys_host(tmp_path: Path, address: str, *, has_token: bool) -> None:
    git = _Git(tmp_path, Publication({}, "https://github.com/a/b", "main", "", token="secret"))  # noqa: S106 - none
    if has_token:
        assert git("config", "--get-urlmatch", "http.extraheader", address).startswith("AUTHORIZATION: basic ")
    else:
        with pytest.raises(_GitError):
            git("config", "--get-urlmatch", "http.extraheader", address)
    assert "secret" not in repr(Publication({}, "", "", "", token="secret"))  # noqa: S106 - likewise


@pytest.mark.parametrize("place", ["results", "results/2026-01-01/run-1", "results/2026-01-01/run-1/a.json"])
def test_nothing_is_written_through_a_link(tmp_path: Path, remote: Path, place: str) -> None:
    first = tmp_path / "first"
    (first / place).parent.mkdir(parents=True, exist_ok=True)
    (first / place).symlink_to(tmp_path / "outside")
    commit(first)
    git("push", "--quiet", "origin", "HEAD:main", cwd=first)
    with pytest.raises(UserError, match="or through a link of main: nothing was published"):
        publish(publication(remote))
    assert not (tmp_path / "outside").exists()


@pytest.mark.parametrize("name", ["../../evil.json", "{outside}/evil.json"])
def test_path_out_of_the_repository_is_refused(tmp_path: Path, remote: Path, name: str) -> None:
    with pytest.raises(UserError, match="leads elsewhere"):
        publish(publication(remote, {name.format(outside=tmp_path): b"evil"}))
    assert not (tmp_path / "evil.json").exists()
    assert list_files(remote) == with_results()
