"""A run keeps how its builds were requested."""

from dataclasses import replace
from pathlib import Path

import pytest
from planted import prepared

from runners.harness.builds import kept_requests
from runners.harness.builds.build_request import BuildRequest, OtherPackage
from runners.harness.builds.interpreters import Prepared
from runners.harness.errors import UserError

RUN = "20261126T101112Z-0a1b2c3d"
NAME = prepared("3.13.0").name


@pytest.fixture
def build(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Prepared:
    """Keep a build of a run."""
    monkeypatch.setattr(kept_requests, "KEPT", tmp_path / "runs")
    python = tmp_path / "python"
    python.touch()
    wheel = OtherPackage("gevent", str(tmp_path / "gevent-1-py3-none-any.whl"), "gevent-1-py3-none-any.whl 1a2b3c4d")
    request = BuildRequest(str(python), "mine", (wheel,), ("PYTHON_GIL=0",), ("dev",), "mine=python+gevent")
    made = replace(prepared("3.13.0"), python=python, request=request)
    kept_requests.keep(RUN, [made])
    return made


def test_request_is_kept_until_the_run_is_complete(build: Prepared) -> None:
    (kept,) = kept_requests.find(RUN, [NAME])
    assert (kept, kept.text) == (build.request, build.request.text)
    kept_requests.forget(RUN)
    kept_requests.forget(RUN)
    assert [*kept_requests.KEPT.iterdir()] == []


@pytest.mark.parametrize("content", [None, b"{", b'{"cpython-3.13.0": ["/a/python"]}'])
@pytest.mark.usefixtures("build")
def test_unknown_builds_and_runs_are_refused(content: bytes | None) -> None:
    (path,) = kept_requests.KEPT.iterdir()
    if content:
        path.write_bytes(content)
    for run, name in ((RUN, "another"), (f"../runs/{RUN}", NAME), *([(RUN, NAME)] if content else [])):
        with pytest.raises(UserError, match="start a new run"):
            kept_requests.find(run, [name])
