"""The commands that repeat a result, and the programs that take them."""

import pytest
from click.testing import CliRunner
from factory import REFERENCE, Plan, build, make_record, some_scenarios
from msgspec.structs import replace

from actions.dispatch import make_plan
from generate.words.repeat import (
    choose_profile,
    format_hosted_command,
    format_local_command,
    format_python,
    split_variant,
)
from runners.harness import matrix
from runners.harness.__main__ import main
from runners.harness.builds import build_request
from runners.harness.catalogue import scenarios as catalogue
from runners.harness.record.model import Profile, Record
from runners.harness.run.plan import Selection

SCENARIOS = some_scenarios()


def record(**plan: object) -> Record:
    return make_record(SCENARIOS, Plan(**{"rounds": 6, **plan}))  # type: ignore[arg-type] # fields of a Plan


def test_result_is_repeated_with_its_builds_and_rounds() -> None:
    free = record(build=build("3.14.0", free_threaded=True), rounds=20)
    assert format_local_command("primes", free) == (
        "python -m runners run --scenario primes --python 3.12.8 --python 3.14.0t --profile full --rounds 20"
    )
    assert format_local_command("primes", record(build=REFERENCE), ["thread_pool"]) == (
        "python -m runners run --scenario primes --runner thread_pool --python 3.12.8 --profile full"
    )
    assert format_local_command("primes") == "python -m runners run --scenario primes --profile full"


def test_hosted_machine_is_repeated_as_itself() -> None:
    cell = record(machine="ubuntu-24.04", build=build("3.14.0", free_threaded=True))
    assert format_hosted_command("primes", cell) == (
        "gh workflow run measure.yml -f scenarios=primes -f machines=ubuntu-24.04 -f pythons=3.14t -f profile=full"
    )
    assert "-f machines=ubuntu-24.04 " in format_hosted_command("primes", record(machine="$(reboot)"))
    assert "-f pythons=3.14 " in format_hosted_command("primes", record(build=build("2.7.18")))
    assert "-f machines=all -f pythons=all " in format_hosted_command("primes")


def test_other_implementations_are_requested_by_name() -> None:
    assert format_python(build("3.15.0b4", free_threaded=True)) == "3.15.0b4t"
    pypy = build("3.11.13", implementation="PyPy")
    assert (format_python(pypy), format_python(pypy, is_hosted=True)) == ("pypy3.11.13", "pypy3.11")
    assert format_python(pypy, is_hosted=True) in matrix.read().pythons


def test_variant_is_typed_again_from_its_words() -> None:
    wheel = "gevent-1-py3-none-any.whl"
    words = ["mine", "aiohttp 3.13.5", f"{wheel} 1a2b3c4d", "gevent/gevent@0a1b", "PYTHON_JIT=1", "-X dev"]
    assert split_variant(words) == ("mine", ["aiohttp==3.13.5", wheel, "gevent/gevent@0a1b"])


def test_variant_is_repeated_with_its_differences() -> None:
    plain = build("3.14.0")
    other = replace(plain, variant=("aiohttp 3.13.0", "PYTHON_GIL=0", "-X cpu_count=2"), variables=("PYTHON_GIL=0",),
                    options=("cpu_count=2",))  # fmt: skip
    request = "3.14.0+aiohttp==3.13.0+PYTHON_GIL=0+-Xcpu_count=2"
    assert f"--python 3.12.8 --python {request} " in format_local_command("download", record(build=other))
    assert "-f pythons=3.14+aiohttp==3.13.0+PYTHON_GIL=0+-Xcpu_count=2 " in format_hosted_command(
        "download", record(build=other)
    )
    assert build_request.parse(request, ["aiohttp"]).variant == other.variant
    commit = replace(plain, variant=("aio-libs/aiohttp@0123abc",))
    assert format_python(commit) == "3.14.0+aio-libs/aiohttp@0123abc"


def test_own_wheels_are_not_requested_from_hosted_machines() -> None:
    own = replace(build("3.14.0"), variant=("patched", "aiohttp-4.0-py3-none-any.whl"))
    assert format_python(own) == "patched=3.14.0+aiohttp-4.0-py3-none-any.whl"
    assert "-f pythons=3.14 " in format_hosted_command("download", record(build=own))
    assert format_python(replace(own, variant=("$(reboot)",))) == ""


def test_hostile_name_goes_into_no_command() -> None:
    hostile = record(build=build("3.13.1; reboot"))
    assert "reboot" not in format_local_command("primes", hostile)
    assert "reboot" not in format_hosted_command("primes", record(build=build("3.13;reboot.1")))


@pytest.mark.parametrize("source", ["full", record(machine="macos-26"), record(rounds=5, profile="quick")])
def test_workflow_plans_what_the_command_requests(source: Record | Profile) -> None:
    words = format_hosted_command("primes", source).split(" -f ")[1:]
    made = make_plan(dict(word.split("=") for word in words), catalogue.find())
    assert made.scenarios == ["primes"]
    assert isinstance(source, str) or made.rounds == source.run.rounds


@pytest.mark.parametrize("scenario", catalogue.find().values(), ids=lambda scenario: scenario.name)
def test_first_run_has_a_profile_with_cases(scenario: catalogue.Scenario) -> None:
    profile = choose_profile(scenario)
    assert Selection(profile).includes(scenario)
    assert profile == ("map" if scenario.name == "crossover" else "full")
    assert format_local_command(scenario.name, profile).endswith(f"--scenario {scenario.name} --profile {profile}")
    assert format_hosted_command(scenario.name, profile).endswith(f"-f profile={profile}")


def test_local_command_exists() -> None:
    words = format_local_command("primes", record(), ["thread_pool"]).removeprefix("python -m runners ").split()
    shown = CliRunner().invoke(main, [*words, "--help"])
    assert shown.exit_code == 0
    assert all(option in shown.output for option in words if option.startswith("--"))
