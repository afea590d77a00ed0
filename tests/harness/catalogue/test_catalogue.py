"""Scenarios and runners are found, not listed."""

import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from planted import scenarios

from runners.harness.catalogue import scenarios as catalogue
from runners.harness.catalogue.scenarios import Runner, Scenario
from runners.harness.errors import UserError

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
    """Copy a scenario into a package that a test may change."""
    folder = tmp_path / "copied" / "primes"
    shutil.copytree(catalogue.RUNNERS / "primes", folder, ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.syspath_prepend(tmp_path)
    yield folder
    for name in [name for name in sys.modules if name.partition(".")[0] == "copied"]:
        del sys.modules[name]


def find(folder: Path) -> Scenario:
    return catalogue.find(folder.parent, "copied")["primes"]


def add(folder: Path, code: str) -> Runner:
    (folder / "added.py").write_bytes(code.encode(errors="surrogateescape"))  # so that it may be no text
    return find(folder).runners["added"]


def append(path: Path, line: str) -> None:
    with path.open("a", encoding="utf-8") as stream:
        stream.write(f"{line}\n")


def test_added_file_is_a_runner(primes: Path) -> None:
    before = set(find(primes).runners)
    added = add(primes, GOOD)
    assert set(find(primes).runners) == before | {"added"}
    assert (added.title, added.family, added.at_once) == ("A thread per number.", "threads", "workers")
    assert (added.label, added.code, added.serves) == ("added", GOOD, False)
    assert (added.problem, added.packages, added.requires_python) == (None, (), (3, 10))
    imports = "import gevent.pool\nimport json, tornado.web\nfrom aiohttp import web\nfrom . import x\n"
    only = 'NAME = "threads, one a number"\nONLY = {"timer": (1,)}\nREQUIRES_PYTHON = "3.12.4"\nREQUIRES_FORK = True\n'
    code = GOOD.replace("import threading\n", f"{imports}from copied.primes import Job as J\n")
    added = add(primes, code.replace("FAMILY", f"{only}FAMILY"))
    assert added.packages == ("aiohttp", "gevent", "tornado")
    assert (added.label, added.requires_python, added.requires_fork) == ("threads, one a number", (3, 12, 4), True)
    assert [name for name, case in find(primes).cases.items() if added.takes_part(case)] == ["published, with a timer"]


@pytest.mark.parametrize(
    ("file", "changed"),
    [
        ("__init__.py", ()),
        ("scenario.py", ()),
        ("workload.py", ("scenario_sha256",)),
        ("_shared.py", ("scenario_sha256",)),
        ("thread_pool.py", ("thread_pool",)),
    ],
)
def test_hashes_change_with_their_files(primes: Path, file: str, changed: tuple[str, ...]) -> None:
    def hashes() -> dict[str, str]:
        scenario = find(primes)
        runners = {name: runner.source_sha256 for name, runner in scenario.runners.items()}
        return {"scenario_sha256": scenario.scenario_sha256, **runners}

    before = hashes()
    append(primes / file, "# a remark")
    after = hashes()
    assert before.keys() == after.keys()
    assert tuple(name for name in after if before[name] != after[name]) == changed


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ('"""A thread per number."""', "", "it has no docstring"),
        ('FAMILY = "threads"', "", "FAMILY is missing; it must be one of sync, threads"),
        ("AT_ONCE", "ATONCE", "ATONCE is not known here; did you mean AT_ONCE?"),
        ('AT_ONCE = "workers"', "AT_ONCE: int = 4", "AT_ONCE is 4;"),
        ('"threads"', '["threads"]', "FAMILY is ['threads'];"),
        ('"threads"', "str(1)", "added.py: FAMILY must be a literal on line 7"),
        *(("FAMILY", f"NAME = {name}\nFAMILY", "NAME is ") for name in ("3", '" pool"', f'"{41 * "a"}"')),
        ("AT_ONCE", 'ONLY = ["timer"]\nAT_ONCE', "ONLY is ['timer'];"),
        ("AT_ONCE", 'ONLY = {"tmier": (0,)}\nAT_ONCE', "ONLY is {'tmier': (0,)}; no case has such"),
        ("AT_ONCE", "REQUIRES_PYTHON = 3.12\nAT_ONCE", "REQUIRES_PYTHON is 3.12;"),
        *(("def run", code, "it defines no plain function run(job)") for code in ("def walk", "async def serve")),
        ("return []", "return [", "added.py: "),
        ("A thread", "\udcff\udcfe", "added.py: "),
    ],
)
def test_malformed_runner_has_a_problem_in_every_case(primes: Path, old: str, new: str, problem: str) -> None:
    assert old in GOOD
    added = add(primes, GOOD.replace(old, new, 1))
    assert (added.problem or "").startswith(problem)
    assert all(added.takes_part(case) for case in find(primes).cases.values())
    assert find(primes).runners["thread_pool"].problem is None


def test_presentation_names_cases_and_runners(primes: Path) -> None:
    append(primes / "scenario.py", 'PRESENTATION |= {"runner_names": {"sync_loop": "one after another"}, "apart": ()}')
    scenario, measured = find(primes), catalogue.find()["primes"].runners["sync_loop"]
    assert scenario.runners["sync_loop"].label == "one after another" != measured.label
    assert scenario.runners["sync_loop"].source_sha256 == measured.source_sha256
    assert scenario.case_label("published") == "eight numbers"
    assert scenario.case_label("unnamed") == "unnamed"


def test_unknown_key_of_the_presentation_is_named(primes: Path) -> None:
    append(primes / "scenario.py", 'PRESENTATION["casenames"] = {}')
    with pytest.raises(UserError, match="'casenames'"):
        find(primes)


QUOTIENT = 'quotient("timer_worst_delay_ns", "elapsed_ns")'
UNKNOWN = (
    ('"runner_names": {"gone": ""}', "runner_names has 'gone'"),
    ('"notes": {"sync_loop": "", "sync_lop": ""}', "notes has 'sync_lop'"),
    ('"notes": {"sync_loop/publish": ""}', "notes has 'sync_loop/publish'"),
    ('"overview": "publish"', "overview is 'publish'"),
    ('"answers": (("thread_pool", "sync_lop"),)', "answers has 'sync_lop'"),
    ('"apart": ("sync_lop",)', "apart has 'sync_lop'"),
)


@pytest.mark.parametrize(
    ("file", "old", "new", "fault"),
    [
        ("scenario.py", 'SOURCE = "S1"', "", "SOURCE is missing"),
        ("scenario.py", "SOURCE =", "SOURCE = = ", "SyntaxError: invalid syntax"),
        ("scenario.py", '"case_names": {', '"case_names": {"gone": "",', "case_names has 'gone'"),
        *(("scenario.py", ": Presentation = {", f" = {{{added},", fault) for added, fault in UNKNOWN),
        ("scenario.py", "Primes: does", "Does", "its docstring must begin with"),
        ("scenario.py", "PRESENTATION: Presentation", "PRESENTATON", "PRESENTATON is not known here; did you mean"),
        ("scenario.py", QUOTIENT, "None", "metric 'timer_delay_share' is not described in COLUMNS"),
        ("scenario.py", 'kind="delay")', 'formula="1")', "metric 'timer_worst_delay_ns' must have both"),
        ("scenario.py", '"ns", "lower", kind', '"ns", "lowest", kind', "metric 'timer_worst_delay_ns' is better"),
        ("scenario.py", 'Metric("elapsed_ns"', 'Metric("elapse_ns"', "metric 'elapse_ns' is not described in COLUMNS"),
        ("workload.py", 'BASELINE = "sync_loop"', "", "BASELINE is missing"),
        ("workload.py", '{"size": "published", "skip": 0, "timer": 0}', '{"skip": 0}', "case 'published' has no size"),
        ("workload.py", 'BASELINE = "sync_loop"', 'BASELINE = "gone"', "case 'published' names the baseline 'gone'"),
        ("workload.py", "import math", "import mathematics", "ModuleNotFoundError: No module named 'mathematics'"),
        ("__init__.py", "", '"""Primes."""\nimport math\n', "it must hold a docstring and nothing else"),
        ("primes", "CASES = {", "CASES = []\nOTHERS = {", "AttributeError: 'list' object has no attribute"),
    ],
)
def test_broken_scenario_is_named_with_its_file(primes: Path, file: str, old: str, new: str, fault: str) -> None:
    path = primes / file if file.endswith(".py") else primes / "workload.py"
    path.write_text(path.read_text(encoding="utf-8").replace(old, new, 1) if old else new, encoding="utf-8")
    with pytest.raises(UserError) as refusal:
        find(primes)
    assert str(refusal.value).startswith(f"{file}: {fault}")


def test_every_real_scenario_is_sound() -> None:
    real = catalogue.find()
    assert "harness" not in real
    for each in real.values():
        assert [runner.path.name for runner in each.runners.values() if runner.problem] == []
        assert all(str(case.parameters["size"]) in name for name, case in each.cases.items())
        assert len(set(map(each.case_label, each.cases))) == len(each.cases)
        assert len({runner.label for runner in each.runners.values()}) == len(each.runners)
    scenario = scenarios("misbehaving")["misbehaving"]
    assert (scenario.title, scenario.question) == ("Misbehaving", "what happens to a runner that goes wrong?")
    assert scenario.description.startswith("Three numbers are doubled")
