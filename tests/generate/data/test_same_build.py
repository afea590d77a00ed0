"""Which builds are the same one."""

from __future__ import annotations

import msgspec
import pytest
from factory import REFERENCE

from generate.data.files import build_identity


@pytest.mark.parametrize(
    ("changed", "same"),
    [
        ({"origin": "elsewhere", "pgo": None}, True),
        ({"version": "3.12.9"}, False),
        ({"jit": None}, False),
        ({"flags": ""}, False),
        ({"variant": ("patched",)}, False),
        ({"options": ("cpu_count=2",)}, False),
    ],
)
def test_two_builds_are_the_same_by_one_rule(changed: dict[str, object], *, same: bool) -> None:
    one = msgspec.structs.replace(REFERENCE, jit=False, flags="-O3")
    other = msgspec.structs.replace(one, **changed)
    assert (build_identity(one) == build_identity(other)) is same
