"""What a dispatch may ask for, and what is refused with the list of what there is."""

from __future__ import annotations

import pytest

from actions import dispatch
from runners.harness import matrix
from runners.harness.catalogue.scenarios import find
from runners.harness.errors import UnknownNameError, UserError

SCENARIOS = [*find()]


def planned(**inputs: str) -> dispatch.Plan:
    return dispatch.planned(inputs, SCENARIOS)


def test_without_any_input_everything_is_measured_quickly_and_published() -> None:
    made, known = planned(), matrix.read()
    assert (made.profile, made.rounds, made.scenarios, made.publish, made.note) == ("quick", 3, [], True, "")
    assert len(made.cells) == len(known.machine) * len(known.pythons) - len(known.exclude)
    assert made.excluded == known.exclude


def test_every_exclusion_names_what_there_is_and_says_why() -> None:
    known = matrix.read()
    for one in known.exclude:
        assert one.machine in {machine.label for machine in known.machine}
        assert one.python in known.pythons
        assert one.reason
    assert known.reference in known.pythons
    assert not any(machine.label.endswith("latest") for machine in known.machine)


def test_names_may_stand_with_commas_or_spaces_and_keep_the_order_of_the_file() -> None:
    made = planned(machines="macos-26,  ubuntu-24.04", pythons="3.14t 3.10", scenarios="power, primes", rounds=" 15 ")
    assert [cell.id for cell in made.cells] == [
        "ubuntu-24.04--3.10",
        "ubuntu-24.04--3.14t",
        "macos-26--3.10",
        "macos-26--3.14t",
    ]
    assert (made.scenarios, made.rounds) == (["power", "primes"], 15)
    assert {cell.reference for cell in made.cells} == {"3.13"}


def test_a_name_that_is_given_twice_makes_one_cell() -> None:
    made = planned(machines="macos-26, macos-26", pythons="3.13 3.13,3.13", scenarios="primes,primes")
    assert [(cell.id, cell.reference) for cell in made.cells] == [("macos-26--3.13", "")]
    assert made.scenarios == ["primes"]


def test_an_excluded_cell_is_reported_with_its_reason() -> None:
    made = planned(machines="windows-11-arm", pythons="3.10,3.14")
    assert [cell.python for cell in made.cells] == ["3.14"]
    assert [one.python for one in made.excluded] == ["3.10"]
    with pytest.raises(UserError, match=r"no cell is left to measure: windows-11-arm with 3\.10: there is no build"):
        planned(machines="windows-11-arm", pythons="3.10")


@pytest.mark.parametrize(
    ("inputs", "known"),
    [
        ({"machines": "ubuntu-latest"}, "ubuntu-24.04"),
        ({"machines": "$(reboot)"}, "ubuntu-24.04"),
        ({"machines": 'ubuntu-24.04"; echo x; "'}, "ubuntu-24.04-arm"),
        ({"pythons": "2.7"}, "3.14t"),
        ({"pythons": "3.13\n3.99"}, "3.14t"),
        ({"scenarios": "primes;ls"}, "gil_wait"),
        ({"profile": "fast"}, "full"),
        ({"publish": "`id`"}, "yes"),
        ({"machines": ",".join(f"m{number}" for number in range(300))}, "ubuntu-24.04"),
    ],
)
def test_an_unknown_name_is_refused_with_those_there_are(inputs: dict[str, str], known: str) -> None:
    with pytest.raises(UnknownNameError, match=known):
        planned(**inputs)


@pytest.mark.parametrize("rounds", ["0", "-3", "1e9", "25", "12; ls", "٣", "9" * 400])
def test_rounds_are_a_number_that_a_job_can_do(rounds: str) -> None:
    with pytest.raises(UserError, match="must be a number from 1 to 24"):
        planned(rounds=rounds)


@pytest.mark.parametrize("note", ["<script>", "a\nb", "`id`", "$(id)", "x" * 201, "[l](j)", "\u202e"])
def test_a_note_holds_words_only(note: str) -> None:
    with pytest.raises(UserError, match="note"):
        planned(note=note)
    assert planned(note=" before the upgrade, again ").note == "before the upgrade, again"
