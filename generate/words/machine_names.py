"""What a machine is called where people read of it: "2-core AMD cloud VM". Its label names files and commands. Pure."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from runners.harness.record.model import Machine

_PROCESSOR = re.compile(
    r"""\b(?P<maker>AMD|Intel|Apple|Ampere|Qualcomm|ARM)\b[ -]*
    (?P<family>EPYC|Ryzen(?:[ ]Threadripper)?|Athlon|Xeon|Core|Pentium|Celeron|M\d+(?:[ ](?:Pro|Max|Ultra))?
    |Altra|Neoverse|Cortex|Snapdragon)?\b""",
    re.VERBOSE,
)
_MARKS = re.compile(r"\((?:R|TM|C)\)", re.IGNORECASE)
_OF_SERVERS = {"EPYC", "Xeon", "Altra", "Neoverse"}
"""A virtual machine on one of these is called a cloud's: they are made for computers that many share."""
_VIRTUAL = {
    *("amazon", "apple", "bhyve", "google", "hypervisor of an unknown kind", "kvm", "microsoft", "oracle"),
    *("parallels", "powervm", "qemu", "vmware", "xen", "zvm"),
}
"""Kinds of virtual machines. Of a container the kind does not say on what it runs."""
_ARCHITECTURES = {"x86_64": "x86-64", "amd64": "x86-64", "arm64": "ARM", "aarch64": "ARM"}
_SYSTEMS = ("Windows",)
"""Named, as it is neither Linux, which most have, nor told by the processor's maker."""


def is_virtual(machine: Machine) -> bool:
    """Say whether a record knows its machine to be virtual: by its kind, its processor, or what a hypervisor took."""
    return machine.virtual in _VIRTUAL or "(Virtual)" in machine.cpu or bool(machine.steal_share)


def describe_machine(machine: Machine, *, virtual: bool) -> str:
    """Name a machine by its cores, the processor and what it is; *virtual* where any record of it knows it to be."""
    found = _PROCESSOR.search(_MARKS.sub("", machine.cpu))
    architecture = _ARCHITECTURES.get(machine.architecture.lower())
    maker, family = (found["maker"], found["family"]) if found else (architecture, None)
    is_cloud = family in _OF_SERVERS
    kind = ("cloud VM" if is_cloud else "VM") if virtual else ""
    processor = [maker] if kind and is_cloud else [maker, family]
    words = " ".join(filter(None, [f"{machine.usable_cores}-core", *processor, kind or ("" if family else "machine")]))
    system = next((name for name in _SYSTEMS if machine.os.startswith(name)), "")
    return f"{words} with {system}" if system else words


def add_article(words: str) -> str:
    """Put the article before a machine's name, as its number is spoken: "a 2-core", "an 8-core"."""
    begins_with_vowel = re.match(r"8|1[18](?!\d)", words)
    return f"{'an' if begins_with_vowel else 'a'} {words}"
