"""Machines in words: "2-core AMD cloud VM"; their labels name files and commands."""

import re
from collections import defaultdict
from collections.abc import Sequence

from generate.data.files import MachineKey, ResultFile, hosted_matrix, rank_machine
from generate.words import patterns
from generate.words.names import strip_markup
from runners.harness.record.model import Machine

_PROCESSOR = re.compile(
    r"""\b(?P<maker>AMD|Intel|Apple|Ampere|Qualcomm|ARM)\b[ -]*
    (?P<family>EPYC|Ryzen(?:[ ]Threadripper)?|Athlon|Xeon|Core|Pentium|Celeron|M\d+(?:[ ](?:Pro|Max|Ultra))?
    |Altra|Neoverse|Cortex|Snapdragon)?\b""",
    re.VERBOSE,
)
_SERVER_FAMILIES = {"EPYC", "Xeon", "Altra", "Neoverse"}
"""A virtual machine on one of these is called a cloud VM: they are made for shared computers."""
_VIRTUAL = {
    *("amazon", "apple", "bhyve", "google", "hypervisor of an unknown kind", "kvm", "microsoft", "oracle"),
    *("parallels", "powervm", "qemu", "vmware", "xen", "zvm"),
}
"""Kinds of virtual machines. Containers may run on either."""
_ARCHITECTURES = {"x86_64": "x86-64", "amd64": "x86-64", "arm64": "ARM", "aarch64": "ARM"}


def format_own_note(local: bool) -> str:  # noqa: FBT001 - a filter of the templates
    """Mark the reader's own machine in boxes that have no room for the owner of others."""
    return patterns.OWN_MACHINE if local else ""


def format_ownership(label: str, local: bool) -> str:  # noqa: FBT001 - a filter of the templates
    """Format the owner of machine *label*, to follow its name; empty for machines of the workflow."""
    return format_own_note(local) or (
        "" if rank_machine(label) < len(hosted_matrix().machine) else patterns.CONTRIBUTED
    )


def is_virtual(machine: Machine) -> bool:
    """True if a machine is virtual, by its kind, its processor, or the time that a hypervisor took."""
    return machine.virtual in _VIRTUAL or "(Virtual)" in machine.cpu or bool(machine.steal_share)


def describe_machine(machine: Machine, *, virtual: bool) -> str:
    """Describe a machine by its cores, processor and kind; *virtual* if any of its records shows that."""
    processor = _PROCESSOR.search(re.sub(r"\((?:R|TM|C)\)", "", machine.cpu, flags=re.IGNORECASE))
    architecture = _ARCHITECTURES.get(machine.architecture.lower())
    maker, family = (processor["maker"], processor["family"]) if processor else (architecture, None)
    is_cloud = virtual and family in _SERVER_FAMILIES
    kind = "cloud VM" if is_cloud else "VM" if virtual else "" if family else "machine"
    words = [f"{machine.usable_cores}-core", maker, "" if is_cloud else family, kind]
    is_windows = machine.os.startswith("Windows")  # the processor's maker tells Apple's; the others have Linux
    return " ".join(filter(None, [*words, "with Windows" if is_windows else ""]))


def add_article(words: str) -> str:
    """Add the article before a machine's name, by the sound of its number: "a 2-core", "an 8-core"."""
    begins_with_vowel = re.match(r"8|1[18](?!\d)", words)
    return f"{'an' if begins_with_vowel else 'a'} {words}"


def name_machines(files: Sequence[ResultFile]) -> dict[MachineKey, str]:
    """Describe each machine, with its label if several would have the same name."""
    machines = {file.key.machine_key: file.record.machine for file in files}
    virtual = {file.key.machine_key for file in files if is_virtual(file.record.machine)}
    names = {key: describe_machine(machine, virtual=key in virtual) for key, machine in machines.items()}
    labels: dict[str, set[str]] = defaultdict(set)
    for key, name in names.items():
        labels[name].add(f"{key.machine}{key.processor}")
    return {
        key: name if len(labels[name]) == 1 else f"{name}, {strip_markup(key.machine)}" for key, name in names.items()
    }
