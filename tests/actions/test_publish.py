"""Publishing beside others: nothing is lost, nothing doubled, and a refusal is told."""

from __future__ import annotations

import os
import subprocess
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import TYPE_CHECKING

import outside
import pytest

from actions.publish import Publication, PublishError, _RemoteError, publish

if TYPE_CHECKING:
    from pathlib import Path

AT_ONCE = int(os.environ.get("PUBLISHERS", "40"))
"""As many as a busy repository may see at most, which takes half a minute; PUBLISHERS=12 takes less."""


def git(*arguments: str, cwd: Path) -> str:
    return subprocess.run(["git", *arguments], cwd=cwd, check=True, capture_output=True, text=True).stdout.strip()  # noqa: S603, S607


@pytest.fixture
def remote(tmp_path: Path) -> Path:
    bare, first = tmp_path / "remote.git", tmp_path / "first"
    git("init", "--quiet", "--bare", "--initial-branch=main", str(bare), cwd=tmp_path)
    git("clone", "--quiet", str(bare), str(first), cwd=tmp_path)
    (first / "README").write_text("here\n")
    git("add", ".", cwd=first)
    git("-c", "user.name=t", "-c", "user.email=t@example.org", "commit", "--quiet", "-m", "first", cwd=first)
    git("push", "--quiet", "origin", "HEAD:main", cwd=first)
    return bare


def publication(tmp_path: Path, remote: Path, name: str, target: str = "results") -> Publication:
    folder = tmp_path / f"files-{name}" / "2026-01-01" / name
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "a.json").write_text(name)
    names = frozenset(f"2026-01-01/{name}/{file}" for file in ("a.json", "b.json", "cells.json"))
    return Publication(
        tmp_path / f"files-{name}", names, target, f"file://{remote}", "main", f"Results of {name}", wait=lambda _: None
    )


def published(remote: Path, branch: str = "main") -> set[str]:
    return set(git("ls-tree", "-r", "--name-only", branch, cwd=remote).splitlines())


def test_files_are_added_and_what_was_there_stays(tmp_path: Path, remote: Path) -> None:
    head = publish(publication(tmp_path, remote, "run-1"))
    assert published(remote) == {"README", "results/2026-01-01/run-1/a.json"}
    assert git("rev-parse", "main", cwd=remote) == head


def test_publishing_again_changes_nothing(tmp_path: Path, remote: Path) -> None:
    wanted = publication(tmp_path, remote, "run-1")
    assert publish(wanted) == publish(wanted)
    assert git("rev-list", "--count", "main", cwd=remote) == "2"


def test_what_a_re_run_of_failed_jobs_adds_joins_the_run_s_folder(tmp_path: Path, remote: Path) -> None:
    wanted = publication(tmp_path, remote, "run-1")
    publish(wanted)
    (run,) = wanted.files.rglob("run-1")
    (run / "b.json").write_text("the cell that failed at first")
    publish(wanted)
    assert published(remote) == {"README", "results/2026-01-01/run-1/a.json", "results/2026-01-01/run-1/b.json"}


def test_many_at_once_lose_nothing_and_double_nothing(tmp_path: Path, remote: Path) -> None:
    wanted = [publication(tmp_path, remote, f"run-{number}") for number in range(AT_ONCE)]
    with ThreadPoolExecutor(AT_ONCE) as pool:
        list(pool.map(publish, wanted))
    expected = {f"results/2026-01-01/run-{number}/a.json" for number in range(AT_ONCE)}
    assert published(remote) == expected | {"README"}
    assert git("rev-list", "--count", "main", cwd=remote) == str(AT_ONCE + 1)


def test_a_refused_push_is_told_and_not_tried_for_ever(tmp_path: Path, remote: Path) -> None:
    hook = remote / "hooks" / "pre-receive"
    hook.write_text("#!/bin/sh\necho 'changes must be made through a pull request' >&2\nexit 1\n")
    hook.chmod(0o755)
    waits: list[float] = []
    wanted = replace(publication(tmp_path, remote, "run-1"), wait=waits.append)
    with pytest.raises(PublishError, match="did not take the results: changes must be made through a pull"):
        publish(wanted)
    assert waits == []


def test_a_branch_that_is_not_there_is_made_from_the_default_branch(tmp_path: Path, remote: Path) -> None:
    wanted = replace(publication(tmp_path, remote, "run-1"), branch="results")
    head = publish(wanted)
    assert git("rev-parse", "results", cwd=remote) == head
    assert git("rev-parse", "results^", cwd=remote) == git("rev-parse", "main", cwd=remote)
    assert published(remote, "results") == {"README", "results/2026-01-01/run-1/a.json"}
    assert published(remote) == {"README"}
    assert publish(wanted) == head


def test_a_branch_that_several_make_at_once_has_the_files_of_all(tmp_path: Path, remote: Path) -> None:
    wanted = [replace(publication(tmp_path, remote, f"run-{number}"), branch="new/results") for number in range(4)]
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(publish, wanted))
    expected = {f"results/2026-01-01/run-{number}/a.json" for number in range(4)}
    assert published(remote, "new/results") == expected | {"README"}


@pytest.mark.parametrize("branch", ["a:b", "", "*", "a b", "../x"])
def test_what_can_name_no_branch_is_refused(tmp_path: Path, remote: Path, branch: str) -> None:
    with pytest.raises(PublishError, match="can't name a branch"):
        publish(replace(publication(tmp_path, remote, "run-1"), branch=branch))


def test_a_repository_that_does_not_answer_at_first_is_asked_again(tmp_path: Path, remote: Path) -> None:
    away, waits = remote.with_name("away"), []

    def wait(seconds: float) -> None:
        waits.append(seconds)
        if len(waits) == 3:
            away.rename(remote)

    remote.rename(away)
    publish(replace(publication(tmp_path, remote, "run-1"), wait=wait))
    assert len(waits) == 3
    assert published(remote) == {"README", "results/2026-01-01/run-1/a.json"}


def test_a_repository_that_never_answers_is_told(tmp_path: Path) -> None:
    with pytest.raises(PublishError, match=r"main did not take the results: fatal: .*nowhere.git"):
        publish(publication(tmp_path, tmp_path / "nowhere.git", "run-1"))


def test_a_file_on_the_branch_is_never_changed_but_named_and_the_rest_published(tmp_path: Path, remote: Path) -> None:
    kept: list[str] = []
    wanted = replace(publication(tmp_path, remote, "run-1"), tell=kept.append)
    publish(wanted)
    (wanted.files / "2026-01-01" / "run-1" / "a.json").write_text("made up")
    (wanted.files / "2026-01-01" / "run-1" / "b.json").write_text("new")
    publish(wanted)
    assert kept == ["results/2026-01-01/run-1/a.json"]
    assert git("show", "main:results/2026-01-01/run-1/a.json", cwd=remote) == "run-1"
    assert git("show", "main:results/2026-01-01/run-1/b.json", cwd=remote) == "new"


@pytest.mark.parametrize(
    "said",
    [
        "remote: Write access to repository not granted.\nfatal: The requested URL returned error: 403",
        "remote: Write access to repository not granted.",
        "fatal: unable to access: The requested URL returned error: 403",
    ],
)
def test_of_a_token_that_may_only_read_it_is_told_what_to_do(said: str) -> None:
    error = _RemoteError(said)
    assert error.is_final
    assert "the workflow's token may only read: whoever owns the repository" in str(error)
    assert str(error).startswith(("Write access to repository not granted", "fatal: unable to access"))


class Forbidding(outside.Quiet):
    """Answers as GitHub answers who may not write."""

    def do_GET(self) -> None:  # noqa: N802 - the base class's name
        self.send_error(403)


def test_a_server_that_forbids_is_asked_once(tmp_path: Path, remote: Path) -> None:
    waits: list[float] = []
    with outside.serving(tmp_path, Forbidding) as address:
        wanted = replace(publication(tmp_path, remote, "run-1"), remote=f"{address}a/b", wait=waits.append)
        with pytest.raises(PublishError, match=r"error: 403; the workflow's token may only read"):
            publish(wanted)
    assert waits == []


def test_the_list_of_cells_alone_may_change(tmp_path: Path, remote: Path) -> None:
    wanted = publication(tmp_path, remote, "run-1")
    for text in ("one failed", "all came back"):
        (wanted.files / "2026-01-01" / "run-1" / "cells.json").write_text(text)
        publish(wanted)
    assert git("show", "main:results/2026-01-01/run-1/cells.json", cwd=remote) == "all came back"


@pytest.mark.parametrize(
    "name", ["c.json", "README", "../2026-01-02/run-1/a.json", "../run-2/a.json", "deeper/a.json", ".git/config"]
)
def test_a_path_that_is_not_of_the_plan_is_refused_by_name(tmp_path: Path, remote: Path, name: str) -> None:
    wanted = publication(tmp_path, remote, "run-1")
    path = wanted.files / "2026-01-01" / "run-1" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("evil")
    with pytest.raises(PublishError, match=f"{path.name}' is no file of this run's plan: nothing was published"):
        publish(wanted)
    assert published(remote) == {"README"}


@pytest.mark.parametrize("kind", ["file", "folder", "broken", "pipe"])
def test_what_is_not_a_plain_file_is_refused_by_name(tmp_path: Path, remote: Path, kind: str) -> None:
    wanted = publication(tmp_path, remote, "run-1")
    path = wanted.files / "2026-01-01" / "run-1" / "b.json"
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").write_text("a secret")
    if kind == "pipe":
        os.mkfifo(path)
    else:
        path.symlink_to(tmp_path / kind)
    with pytest.raises(PublishError, match=r"b.json' is not a plain file: nothing was published"):
        publish(wanted)
    assert published(remote) == {"README"}


def test_nothing_is_written_through_a_link_of_the_branch(tmp_path: Path, remote: Path) -> None:
    first = tmp_path / "first"
    (first / "results").symlink_to(tmp_path)
    git("add", ".", cwd=first)
    git("-c", "user.name=t", "-c", "user.email=t@example.org", "commit", "--quiet", "-m", "link", cwd=first)
    git("push", "--quiet", "origin", "HEAD:main", cwd=first)
    with pytest.raises(PublishError, match="is no folder of the repository"):
        publish(publication(tmp_path, remote, "run-1"))
    assert not (tmp_path / "2026-01-01").exists()


def test_a_folder_without_files_is_told(tmp_path: Path, remote: Path) -> None:
    with pytest.raises(PublishError, match="none holds no files to publish"):
        publish(replace(publication(tmp_path, remote, "run-1"), files=tmp_path / "none"))


@pytest.mark.parametrize("target", ["..", "../elsewhere", ".", "/tmp"])  # noqa: S108 - never written to
def test_a_target_outside_the_repository_is_refused(tmp_path: Path, remote: Path, target: str) -> None:
    with pytest.raises(PublishError, match="is no folder of the repository"):
        publish(publication(tmp_path, remote, "run-1", target))
