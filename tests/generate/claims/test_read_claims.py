"""The claims' files: our sources and claims, and how mistakes in them are reported."""

import re
from pathlib import Path

import pytest

from generate.claims.hypotheses import ClaimPart, find_metric, hypotheses
from generate.claims.kinds import Takes
from generate.claims.model import Claims, Fault, is_quoted
from generate.claims.read import read
from runners.harness.catalogue.scenarios import ROOT, find

SCENARIOS = find()
OURS = read(ROOT / "docs")
GOOD = """
[source]
title = "an article"
subject = "pools"

[S1.1]
says = "a pool is faster"
scenario = "primes"
case = "published"
candidate = "process_pool"
baseline = "sync_loop"
printed = { candidate = "1.1 s", baseline = "4.2 s" }

[[S1.1.part]]
name = "at all"
expect = { ratio_below = 1 }
why = "faster means below 1"

[[S1.1.part]]
name = "as printed"
expect = { ratio_near_printed = 1.25 }
why = "as every size"

[S1.2]
says = "a timer waits"
scenario = "primes"
case = "published, with a timer"
candidate = "asyncio_naive"
metric = "timer_worst_delay_ns"
expect = { value_at_least = "100 ms" }
why = "a tenth of a second"
"""

VALUE = 'expect = { value_at_least = "100 ms" }'
TABLE = """
[[table]]
title = "times"
columns = ["time", "memory"]
row = [{ name = "a pool", cells = [{ printed = "4.2 s" }] }]
"""


def read_claims(tmp_path: Path, text: str | bytes, name: str = "S1.toml") -> Claims:
    folder = tmp_path / "docs" / "claims"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_bytes(text.encode() if isinstance(text, str) else text)
    return read(tmp_path / "docs")


def list_parts(claims: Claims) -> list[ClaimPart]:
    return [part for claim in claims.claims for part in hypotheses(claim, SCENARIOS)[0]]


def list_faults(claims: Claims) -> list[Fault]:
    return [*claims.faults, *(fault for claim in claims.claims for fault in hypotheses(claim, SCENARIOS)[1])]


def test_no_mistakes_and_a_source_for_every_scenario() -> None:
    assert [str(fault) for fault in list_faults(OURS)] == []
    named = {f"runners/{name}/scenario.py": scenario.source for name, scenario in SCENARIOS.items()}
    missing = {file: source for file, source in named.items() if source not in OURS.sources}
    assert missing == {}, "each of these takes a file, docs/claims/<SOURCE>.toml"


def test_every_part_has_a_bound_or_why_it_has_none() -> None:
    for claim in OURS.claims:
        assert re.fullmatch(r"[A-Z0-9a-z].+\.", claim.says)
        for part in claim.parts:
            assert [bool(part.why), bool(part.not_measured), bool(part.not_applicable)].count(True) == 1
            assert part.name or len(claim.parts) == 1
            assert not part.not_applicable or len(part.not_applicable.split()) > 10
            assert not part.rule or (part.depends_on and part.needs.gil)


def test_quoted_sources_have_author_year_and_address() -> None:
    quoted = {name: source for name, source in OURS.sources.items() if is_quoted(name)}
    assert len(quoted) >= 9
    for name, source in quoted.items():
        assert re.fullmatch(r"“.+”", source.title), name
        assert re.fullmatch(r"\d{4}", source.year), name
        assert source.author and source.address, name  # noqa: PT018 - both of one source


def test_examples_in_contributing_have_no_mistake(tmp_path: Path) -> None:
    examples = re.findall(r"```toml\n(.*?)```", (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8"), re.DOTALL)
    claims = read_claims(tmp_path, "\n".join(examples))
    assert [str(fault) for fault in list_faults(claims)] == []
    assert [claim.id for claim in claims.claims] == ["S1.2"]
    metrics = [find_metric(figure, SCENARIOS).name for _, _, figure in claims.figures()]
    assert metrics == ["elapsed_ns", "timer_worst_delay_ns"]


def test_parts_share_the_keys_above_them(tmp_path: Path) -> None:
    claims = read_claims(tmp_path, GOOD)
    assert [claim.id for claim in claims.claims] == ["S1.1", "S1.2"]
    assert [part.candidate for part in claims.claims[0].parts] == ["process_pool", "process_pool"]
    assert list_faults(claims) == []
    _, near, single = list_parts(claims)
    assert (near.id, single.id) == ("S1.1b", "S1.2")
    assert near.hypothesis is not None
    assert [*near.hypothesis.expected] == pytest.approx([1.1 / 4.2 / 1.25, 1.1 / 4.2 * 1.25])


def test_sources_and_claims_are_in_order_of_number(tmp_path: Path) -> None:
    for source in ("S10", "W1", "Q1", "S2"):
        numbers = "".join(f'[{source}.{n}]\nsays = "x"\nnot_measured = "y"\n' for n in (10, 9))
        claims = read_claims(tmp_path, f'[source]\ntitle = "t"\nsubject = "s"\n{numbers}', f"{source}.toml")
    assert [*claims.sources] == ["S2", "S10", "Q1", "W1"]
    assert [claim.id for claim in claims.claims if claim.source != "Q1"] == [
        f"{source}.{number}" for source in ("S2", "S10", "W1") for number in (9, 10)
    ]


BELOW, BOUND = "expect = { ratio_below = 1 }\n", "ratio_below = 1 "
GIL, FREE = 'baseline_build = "gil_twin"\n', "needs = { gil = false }"


@pytest.mark.parametrize(
    ("old", "new", "key", "named"),
    [
        ('"process_pool"', '"proces_pool"', "S1.1a", "'proces_pool'"),
        ('= "sync_loop"', '= "published, with a timer/sync_loop"', "S1.1a", "`baseline`"),
        ('= "sync_loop"', '= "published, with a timer/asyncio_naive"', "S1.1a", "one block"),
        (BOUND, "ratio_below = nan ", "S1.1", "$[0].expect"),
        (BOUND, 'value_at_most = "1 s" ', "S1.1a", Takes.VALUE.value),
        (BOUND, "never_falls = 0.1 ", "S1.1a", Takes.STEPS.value),
        ('{ candidate = "1.1 s", ', '{ candidate = "1.1 apples", ', "S1.1a", "'1.1 apples'"),
        ('why = "faster means below 1"', 'why = ""', "S1.1a", "`why`"),
        (BELOW, BELOW + 'needs = { python = "4" }\n', "S1.1", "$[0].needs.python"),
        (BELOW, "", "S1.1a", "`expect`"),
        ('case = "published"', 'cases = ["published"]', "S1.1", "$[0].cases"),
        ('name = "as printed"', 'nmae = "as printed"', "S1.1", "`nmae`"),
        ("timer_worst_delay_ns", "timer_delay", "S1.2", "timer_worst_delay_ns"),
        ('says = "a pool is faster"', "", "S1.1", "`says`"),
        (BELOW, BELOW + GIL, "S1.1a", "`baseline_build`"),
        (VALUE, f"{VALUE}\n{GIL}{FREE}", "S1.2", "`baseline_build`"),
    ],
)
def test_mistake_only_affects_its_claim(tmp_path: Path, old: str, new: str, key: str, named: str) -> None:
    assert old in GOOD
    claims = read_claims(tmp_path, GOOD.replace(old, new, 1))
    fault = list_faults(claims)[0]
    assert (fault.file, fault.key, fault.source) == ("docs/claims/S1.toml", key, "S1")
    assert named in fault.message
    other = "S1.1" if key == "S1.2" else "S1.2"
    assert [hypotheses(claim, SCENARIOS)[1] for claim in claims.claims if claim.id == other] == [[]]
    assert all(fault.message in part.reason for part in list_parts(claims) if part.id == key)


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("[S1.1]\nsays = a pool", "Invalid value (at line 2, column 8)"),
        ("# \N{EURO SIGN}".encode("cp1252"), "'utf-8' codec can't decode byte 0x80"),
        ("x = " + "[" * 100_000, ""),
        ('[S1.1]\nsays = "x"\n', "source: Object missing required field `title`"),
        (GOOD + "[S2.1]\n", "S2: "),
        (GOOD + '["S2\\n::error::x"]\n', "S2 : :error: :x: "),
        (GOOD + '[S1.one]\nsays = "x"\n', "S1.one: "),
        ("S1 = 5\n" + GOOD.partition("[S1.1]")[0], "S1: Expected `object`, got `int`"),
        ("table = 5\n" + GOOD, "table: Expected `array`, got `int`"),
        (GOOD.replace('"pools"', '"pools"\naddress = "java script"'), "source: Expected"),
        (GOOD + TABLE, "table: "),
        (GOOD + "[S1.3]\nsays = 'x'\npart = []\n", "S1.3: Expected `array` of length >= 1 - at `$.part`"),
    ],
)
def test_mistake_in_a_file_only_affects_that_file(tmp_path: Path, text: str | bytes, fault: str) -> None:
    read_claims(tmp_path, GOOD.replace("S1.", "S2."), "S2.toml")
    claims = read_claims(tmp_path, text)
    assert str(claims.faults[0]).startswith(f"docs/claims/S1.toml: {fault}")
    assert len(str(claims.faults[0]).splitlines()) == 1
    assert {"S2.1", "S2.2"} <= {claim.id for claim in claims.claims}
    assert "S1" in claims.sources


def test_file_named_after_no_source_is_reported(tmp_path: Path) -> None:
    claims = read_claims(tmp_path, GOOD, "notes.toml")
    assert ([fault.file for fault in claims.faults], claims.claims) == (["docs/claims/notes.toml"], [])
    assert claims.sources == {}


def test_citation_has_all_known_facts(tmp_path: Path) -> None:
    assert OURS.citation("S4") == "S4, “Latency in asynchronous Python” (2020)"
    assert OURS.citation("S1").endswith(" (undated; Python 3.6.1, 8 cores)")
    assert OURS.citation("S99") == "S99"
    assert read_claims(tmp_path, "not TOML").citation("S1") == "S1"
