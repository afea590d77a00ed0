"""The plan of a dispatch, and refused inputs."""

import re
from pathlib import Path

import msgspec
import pytest

from actions import dispatch
from actions.run_plan import Plan
from runners.harness import matrix
from runners.harness.catalogue.scenarios import find
from runners.harness.errors import UserError
from runners.harness.matrix import Machine

SCENARIOS = [*find()]
KNOWN = matrix.read()


def plan(**inputs: str) -> Plan:
    return dispatch.make_plan(inputs, SCENARIOS)


def test_default_is_a_published_quick_run_of_everything() -> None:
    usual = plan()
    assert (usual.profile, usual.rounds, usual.scenarios, usual.publish, usual.note) == ("quick", 3, [], True, "")
    assert len(usual.cells) == len(KNOWN.machine) * len(KNOWN.pythons) - len(KNOWN.exclude)
    assert usual.excluded == KNOWN.exclude


def test_names_keep_the_order_of_the_file() -> None:
    made = plan(machines="macos-26,  ubuntu-24.04", pythons="3.14t 3.10", scenarios="power, primes", rounds=" 15 ")
    cells = [f"{machine}--{python}" for machine in ("ubuntu-24.04", "macos-26") for python in ("3.10", "3.14t")]
    assert [cell.id for cell in made.cells] == cells
    assert (made.scenarios, made.rounds) == (["power", "primes"], 15)
    assert [job.id for job in made.jobs] == ["ubuntu-24.04--job1", "macos-26--job1"]
    assert [job.pythons for job in made.jobs] == [["3.14", "3.10", "3.14t"]] * 2


def test_each_repeat_is_a_job_of_its_own() -> None:
    made = plan(machines="ubuntu-24.04", pythons="3.13, 3.14", repeats="3")
    assert [(job.id, [cell.id for cell in job.cells]) for job in made.jobs] == [
        (f"ubuntu-24.04--job{job}{end}", [f"ubuntu-24.04--{python}{end}"])
        for end in ("", "--run2", "--run3")
        for job, python in ((1, "3.14"), (2, "3.13"))
    ]
    files = [name for job in made.jobs for name in job.result_files]
    assert len({*files}) == len(files) == 9
    builds = [row["builds"] for row in dispatch.list_jobs(made, KNOWN.minutes)]
    assert builds[::2] == ["3.14", "3.14--run2", "3.14--run3"]


@pytest.mark.parametrize("python", ["3.10", "3.10+PYTHONHASHSEED=0"])
def test_excluded_cell_has_its_reason(python: str) -> None:
    made = plan(machines="windows-11-arm", pythons=f"{python}, 3.13")
    assert [cell.python for cell in made.cells] == ["3.13"]
    assert [each.python for each in made.excluded] == [python]
    with pytest.raises(UserError, match=re.escape(f"windows-11-arm with {python}: there is no build")):
        plan(machines="windows-11-arm", pythons=python)


@pytest.mark.parametrize(
    ("inputs", "known"),
    [
        ({"machines": "ubuntu-latest"}, "ubuntu-24.04"),
        ({"machines": 'ubuntu-24.04"; echo x; "'}, "ubuntu-24.04-arm"),
        ({"pythons": "2.7"}, "3.14t"),
        ({"pythons": "3.14\n3.99"}, "3.14t"),
        ({"scenarios": "primes;ls"}, "gil_wait"),
        ({"profile": "fast"}, "full"),
        ({"publish": "`id`"}, "yes"),
    ],
)
def test_unknown_name_is_refused_with_the_known_ones(inputs: dict[str, str], known: str) -> None:
    with pytest.raises(UserError, match=known):
        plan(**inputs)


def test_all_mistakes_are_named_at_once() -> None:
    inputs = {"machines": "linux, ubuntu-24.04", "pythons": "2.7, 3.14, 1.5", "rounds": "99", "note": "<b>"}
    with pytest.raises(UserError) as refused:
        plan(**inputs, profile="fast", publish="perhaps", repeats="0", scenarios="prims")
    lines = str(refused.value).splitlines()
    assert len(lines) == 9
    for quoted in ("'fast'", "'perhaps'", "'99'", "'0'", "note", "'prims'", "'linux'", "'2.7'", "'1.5'"):
        assert sum(quoted in line for line in lines) == 1


@pytest.mark.parametrize("name", ["rounds", "repeats"])
@pytest.mark.parametrize("number", ["0", "25", "-1", "2; ls", "\u0663", "1.5", "9" * 400])
def test_number_out_of_bounds_is_refused(name: str, number: str) -> None:
    with pytest.raises(UserError, match=f"^{name} is .*; it must be a number from 1 to "):
        plan(**{name: number})


@pytest.mark.parametrize("note", ["<script>", "a\nb", "`id`", "$(id)", "x" * 201, "[l](j)", "\u202e"])
def test_note_is_plain_text(note: str) -> None:
    with pytest.raises(UserError, match="note"):
        plan(note=note)
    assert plan(note=" before the upgrade, again ").note == "before the upgrade, again"


AIOHTTP, TORNADO, GIL = "3.13+aiohttp==3.13.5", "3.13+tornadoweb/tornado@master", "3.14t+PYTHON_GIL=1"


@pytest.mark.parametrize(
    ("inputs", "jobs"),
    [
        ({}, [[], ["3.10", "3.11", "3.12"], ["3.13", "3.15", "3.13t"], ["3.14t", "3.15t", "pypy3.11"]]),
        ({"pythons": f"{AIOHTTP}, {TORNADO}, 3.10, {GIL}, 3.13"}, [["3.10"], ["3.13", AIOHTTP, TORNADO], [GIL]]),
    ],
)
def test_job_has_three_builds_of_near_interpreters(inputs: dict[str, str], jobs: list[list[str]]) -> None:
    assert [job.pythons for job in plan(machines="ubuntu-24.04", **inputs).jobs] == [["3.14", *job] for job in jobs]


def test_cells_of_variants_have_unique_file_names() -> None:
    builds = ["aiohttp==3.13.5", "aiohttp==3.13-5", "tornadoweb/tornado@a/b", "tornadoweb/tornado@a-b"]
    cells = plan(machines="ubuntu-24.04", pythons=",".join(["3.13", *(f"3.13+{each}" for each in builds)])).cells
    assert len({cell.id.lower() for cell in cells}) == 5
    assert all(re.fullmatch(r"ubuntu-24\.04--[A-Za-z0-9._+-]{1,69}", cell.id) for cell in cells)
    assert cells[0].id == "ubuntu-24.04--3.13"


@pytest.mark.parametrize(
    ("python", "reason"),
    [
        ("3.13+/tmp/aiohttp-4.0-py3-none-any.whl", "names a file"),
        ("a=/usr/bin/python3", "names a file"),
        ("3.13+numpy==2.0", "no runner needs 'numpy'"),
        ("3.13+LD_PRELOAD=x", "can't follow a +"),
        ("3.13+aiohttp@https://example.org/aiohttp.whl", "can't follow a +"),
        ("3.13+aiohttp===<script>", "can't follow a +"),
        ("3.13+aiohttp==1" + "0" * 150, "a name has at most"),
        ("2.7+PYTHON_GIL=1", "no Python is called '2.7'"),
        ("3.14.2", "no Python is called '3.14.2'"),
    ],
)
def test_build_that_no_hosted_run_may_have_is_refused(python: str, reason: str) -> None:
    with pytest.raises(UserError, match=re.escape(reason)):
        plan(pythons=f"3.13, {python}")


OWN = Machine("mine", "a machine of my own", ["base=/opt/base/python", "branch=/opt/branch/python"])
OWN_REFERENCE = msgspec.structs.replace(OWN, reference="base")
FIRST = KNOWN.machine[0]


def pythons_with(*machines: Machine, **inputs: str) -> list[list[str]]:
    """Return the builds of each job if matrix.toml has other machines."""
    known = msgspec.structs.replace(KNOWN, machine=[*machines])
    return [job.pythons for job in dispatch.make_plan(inputs, SCENARIOS, known).jobs]


@pytest.mark.parametrize(
    ("machine", "pythons", "jobs"),
    [
        (OWN, "branch, base, 3.13", [["3.14", "3.13", "base", "branch"]]),
        (OWN, "branch+PYTHON_JIT=1", [["3.14", "branch+PYTHON_JIT=1"]]),
        (OWN_REFERENCE, "branch", [["base", "branch"]]),
        (OWN_REFERENCE, "base, branch", [["base"], ["base", "branch"]]),
        (OWN_REFERENCE, "base+you/gevent@branch", [["base", "base+you/gevent@branch"]]),
    ],
)
def test_machine_may_have_its_own_interpreters(machine: Machine, pythons: str, jobs: list[list[str]]) -> None:
    assert pythons_with(FIRST, machine, machines="mine", pythons=pythons) == jobs


def test_labelled_interpreter_belongs_to_its_machine() -> None:
    assert pythons_with(FIRST, OWN_REFERENCE, machines=FIRST.label, pythons="3.13") == [["3.14", "3.13"]]
    measuring = [pythons for pythons in pythons_with(FIRST, OWN) if {"base", "branch"} & {*pythons}]
    assert [pythons[-2:] for pythons in measuring] == [["base", "branch"]]
    with pytest.raises(UserError, match="no Python is called 'base'"):
        pythons_with(FIRST, OWN, machines=FIRST.label, pythons="base")
    with pytest.raises(UserError, match="names a file"):
        pythons_with(FIRST, OWN, machines="mine", pythons="base=/etc/passwd")
    with pytest.raises(UserError, match="no Python is called 'bas'"):
        pythons_with(msgspec.structs.replace(OWN, reference="bas"), pythons="branch")


@pytest.mark.parametrize(
    ("line", "field"), [('label = "quiet box"', r"\$\.machine\[0\]\.label"), ("label = quiet", "Invalid value|invalid")]
)
def test_mistake_in_matrix_toml_is_named_with_its_field(tmp_path: Path, line: str, field: str) -> None:
    text = matrix.FILE.read_text(encoding="utf-8")
    file = tmp_path / "matrix.toml"
    file.write_text(re.sub(r"^label = .*$", line, text, count=1, flags=re.MULTILINE), encoding="utf-8")
    with pytest.raises(UserError, match=rf"(?s)^matrix\.toml can't be read: .*({field})"):
        matrix.read(file)


@pytest.mark.parametrize("interpreter", ["a", "a--run2=/opt/python", "../a=/opt/python", "a=/opt/b+c"])
def test_unusable_label_of_an_interpreter_is_refused(interpreter: str) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"label": "mine", "about": "", "interpreters": [interpreter]}, Machine)
