"""Machines in words."""

import msgspec
import pytest
from factory import Plan, make_record
from frames import make_file
from sample_site import letters

from generate.data.files import hosted_matrix
from generate.words.machines import (
    add_article,
    describe_machine,
    format_own_note,
    format_ownership,
    is_virtual,
    name_machines,
)
from generate.words.patterns import CONTRIBUTED, OWN_MACHINE

BARE = msgspec.structs.replace(
    make_record(letters(), Plan()).machine,
    cpu="AMD EPYC",
    architecture="x86_64",
    usable_cores=2,
    os="Debian",
    virtual="none",
    steal_share=None,
)


@pytest.mark.parametrize(
    ("record", "words"),
    [
        ({"cpu": "AMD EPYC", "virtual": "docker", "steal_share": 0.005}, "2-core AMD cloud VM"),
        ({"cpu": "Intel(R) Xeon(R) Processor", "virtual": "kvm"}, "2-core Intel cloud VM"),
        ({"cpu": "AMD EPYC", "virtual": "docker", "steal_share": 0.0}, "2-core AMD EPYC"),
        ({"cpu": "Intel(R) Core(TM) i7-8700B CPU @ 3.20GHz"}, "2-core Intel Core"),
        ({"cpu": "Apple M1 (Virtual)", "virtual": None}, "2-core Apple M1 VM"),
        ({"cpu": "AMD EPYC", "virtual": None, "os": "Windows 10.0.26100"}, "2-core AMD EPYC with Windows"),
        (
            {"cpu": "AMD64 Family 25 Model 1", "architecture": "AMD64", "os": "Windows 11"},
            "2-core x86-64 machine with Windows",
        ),
        ({"cpu": "aarch64", "architecture": "aarch64"}, "2-core ARM machine"),
        ({"cpu": "<b>", "architecture": "<i>", "virtual": "<u>"}, "2-core machine"),
    ],
)
def test_machine_is_named_by_cores_processor_and_system(record: dict[str, object], words: str) -> None:
    machine = msgspec.structs.replace(BARE, **record)
    assert describe_machine(machine, virtual=is_virtual(machine)) == words


def test_all_runs_share_known_facts_of_a_machine() -> None:
    assert names({"steal_share": 0.0}, {"steal_share": 0.01}) == ["2-core AMD cloud VM"]


def test_machines_of_one_name_have_their_labels() -> None:
    assert names({"label": "one"}, {"label": "another"}) == ["2-core AMD EPYC, one", "2-core AMD EPYC, another"]
    assert names({"label": "one"}, {"label": "another", "usable_cores": 8}) == ["2-core AMD EPYC", "8-core AMD EPYC"]


def test_article_fits_the_number() -> None:
    articles = [add_article(f"{cores}-core machine").split()[0] for cores in (1, 2, 8, 11, 16, 18, 80, 112, 128)]
    assert articles == ["a", "a", "an", "an", "a", "an", "an", "a", "a"]


def names(*records: dict[str, object]) -> list[str]:
    record = make_record(letters(), Plan())
    machines = [msgspec.structs.replace(BARE, **facts) for facts in records]
    files = [make_file(msgspec.structs.replace(record, machine=machine)) for machine in machines]
    return [*name_machines(files).values()]


def test_owners_of_machines_are_named() -> None:
    assert {format_ownership(machine.label, local=False) for machine in hosted_matrix().machine} == {""}
    assert format_ownership("linux-x86_64-2-core", local=False) == CONTRIBUTED
    assert format_own_note(local=True) == format_ownership("linux-x86_64-2-core", local=True) == OWN_MACHINE
    assert format_own_note(local=False) == ""
