"""The plan of a dispatch, and what is refused."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import msgspec
import pytest

from actions import dispatch
from runners.harness import matrix
from runners.harness.catalogue.scenarios import find
from runners.harness.errors import UnknownNameError, UserError
from runners.harness.matrix import Machine

if TYPE_CHECKING:
    from pathlib import Path

    from actions.run_plan import Plan

SCENARIOS = [*find()]


def planned(**inputs: str) -> Plan:
    return dispatch.make_plan(inputs, SCENARIOS)


def test_default_is_a_published_quick_run_of_everything() -> None:
    made, known = planned(), matrix.read()
    assert (made.profile, made.rounds, made.scenarios, made.publish, made.note) == ("quick", 3, [], True, "")
    assert len(made.cells) == len(known.machine) * len(known.pythons) - len(known.exclude)
    assert made.excluded == known.exclude


def test_names_keep_the_order_of_the_file() -> None:
    made = planned(machines="macos-26,  ubuntu-24.04", pythons="3.14t 3.10", scenarios="power, primes", rounds=" 15 ")
    assert [cell.id for cell in made.cells] == [
        "ubuntu-24.04--3.10",
        "ubuntu-24.04--3.14t",
        "macos-26--3.10",
        "macos-26--3.14t",
    ]
    assert (made.scenarios, made.rounds) == (["power", "primes"], 15)
    assert [(job.id, job.pythons) for job in made.jobs] == [
        ("ubuntu-24.04--job1", ["3.14", "3.10", "3.14t"]),
        ("macos-26--job1", ["3.14", "3.10", "3.14t"]),
    ]


def test_each_repeat_is_a_job_of_its_own() -> None:
    made = planned(machines="ubuntu-24.04", pythons="3.13, 3.14", repeats="3")
    assert [(job.id, [cell.id for cell in job.cells]) for job in made.jobs] == [
        ("ubuntu-24.04--job1", ["ubuntu-24.04--3.14"]),
        ("ubuntu-24.04--job2", ["ubuntu-24.04--3.13"]),
        ("ubuntu-24.04--job1--run2", ["ubuntu-24.04--3.14--run2"]),
        ("ubuntu-24.04--job2--run2", ["ubuntu-24.04--3.13--run2"]),
        ("ubuntu-24.04--job1--run3", ["ubuntu-24.04--3.14--run3"]),
        ("ubuntu-24.04--job2--run3", ["ubuntu-24.04--3.13--run3"]),
    ]
    files = [name for job in made.jobs for name in job.result_files]
    assert len({*files}) == len(files) == 9
    assert [one["builds"] for one in dispatch.list_jobs(made, matrix.read().minutes)][::2] == [
        "3.14",
        "3.14, run 2",
        "3.14, run 3",
    ]


def test_schedule_repeats_as_matrix_toml_says() -> None:
    known = msgspec.structs.replace(matrix.read(), repeats=2)
    for inputs, repeats in (({"profile": "full"}, 2), ({"repeats": "1"}, 1)):
        assert dispatch.make_plan(inputs, SCENARIOS, known).jobs[-1].repeat == repeats
    for wrong in (0, 11, "2"):
        with pytest.raises(msgspec.ValidationError):
            msgspec.convert({**msgspec.to_builtins(known), "repeats": wrong}, matrix.Matrix)


def test_excluded_cell_has_its_reason() -> None:
    made = planned(machines="windows-11-arm", pythons="3.10,3.13")
    assert [cell.python for cell in made.cells] == ["3.13"]
    assert [one.python for one in made.excluded] == ["3.10"]
    with pytest.raises(UserError, match=r"no cell is left to measure: windows-11-arm with 3\.10: there is no build"):
        planned(machines="windows-11-arm", pythons="3.10")
    made = planned(machines="windows-11-arm", pythons="3.10+PYTHONHASHSEED=0, 3.13")
    assert [each.python for each in made.excluded] == ["3.10+PYTHONHASHSEED=0"]


@pytest.mark.parametrize(
    ("inputs", "known"),
    [
        ({"machines": "ubuntu-latest"}, "ubuntu-24.04"),
        ({"machines": "$(reboot)"}, "ubuntu-24.04"),
        ({"machines": 'ubuntu-24.04"; echo x; "'}, "ubuntu-24.04-arm"),
        ({"pythons": "2.7"}, "3.14t"),
        ({"pythons": "3.14\n3.99"}, "3.14t"),
        ({"scenarios": "primes;ls"}, "gil_wait"),
        ({"profile": "fast"}, "full"),
        ({"publish": "`id`"}, "yes"),
        ({"machines": ",".join(f"m{number}" for number in range(300))}, "ubuntu-24.04"),
    ],
)
def test_unknown_name_is_refused_with_the_known_ones(inputs: dict[str, str], known: str) -> None:
    with pytest.raises(UnknownNameError, match=known):
        planned(**inputs)


@pytest.mark.parametrize("name", ["rounds", "repeats"])
@pytest.mark.parametrize("number", ["0", "25", "-1", "2; ls", "\u0663", "1.5", "9" * 400])
def test_number_out_of_bounds_is_refused(name: str, number: str) -> None:
    with pytest.raises(UserError, match=f"^{name} is .*; it must be a number from 1 to "):
        planned(**{name: number})


@pytest.mark.parametrize("note", ["<script>", "a\nb", "`id`", "$(id)", "x" * 201, "[l](j)", "\u202e"])
def test_note_is_plain_text(note: str) -> None:
    with pytest.raises(UserError, match="note"):
        planned(note=note)
    assert planned(note=" before the upgrade, again ").note == "before the upgrade, again"


def test_job_has_three_builds_and_the_reference() -> None:
    known = matrix.read()
    jobs = planned(machines="ubuntu-24.04").jobs
    assert [job.pythons for job in jobs] == [
        ["3.14"],
        ["3.14", "3.10", "3.11", "3.12"],
        ["3.14", "3.13", "3.15", "3.13t"],
        ["3.14", "3.14t", "3.15t", "pypy3.11"],
    ]
    assert sum(len(job.pythons) for job in jobs) == 13
    assert len({name for job in jobs for name in job.result_files}) == 3 + len(known.pythons)


def test_builds_of_one_interpreter_share_a_job() -> None:
    aiohttp, git, gil = "3.13+aiohttp==3.13.5", "3.13+tornadoweb/tornado@master", "3.14t+PYTHON_GIL=1"
    made = planned(machines="ubuntu-24.04", pythons=f"{aiohttp}, {git}, 3.10, {gil}, 3.13")
    assert [job.pythons[1:] for job in made.jobs] == [["3.10"], ["3.13", aiohttp, git], [gil]]


def test_cells_of_variants_have_unique_file_names() -> None:
    variants = [
        "3.13+aiohttp==3.13.5",
        "3.13+aiohttp==3.13-5",
        "3.13+tornadoweb/tornado@a/b",
        "3.13+tornadoweb/tornado@a-b",
    ]
    ids = [cell.id for cell in planned(machines="ubuntu-24.04", pythons=",".join([*variants, "3.13"])).cells]
    assert len({*map(str.lower, ids)}) == 5
    assert all(re.fullmatch(r"ubuntu-24\.04--[A-Za-z0-9._+-]{1,69}", one) for one in ids)
    assert "ubuntu-24.04--3.13" in ids
    assert not any(one.endswith(("--3.13+aiohttp--3.13.5", "@master")) for one in ids)


@pytest.mark.parametrize(
    ("python", "words"),
    [
        ("3.13+/tmp/aiohttp-4.0-py3-none-any.whl", "names a file"),
        ("/usr/bin/python3", "names a file"),
        ("a=/usr/bin/python3", "names a file"),
        ("3.13+numpy==2.0", "no runner needs 'numpy'"),
        ("3.13+evil/numpy@main", "no runner needs 'numpy'"),
        ("3.13+LD_PRELOAD=x", "can't follow a +"),
        ("3.13+git+https://example.org/aiohttp", "can't follow a +"),
        ("3.13+aiohttp@https://example.org/aiohttp.whl", "can't follow a +"),
        ("3.13+aiohttp==1;python_version>'3'", "can't follow a +"),
        ("3.13+aiohttp===<script>", "can't follow a +"),
        ("3.13+aiohttp==1" + "0" * 150, "a name has at most"),
        ("3.13+PYTHON_GIL=1" * 10, "can't follow a +"),
        ("+PYTHON_GIL=1", "names no interpreter"),
        ("aiohttp==3.13.5", "begin with a version"),
        ("3.14t+PYTHON_GIL=1+PYTHON_GIL=0", "names PYTHON_GIL twice"),
        ("3.14+PYTHON_GIL=0", "3.14 always has the GIL"),
        ("3.13+-Xgil=0", "3.13 always has the GIL"),
        ("3.13+tornado==6.5+tornadoweb/tornado@master", "names tornado twice"),
        (
            "3.14+aio-libs/aiohttp@master",
            "does not build as it is cloned",
        ),
        ("2.7+PYTHON_GIL=1", "no Python is called '2.7'"),
        ("3.14.2", "no Python is called '3.14.2'"),
    ],
)
def test_build_that_no_hosted_run_may_have_is_refused(python: str, words: str) -> None:
    with pytest.raises(UserError, match=re.escape(words)):
        planned(pythons=f"3.13, {python}")


def test_labelled_interpreter_belongs_to_its_machine() -> None:
    known = matrix.read()
    mine = Machine("mine", "a machine of my own", ["main=/opt/main/python", "branch=/opt/branch/python"])
    known = msgspec.structs.replace(known, machine=[known.machine[0], mine])

    def of(**inputs: str) -> list[list[str]]:
        return [job.pythons for job in dispatch.make_plan(inputs, SCENARIOS, known).jobs if job.machine == "mine"]

    assert of(pythons="branch, main, 3.13", machines="mine") == [["3.14", "3.13", "main", "branch"]]
    assert of(machines="all")[-1][-2:] == ["main", "branch"]
    assert not {"main", "branch"} & {cell.python for cell in dispatch.make_plan({}, SCENARIOS, known).jobs[0].cells}
    assert of(pythons="branch+PYTHON_JIT=1", machines="mine") == [["3.14", "branch+PYTHON_JIT=1"]]
    with pytest.raises(UserError, match="no Python is called 'main'"):
        dispatch.make_plan({"machines": "ubuntu-24.04", "pythons": "main"}, SCENARIOS, known)
    with pytest.raises(UserError, match="names a file"):
        of(machines="mine", pythons="main=/etc/passwd")


def test_machine_may_have_its_own_reference() -> None:
    known = matrix.read()
    mine = Machine("mine", "", ["base=/opt/base/python", "branch=/opt/branch/python"], "base")
    known = msgspec.structs.replace(known, machine=[known.machine[0], mine])

    def of(machines: str, pythons: str, known: matrix.Matrix = known) -> list[list[str]]:
        inputs = {"machines": machines, "pythons": pythons}
        return [job.pythons for job in dispatch.make_plan(inputs, SCENARIOS, known).jobs]

    assert of("mine", "branch") == [["base", "branch"]]
    assert of("mine", "base, branch") == [["base"], ["base", "branch"]]
    assert of("mine", "base+you/gevent@branch") == [["base", "base+you/gevent@branch"]]
    assert of(known.machine[0].label, "3.13") == [["3.14", "3.13"]]
    wrong = msgspec.structs.replace(known, machine=[msgspec.structs.replace(mine, reference="bas")])
    with pytest.raises(UnknownNameError, match="no Python is called 'bas'"):
        of("mine", "branch", wrong)


def test_reference_that_a_machine_excludes_is_refused() -> None:
    known = matrix.read()
    there, own = known.machine[0].label, msgspec.structs.replace(known.machine[0], reference="3.13")
    excluded = [*known.exclude, matrix.Exclusion(there, known.reference, "it is not built there")]
    inputs = {"machines": there, "pythons": "3.13"}
    with pytest.raises(UserError, match=f"{there} can't measure 3.14, the reference of its builds: name another"):
        dispatch.make_plan(inputs, SCENARIOS, msgspec.structs.replace(known, exclude=excluded))
    with_own = msgspec.structs.replace(known, exclude=excluded, machine=[own])
    assert [job.pythons for job in dispatch.make_plan(inputs, SCENARIOS, with_own).jobs] == [["3.13"]]


def test_mistake_in_matrix_toml_is_named_with_its_field(tmp_path: Path) -> None:
    file = tmp_path / "matrix.toml"
    text = matrix.FILE.read_text(encoding="utf-8")
    for wrong, said in (
        ('label = "quiet box"', r"\$\.machine\[0\]\.label"),
        ("label = quiet", "Invalid value|invalid"),
    ):
        file.write_text(re.sub(r"^label = .*$", wrong, text, count=1, flags=re.MULTILINE), encoding="utf-8")
        with pytest.raises(UserError, match=rf"(?s)^matrix\.toml can't be read: .*({said})"):
            matrix.read(file)


@pytest.mark.parametrize("interpreter", ["a", "a--run2=/opt/python", "../a=/opt/python", "a=/opt/b+c"])
def test_unusable_label_of_an_interpreter_is_refused(interpreter: str) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"label": "mine", "about": "", "interpreters": [interpreter]}, Machine)
