"""Names of builds, accepted and refused."""

from pathlib import Path

import pytest

from runners.harness.builds.build_request import LABELS, PACKAGES, BuildRequest, OtherPackage, parse
from runners.harness.errors import UserError

LOCAL_WHEEL = "aiohttp-4.0.dev1+g1a2b3c-py3-none-any.whl"
NEEDED = ("aiohttp", "gevent", "tornado")


def wheel(name: str, path: str) -> OtherPackage:
    return OtherPackage(name, str(Path(path).absolute()), Path(path).name)


def pinned(name: str, version: str) -> OtherPackage:
    return OtherPackage(name, f"{name}=={version}", f"{name} {version}")


HOSTED = {
    "3.14": BuildRequest("3.14"),
    "3.14+aio-libs/aiohttp@fix/1": BuildRequest(
        "3.14",
        packages=(OtherPackage("aiohttp", "git+https://github.com/aio-libs/aiohttp@fix/1", "aio-libs/aiohttp@fix/1"),),
    ),
    "3.14+aiohttp==4.0.dev1+g1a2b3c+gevent==25.9.1": BuildRequest(
        "3.14", packages=(pinned("aiohttp", "4.0.dev1+g1a2b3c"), pinned("gevent", "25.9.1"))
    ),
    "3.14t+PYTHON_GIL=1+-X cpu_count=2+-Xdev": BuildRequest(
        "3.14t", variables=("PYTHON_GIL=1",), options=("cpu_count=2", "dev")
    ),
}
LOCAL = {
    "patched=/opt/python": BuildRequest("/opt/python", label="patched"),
    "a=/b=c/python": BuildRequest("/b=c/python", label="a"),
    f"3.14+dist/{LOCAL_WHEEL}+PYTHON_JIT=1": BuildRequest(
        "3.14", packages=(wheel("aiohttp", f"dist/{LOCAL_WHEEL}"),), variables=("PYTHON_JIT=1",)
    ),
}


@pytest.mark.parametrize(("text", "request_"), [*HOSTED.items(), *LOCAL.items()])
def test_differences_are_parsed(text: str, request_: BuildRequest) -> None:
    assert parse(text, NEEDED) == request_
    assert request_.names_files is (text in LOCAL)


@pytest.mark.parametrize("label", ["", "patched="])
def test_plus_in_an_interpreters_path_belongs_to_it(tmp_path: Path, label: str) -> None:
    python = tmp_path / "cpython-3.14+freethreaded" / "bin" / "python+t"
    python.parent.mkdir(parents=True)
    python.touch()
    local = python.with_name(LOCAL_WHEEL)
    request = parse(f"{label}{python}+{local}+PYTHON_GIL=1", NEEDED)
    assert (request.interpreter, request.label) == (str(python), label.strip("="))
    assert request.variables == ("PYTHON_GIL=1",)
    assert [package.requirement for package in request.packages] == [str(local)]


def test_variant_never_names_a_path() -> None:
    words = parse("mine=/opt/python+/home/me/dist/aiohttp-4-py3-none-any.whl+PYTHON_JIT=1+-Xgil=0", NEEDED).variant
    assert words == ("mine", "aiohttp-4-py3-none-any.whl", "PYTHON_JIT=1", "-X gil=0")
    assert parse("3.14", NEEDED).variant == ()


NO_PIECES = ("", "aiohttp>=1", "aiohttp @ https://example.org/a.whl", "-Xa=b c", "PYTHONPATH=x", "PYTHON_GIL=$(id)",
             "aio-libs/aiohttp@a b", "aiohttp[speedups]==3.13.5", "aiohttp==3.13.5; python_version>'3'")  # fmt: skip
NO_LABELS = ("my label=3.13", "étiquette=3.13", "=3.13", "a/b=3.13", "x y=/opt/python", f"{'a' * 41}=3.13")


@pytest.mark.parametrize(
    ("text", "remedy"),
    [
        *((text, "names no interpreter") for text in ("", "+aiohttp==1", "aiohttp==3.13.5")),
        *((text, LABELS) for text in NO_LABELS),
        *((f"3.14+{piece}", PACKAGES) for piece in NO_PIECES),
        ("3.14+dist/aiohttp.whl", "'aiohttp.whl' is not a wheel's name"),
        ("3.14+flask==1", "aiohttp, gevent, tornado"),
    ],
)
def test_anything_else_is_refused_with_a_remedy(text: str, remedy: str) -> None:
    with pytest.raises(UserError) as refusal:
        parse(text, NEEDED)
    assert remedy in str(refusal.value)
