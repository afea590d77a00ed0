"""Which packages a runner is measured with."""

from __future__ import annotations

from generate.data.record_view import required_versions
from runners.harness.record.model import Package


def package(version: str, *requires: str) -> Package:
    return Package(version=version, reason=None, requires=requires)


def test_what_is_needed_is_found_under_each_way_to_write_its_name() -> None:
    packages = {
        "gevent": package("26.9", "zope-interface"),
        "zope.interface": package("8.6", "typing-extensions"),
        "typing_extensions": package("4.15"),
        "tornado": package("6.5"),
    }
    found = required_versions(packages, ["gevent"])
    assert found == {"gevent": "26.9", "zope-interface": "8.6", "typing-extensions": "4.15"}
