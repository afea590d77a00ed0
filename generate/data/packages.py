"""Which packages a runner is measured with, those included that its packages need. Pure."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

from packaging.utils import canonicalize_name

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from runners.harness.record.model import Package, Record

    Versions = Mapping[str, str]
    """By package, its version, and where it is from no index what it was made from."""


_normal: Callable[[str], str] = functools.cache(canonicalize_name)  # asked for each series, of the same few names


def versions_of(packages: Mapping[str, Package], roots: Iterable[str]) -> Versions:
    """Return the versions of the *roots* and of all that they need, as far as a record says; where it does not, of all.

    A package that is not installed has no version, and neither has what would be needed by it. A record lists
    zope.interface under that name, and names it zope-interface where it is required.
    """
    packages = {_normal(name): package for name, package in packages.items()}
    wanted, versions = [*map(_normal, roots)], dict[str, str]()
    if any(name in packages and packages[name].requires is None for name in wanted):
        wanted = [*packages]
    while wanted:
        name = wanted.pop()
        package = packages.get(name)
        if name not in versions and package is not None and package.version is not None:
            versions[name] = f"{package.version} ({package.source})" if package.source else package.version
            wanted += map(_normal, package.requires or ())
    return versions


def other_versions(ours: Versions, theirs: Versions, between: str = " and ") -> list[str]:
    """Name the packages of which both have a version, and not the same: "tornado 6.5.10 and 6.6.1".

    What only one of two builds needs, as a backport on an old Python, is no other version.
    """
    differing = (name for name in sorted(ours.keys() & theirs.keys()) if ours[name] != theirs[name])
    return [f"{name} {ours[name]}{between}{theirs[name]}" for name in differing]


def changed(ours: Versions, theirs: Versions) -> dict[str, tuple[str, str]]:
    """Return both versions of the packages of which both have one, and not the same.

    What a version was made from, which may be the long name of a wheel, is left out where the versions tell it already.
    """
    both = {name: (ours[name], theirs[name]) for name in sorted(ours.keys() & theirs.keys())}
    bare = {name: (one.partition(" ")[0], other.partition(" ")[0]) for name, (one, other) in both.items()}
    return {
        name: bare[name] if bare[name][0] != bare[name][1] else (one, other)
        for name, (one, other) in both.items()
        if one != other
    }


def difference(first: Record, second: Record, roots: Iterable[str]) -> str:
    """Name the packages that differ between the reference builds of two records; empty where none does.

    What is divided by the same on the reference build cancels a change of a package that both have.
    """
    names = [*roots]
    ours, theirs = (versions_of(record.reference_packages, names) for record in (first, second))
    differing = sorted(name for name in ours.keys() | theirs.keys() if ours.get(name) != theirs.get(name))
    words = [f"{name} {ours.get(name, 'absent')} and {theirs.get(name, 'absent')}" for name in differing]
    return ", ".join(words)
