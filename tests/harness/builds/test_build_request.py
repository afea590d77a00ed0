"""What a user may name a build by, and what is said of the rest."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from runners.harness.builds.build_request import BuildRequest, OtherPackage, asked_again, parse
from runners.harness.errors import UserError

WHEEL = "gevent-1-py3-none-any.whl"
LOCAL_WHEEL = "aiohttp-4.0.dev1+g1a2b3c-py3-none-any.whl"
PACKAGES = ("aiohttp", "gevent", "tornado")
NAMED: dict[str, BuildRequest] = {
    "3.14": BuildRequest("3.14"),
    "patched=/opt/python": BuildRequest("/opt/python", label="patched"),
    "3.14+aiohttp==3.13.5": BuildRequest(
        "3.14", packages=(OtherPackage("aiohttp", "aiohttp==3.13.5", "aiohttp 3.13.5"),)
    ),
    "3.14+aio-libs/aiohttp@fix/1": BuildRequest(
        "3.14",
        packages=(OtherPackage("aiohttp", "git+https://github.com/aio-libs/aiohttp@fix/1", "aio-libs/aiohttp@fix/1"),),
    ),
    f"3.14+dist/{WHEEL}": BuildRequest(
        "3.14",
        packages=(OtherPackage("gevent", str(Path(f"dist/{WHEEL}").absolute()), WHEEL),),
    ),
    f"3.14+dist/{LOCAL_WHEEL}+PYTHON_JIT=1": BuildRequest(
        "3.14",
        packages=(OtherPackage("aiohttp", str(Path(f"dist/{LOCAL_WHEEL}").absolute()), LOCAL_WHEEL),),
        variables=("PYTHON_JIT=1",),
    ),
    "3.14+aiohttp==4.0.dev1+g1a2b3c+gevent==25.9.1": BuildRequest(
        "3.14",
        packages=(
            OtherPackage("aiohttp", "aiohttp==4.0.dev1+g1a2b3c", "aiohttp 4.0.dev1+g1a2b3c"),
            OtherPackage("gevent", "gevent==25.9.1", "gevent 25.9.1"),
        ),
    ),
    "3.14t+PYTHON_GIL=1+-X cpu_count=2+-Xdev": BuildRequest(
        "3.14t", variables=("PYTHON_GIL=1",), options=("cpu_count=2", "dev")
    ),
}


@pytest.mark.parametrize("text", NAMED)
def test_what_is_different_is_read(text: str) -> None:
    assert parse(text, PACKAGES) == NAMED[text]


def test_a_plus_in_the_path_of_an_interpreter_is_part_of_it(tmp_path: Path) -> None:
    python = tmp_path / "cpython-3.14+freethreaded" / "bin" / "python+t"
    python.parent.mkdir(parents=True)
    python.touch()
    wheel = python.with_name(LOCAL_WHEEL)
    for label in ("", "patched"):
        named = f"{label}{'=' * bool(label)}{python}"
        assert parse(named, PACKAGES) == BuildRequest(str(python), label=label)
        asked = parse(f"{named}+{wheel}+PYTHON_GIL=1", PACKAGES)
        assert (asked.interpreter, asked.label, asked.variables) == (str(python), label, ("PYTHON_GIL=1",))
        assert [package.requirement for package in asked.packages] == [str(wheel)]


def test_what_a_variant_was_called_is_asked_for_again_as_a_user_writes_it() -> None:
    words = ["mine", "aiohttp 3.13.5", f"{WHEEL} 1a2b3c4d", "gevent/gevent@0a1b", "PYTHON_JIT=1", "-X dev"]
    assert asked_again(words) == ("mine", ["aiohttp==3.13.5", WHEEL, "gevent/gevent@0a1b"])


def test_a_variant_is_named_by_what_differs_and_never_by_a_path() -> None:
    words = parse("mine=/opt/python+/home/me/dist/aiohttp-4-py3-none-any.whl+PYTHON_JIT=1+-Xgil=0", PACKAGES).words
    assert words == ("mine", "aiohttp-4-py3-none-any.whl", "PYTHON_JIT=1", "-X gil=0")
    assert parse("3.14", PACKAGES).words == ()


REFUSED = {
    "": "names no interpreter",
    "+aiohttp==1": "names no interpreter",
    "aiohttp==3.13.5": "names no interpreter: begin with a version: 3.14",
    "my label=3.13": "'my label' is no label: a label has letters, digits, and behind the first also . _ and -",
    "étiquette=3.13": "'étiquette' is no label",
    "=3.13": "'' is no label",
    f"{'a' * 41}=3.13": "is no label",
    "a/b=3.13": "'a/b' is no label",
    "x y=/opt/python": "'x y' is no label",
    "a+b=3.13": "with = and a value; a label has letters",
    "a+b=~/python": "with = and a value; a label has letters",
    "3.14+dist/aiohttp.whl": "'aiohttp.whl' is no wheel's name: leave a wheel the name that it was built with",
    "3.14+": "is none of what can follow a +",
    "3.14+flask==1": "no runner needs 'flask'; a variant can have other versions of aiohttp, gevent, tornado",
    "3.14+aiohttp>=1": "is none of what can follow a +: name==version",
    "3.14+aiohttp @ https://example.org/a.whl": "is none of what can follow a +",
    "3.14+PYTHONPATH=x": "is none of what can follow a +",
    "3.14+PYTHON_GIL=$(id)": "is none of what can follow a +",
    "3.14t+PYTHON_GIL=2": "PYTHON_GIL takes 0 or 1, not '2'",
    "3.14+PYTHONHASHSEED=x": "PYTHONHASHSEED takes a number of at most nine digits, or random, not 'x'",
    "3.14+PYTHONMALLOC=jemalloc": "PYTHONMALLOC takes default, debug, or malloc, pymalloc or mimalloc",
    "3.14+-Xcpu_count=0": "cpu_count takes a number from 1 up, or default, not '0'",
    "3.14t+-Xgil": "gil takes 0 or 1, not ''",
    "3.14+-Xa=b c": "is none of what can follow a +",
    "3.14+aiohttp[speedups]==3.13.5": "is none of what can follow a +",
    "3.14+aiohttp==3.13.5; python_version>'3'": "is none of what can follow a +",
    "3.14+aio-libs/aiohttp@a b": "is none of what can follow a +",
}


@pytest.mark.parametrize("text", REFUSED)
def test_anything_else_is_refused_with_what_can_be_written(text: str) -> None:
    with pytest.raises(UserError, match=re.escape(REFUSED[text])):
        parse(text, PACKAGES)


def test_of_what_is_nearly_a_switch_or_a_version_nothing_is_said_of_labels() -> None:
    for text in ("3.14+PYTHONPATH=3", "3.14+aiohttp>=3", "3.14+flask"):
        with pytest.raises(UserError) as refused:
            parse(text, PACKAGES)
        assert "label" not in str(refused.value)


def test_a_wheel_is_offered_only_where_a_build_may_name_files() -> None:
    for may_name_files in (True, False):
        with pytest.raises(UserError) as refused:
            parse("3.14+wheel", PACKAGES, may_name_files=may_name_files)
        assert ("a wheel's path" in str(refused.value)) is may_name_files


def test_the_sign_of_a_home_folder_is_taken_as_by_a_shell_which_sees_none_behind_a_label(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(Path, "expanduser", lambda path: Path(str(path).replace("~", "/home/me")))
    asked = parse(f"base=~/python+~/dist/{WHEEL}", PACKAGES)
    assert asked.interpreter == str(Path("/home/me/python"))
    assert [package.requirement for package in asked.packages] == [str(Path(f"/home/me/dist/{WHEEL}").absolute())]


def test_a_path_with_an_equals_sign_is_no_label(tmp_path: Path) -> None:
    assert parse(f"{tmp_path}/a=b/python", PACKAGES).interpreter == f"{tmp_path}/a=b/python"


def test_what_names_files_of_this_machine_is_known() -> None:
    local = ["/opt/python", "mine=./python", f"3.14+dist/{WHEEL}"]
    assert all(parse(text, PACKAGES).is_of_this_machine for text in local)
    assert not any(parse(text, PACKAGES).is_of_this_machine for text in NAMED if "/" not in text or "@" in text)
