"""Scenarios and runners are found, not listed."""

from __future__ import annotations

import shutil
import sys
from collections import Counter
from typing import TYPE_CHECKING

import pytest
from planted import scenarios

from runners.harness.catalogue import scenarios as catalogue
from runners.harness.errors import CatalogueError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from runners.harness.catalogue.scenarios import Runner, Scenario

GOOD = '''"""A thread per number."""

import threading

from runners.primes.workload import Job

FAMILY = "threads"
AT_ONCE = "workers"


def run(job: Job) -> list[object]:
    return []
'''


@pytest.fixture
def primes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Copy a scenario into a package of its own, which may be changed."""
    folder = tmp_path / "copied" / "primes"
    shutil.copytree(catalogue.RUNNERS / "primes", folder, ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.syspath_prepend(tmp_path)
    yield folder
    for name in [name for name in sys.modules if name.partition(".")[0] == "copied"]:
        del sys.modules[name]


def found(folder: Path) -> Scenario:
    return catalogue.find(folder.parent, "copied")["primes"]


def read(folder: Path, code: str) -> Runner:
    (folder / "added.py").write_bytes(code.encode(errors="surrogateescape"))  # so that it may be no text
    return found(folder).runners["added"]


def test_one_file_more_is_one_runner_more(primes: Path) -> None:
    before = set(found(primes).runners)
    added = read(primes, GOOD)
    assert set(found(primes).runners) == before | {"added"}
    assert (added.title, added.family, added.at_once) == ("A thread per number.", "threads", "workers")
    assert added.words == "added"
    assert (added.code, added.serves) == (GOOD, False)
    assert (added.problem, added.packages, added.requires_python) == (None, (), (3, 10))
    (primes / "added.py").unlink()
    assert set(found(primes).runners) == before


def test_files_that_begin_with_an_underscore_are_shared_and_no_runners(primes: Path) -> None:
    before = found(primes)
    (primes / "_shared.py").write_text("A = 1\n", encoding="utf-8")
    after = found(primes)
    assert after.runners.keys() == before.runners.keys()
    assert after.scenario_sha256 != before.scenario_sha256


def test_what_is_said_of_a_scenario_may_be_mended_and_its_work_may_not(primes: Path) -> None:
    before = found(primes)
    for name in ("__init__.py", "scenario.py"):
        path = primes / name
        path.write_text(path.read_text(encoding="utf-8").replace("Primes: ", "Prime numbers: ", 1), encoding="utf-8")
    mended = found(primes)
    assert mended.scenario_sha256 == before.scenario_sha256
    assert mended.words_sha256 != before.words_sha256
    with (primes / "workload.py").open("a", encoding="utf-8") as stream:
        stream.write("# a remark\n")
    assert found(primes).scenario_sha256 != before.scenario_sha256


def test_the_hash_of_a_runner_changes_with_its_file_alone(primes: Path) -> None:
    before = found(primes)
    with (primes / "thread_pool.py").open("a", encoding="utf-8") as stream:
        stream.write("# a remark\n")
    after = found(primes)
    changed = [
        name for name in after.runners if after.runners[name].source_sha256 != before.runners[name].source_sha256
    ]
    assert changed == ["thread_pool"]
    assert after.scenario_sha256 == before.scenario_sha256


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ('"""A thread per number."""', "", "it has no docstring; the first line is its title"),
        ('FAMILY = "threads"', "", "FAMILY is missing; it must be one of sync, threads"),
        ("AT_ONCE", "ATONCE", "ATONCE says nothing of a runner; did you mean AT_ONCE?"),
        ("AT_ONCE =", "AT_ONE: str =", "AT_ONE says nothing of a runner; did you mean AT_ONCE?"),
        (
            "AT_ONCE",
            "REQUIRE_FORK = True\nAT_ONCE",
            "REQUIRE_FORK says nothing of a runner; did you mean REQUIRES_FORK?",
        ),
        ('AT_ONCE = "workers"', "AT_ONCE: int = 4", "AT_ONCE is 4; it must be a word"),
        ('"threads"', '"fibres"', "FAMILY is 'fibres'; it must be one of sync, threads"),
        ('"threads"', '["threads"]', "FAMILY is ['threads']; it must be one of sync"),
        ('"threads"', "str(1)", "added.py: FAMILY must be a literal on line 7: the file is read, not run"),
        ('AT_ONCE = "workers"', "AT_ONCE = LIMIT", "added.py: AT_ONCE must be a literal on line 8"),
        ("AT_ONCE", "ONLY = {[]: 1}\nAT_ONCE", "added.py: ONLY must be a literal on line 8"),
        ('AT_ONCE = "workers"', "AT_ONCE = 4", "AT_ONCE is 4; it must be a word"),
        ("FAMILY", "NAME = 3\nFAMILY", "NAME is 3; it must be a name in words, at most 40 characters"),
        ("FAMILY", 'NAME = ""\nFAMILY', "NAME is ''; it must be a name in words"),
        ("FAMILY", 'NAME = " pool"\nFAMILY', "NAME is ' pool'; it must be a name in words"),
        ("FAMILY", f'NAME = "{41 * "a"}"\nFAMILY', f"NAME is '{41 * 'a'}'; it must be a name in words"),
        ("AT_ONCE", 'ONLY = ["timer"]\nAT_ONCE', "ONLY is ['timer']; it must be a dictionary"),
        ("AT_ONCE", 'ONLY = {"timer": 0}\nAT_ONCE', "ONLY is {'timer': 0}; it must be a dictionary"),
        ("AT_ONCE", 'ONLY = {"tmier": (0,)}\nAT_ONCE', "ONLY is {'tmier': (0,)}; no case has such"),
        ("AT_ONCE", "REQUIRES_PYTHON = 3.12\nAT_ONCE", "REQUIRES_PYTHON is 3.12; it must be a version in quotes"),
        ("AT_ONCE", "REQUIRES_FORK = 1\nAT_ONCE", "REQUIRES_FORK is 1; it must be True or False"),
        ("AT_ONCE", 'REQUIRES_PYTHON = "new"\nAT_ONCE', "REQUIRES_PYTHON is 'new'; it must be a version in quotes"),
        ("def run", "def walk", "it defines neither run(job) nor serve(job)"),
        ("def run", "async def walk", "it defines neither run(job) nor serve(job)"),
        ("def run", "async def run", "run(job) must be a plain function; it may call asyncio.run"),
        ("def run", "async def serve", "serve(job) must be a plain function; it may call asyncio.run"),
        ("return []", "return [", "added.py: "),
        ("return []", "return '\0'", "added.py: "),
        ("A thread", "\udcff\udcfe", "added.py: "),
    ],
)
def test_a_malformed_runner_says_what_is_wrong_and_takes_part_everywhere(
    primes: Path, old: str, new: str, problem: str
) -> None:
    assert old in GOOD
    added = read(primes, GOOD.replace(old, new, 1))
    assert (added.problem or "").startswith(problem)
    assert all(added.takes_part(case) for case in found(primes).cases.values())
    assert found(primes).runners["thread_pool"].problem is None


def test_packages_are_those_beyond_the_standard_library_and_our_own(primes: Path) -> None:
    imports = (
        "import gevent.pool\nimport json, tornado.web\nfrom aiohttp import web\nfrom . import x\nfrom .y import z\n"
    )
    added = read(primes, GOOD.replace("import threading\n", imports + "from copied.primes import Job as J\n"))
    assert added.packages == ("aiohttp", "gevent", "tornado")


def test_needs_are_stated_in_the_file(primes: Path) -> None:
    only = 'ONLY = {"timer": (1,)}\nREQUIRES_PYTHON = "3.12.4"\nREQUIRES_FORK = True\nFAMILY'
    added = read(primes, GOOD.replace("FAMILY", only))
    assert (added.requires_python, added.requires_fork) == ((3, 12, 4), True)
    assert [name for name, case in found(primes).cases.items() if added.takes_part(case)] == ["published, with a timer"]


def test_a_runner_and_a_case_have_names_for_people(primes: Path) -> None:
    named = GOOD.replace("FAMILY", 'NAME = "threads, one a number"\nFAMILY')
    assert read(primes, named).words == "threads, one a number"
    scenario = found(primes)
    assert scenario.case_words("published") == "eight numbers"
    assert scenario.case_words("tenth") == "tenth"  # of a case that has none, its own


def test_a_scenario_may_give_a_runner_another_name_without_a_change_to_its_file(primes: Path) -> None:
    path = primes / "scenario.py"
    text = path.read_text(encoding="utf-8")
    path.write_text(f'{text}\nRUNNER_NAMES = {{"sync_loop": "one after another"}}\n', encoding="utf-8")
    measured, named = catalogue.find()["primes"].runners["sync_loop"], found(primes).runners["sync_loop"]
    assert (measured.words, named.words) == ("plain loop", "one after another")
    assert named.source_sha256 == measured.source_sha256


@pytest.mark.parametrize(
    ("file", "old", "new", "fault"),
    [
        ("scenario.py", 'SOURCE = "S1"', "", "SOURCE is missing"),
        ("scenario.py", "SOURCE =", "SOURCE = = ", "SyntaxError: invalid syntax"),
        ("scenario.py", "Primes: does", "Does", "its docstring must begin with a line `Title: the question?`"),
        (
            "scenario.py",
            "CASE_NAMES = {",
            'RUNNER_NAMES = {"gone": ""}\nCASE_NAMES = {',
            "RUNNER_NAMES names 'gone'; the ru",
        ),
        ("scenario.py", "CASE_NAMES = {", 'CASE_NAMES = {"gone": "", ', "CASE_NAMES names 'gone'; the cases are: publ"),
        ("scenario.py", "FORMULAS = {", 'FORMULAS = {"gone": "", ', "FORMULAS names 'gone'; no metric of that name is"),
        ("scenario.py", "FORMULAS = {", "OTHERS = {", "metric 'timer_delay_share' is computed, and FORMULAS does not"),
        ("scenario.py", "CASE_NAMES = {", "CASENAMES = {", "CASENAMES says nothing of a scenario; did you mean CASE_N"),
        (
            "scenario.py",
            "SOURCE =",
            "ARE_CHOICE = False\nSOURCE =",
            "ARE_CHOICE says nothing of a scenario; did",
        ),
        ("scenario.py", "SOURCE =", 'OVERVEIW: str = "published"\nSOURCE =', "OVERVEIW says nothing of a scenario; di"),
        (
            "scenario.py",
            'kind="delay"',
            'kind="late"',
            "metric 'timer_worst_delay_ns' has the kind 'late'; there",
        ),
        (
            "scenario.py",
            '"ns", "lower", kind',
            '"ns", "lowest", kind',
            "metric 'timer_worst_delay_ns' is better 'lowest'; there",
        ),
        (
            "scenario.py",
            'Metric("elapsed_ns"',
            'Metric("elapse_ns"',
            "metric 'elapse_ns' is no column that COLUMNS describes",
        ),
        ("workload.py", 'BASELINE = "sync_loop"', "", "BASELINE is missing"),
        ("workload.py", "def prepare(", "def prepares(", "prepare is missing"),
        ("workload.py", "def at_once(", "def at_most(", "at_once is missing"),
        ("workload.py", "def judge(", "judge = 1\n\n\ndef judges(", "judge must be a function"),
        ("workload.py", '{"size": "published", "skip": 0, "timer": 0}', '{"skip": 0}', "case 'published' has no size"),
        ("workload.py", 'BASELINE = "sync_loop"', 'BASELINE = "gone"', "case 'published' names the baseline 'gone'"),
        ("workload.py", "import math", "import mathematics", "ModuleNotFoundError: No module named 'mathematics'"),
        ("__init__.py", "", "import math\n", "it must hold a docstring and nothing else"),
        ("__init__.py", "", '"""Primes."""\nimport math\n', "it must hold a docstring and nothing else"),
        ("__init__.py", "", "'", "SyntaxError: unterminated string"),
        ("primes", "CASES = {", "CASES = []\nOTHERS = {", "AttributeError: 'list' object has no attribute 'values'"),
    ],
)
def test_a_broken_scenario_is_named_with_its_file(primes: Path, file: str, old: str, new: str, fault: str) -> None:
    path = primes / file if file.endswith(".py") else primes / "workload.py"
    path.write_text(path.read_text(encoding="utf-8").replace(old, new, 1) if old else new, encoding="utf-8")
    with pytest.raises(CatalogueError) as refusal:
        found(primes)
    assert str(refusal.value).startswith(f"{file}: {fault}")


@pytest.mark.parametrize("file", ["scenario.py", "workload.py"])
def test_a_folder_that_lacks_a_file_says_which(primes: Path, file: str) -> None:
    (primes / file).unlink()
    with pytest.raises(CatalogueError, match=f"^{file}: ModuleNotFoundError: No module named 'copied.primes."):
        found(primes)


@pytest.mark.parametrize("place", ["sync_lop", "sync_loop/publish"])
def test_a_note_at_a_row_that_is_not_there_is_a_fault(primes: Path, place: str) -> None:
    with (primes / "scenario.py").open("a") as module:
        module.write(f'NOTES = {{"sync_loop": "said at every row", "{place}": "said nowhere"}}\n')
    with pytest.raises(CatalogueError, match=f"NOTES has '{place}'; no such runner or case is there"):
        found(primes)


def test_an_overview_that_is_no_case_is_a_fault(primes: Path) -> None:
    with (primes / "scenario.py").open("a") as module:
        module.write('OVERVIEW = "publish"\n')
    with pytest.raises(CatalogueError, match="OVERVIEW is 'publish'; the cases are: "):
        found(primes)


def test_an_answer_that_names_no_runner_is_a_fault(primes: Path) -> None:
    with (primes / "scenario.py").open("a") as module:
        module.write('ANSWERS = (("thread_pool", "sync_lop"),)\n')
    with pytest.raises(CatalogueError, match="ANSWERS names 'sync_lop'; no such runner is there"):
        found(primes)


def test_a_runner_apart_that_does_not_exist_is_a_fault(primes: Path) -> None:
    with (primes / "scenario.py").open("a") as module:
        module.write('APART = ("sync_lop",)\n')
    with pytest.raises(CatalogueError, match="APART names 'sync_lop'; no such runner is there"):
        found(primes)


def test_a_file_of_this_checkout_is_named_from_its_root() -> None:
    assert catalogue._relative(catalogue.RUNNERS / "primes" / "scenario.py") == "runners/primes/scenario.py"


def test_the_harness_is_no_scenario_and_every_real_runner_is_sound() -> None:
    real = catalogue.find()
    assert "harness" not in real
    assert [runner.path.name for one in real.values() for runner in one.runners.values() if runner.problem] == []
    cases = [(name, str(case.parameters["size"])) for one in real.values() for name, case in one.cases.items()]
    assert [f"{size} is not in {name!r}" for name, size in cases if size not in name] == []


@pytest.mark.parametrize("scenario", catalogue.find().values(), ids=lambda scenario: scenario.name)
def test_no_two_runners_or_cases_have_the_same_name_for_people(scenario: Scenario) -> None:
    runners = Counter(runner.words for runner in scenario.runners.values())
    cases = Counter(scenario.case_words(case) for case in scenario.cases)
    assert [words for words, times in runners.items() if times > 1] == [], "give one another NAME"
    assert [words for words, times in cases.items() if times > 1] == [], "give one another name in CASE_NAMES"


def test_titles_and_questions_are_told_apart() -> None:
    scenario = scenarios("misbehaving")["misbehaving"]
    assert (scenario.title, scenario.question) == ("Misbehaving", "what becomes of a runner that goes wrong?")
    assert scenario.description.startswith("Three numbers are doubled")
