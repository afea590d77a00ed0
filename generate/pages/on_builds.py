"""A series on every build of a machine, and what a change did to it: a version, the GIL, a just-in-time compiler."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from msgspec import structs

from generate.charts.kinds.builds import in_list
from generate.charts.scale import values_title
from generate.charts.versions import Place
from generate.data.estimates import Estimate
from generate.data.results import Results
from generate.data.selection import Result
from generate.pages.pieces import name_runner
from generate.pages.values import find_jit
from generate.words import patterns
from generate.words.builds import abbreviate_build
from generate.words.names import describe_status
from generate.words.numbers import describe, format_with_range, outcome
from generate.words.units import KINDS, axis_scale, find_kind
from runners.harness.contract import Metric
from runners.harness.record.build_names import is_older, numbers, prerelease
from runners.harness.record.model import Build, SeriesKey

GIL, JIT = "GIL", "JIT"
"""The changes that are not a version: removing the GIL, adding the just-in-time compiler."""
GROUPS = {"gil": "", "free": GIL, "jit": JIT}
"""The lines of a picture of builds, and the change that each shows."""
CHANGES = frozenset(filter(None, GROUPS.values()))
LONGEST_WORD = 15
"""Letters of a word that fit in the height of a picture of builds."""
OUTCOMES = {KINDS[name]: words for name, words in patterns.VERSION_OUTCOMES.items()}


class Change(NamedTuple):
    build: str
    other: str
    """The build, or the runner, that it is compared with."""
    ratio: Estimate


@dataclass(frozen=True)
class OnBuilds:
    """A series on every build of the machine that pages begin with, compared by pairs within runs."""

    site: Results
    key: SeriesKey
    metric: Metric
    change: str
    other: str
    """The runner to compare with on each build; empty to compare builds."""

    @cached_property
    def results(self) -> dict[str, Result]:
        """The results with one reference build, by name, without variants except the changed one."""
        alike = self.site.with_one_reference(self.key.scenario, self.key.case)
        jit = find_jit(self.site, self.key.scenario, self.key) if self.change == JIT else None
        return {_name(each.record.build): each for each in alike if not each.record.build.variant or each is jit}

    @cached_property
    def names(self) -> dict[str, str]:
        """The machine's builds in order, with or without a result: the line of each by its name."""
        first = next(iter(self.results.values()))
        others = (each for each in self.site.results if each.machine_key == first.machine_key)
        every = [*self.results.values(), *(each for each in others if not each.record.build.variant)]
        every.sort(key=lambda each: each.order)
        groups = {_name(each.record.build): _group(each.record.build) for each in every}
        return dict(sorted(groups.items(), key=lambda item: [*GROUPS].index(item[1])))

    @property
    def reference(self) -> Estimate | None:
        """The value on the reference build; None if runners are compared."""
        if self.other:
            return None
        references = (each for each in self.results.values() if each.newest.is_reference)
        return next((each.estimate(self.key, self.metric) for each in references), None)

    @property
    def against(self) -> str:
        """Name what all builds are compared with."""
        return patterns.TERMINAL_AGAINST.format(self._other_name)

    @property
    def _other_name(self) -> str:
        if self.other:
            return name_runner(self.site.scenarios[self.key.scenario], self.other)
        return in_list(_name(next(iter(self.results.values())).record.reference_build))

    def ratio(self, result: Result) -> Estimate | None:
        if self.other:
            return result.ratio(self.key, self.key._replace(runner=self.other), self.metric)
        return result.against_reference(self.key, self.metric)

    def why(self, name: str) -> str:
        """Return why a build has no ratio."""
        key, result = self.key, self.results.get(name)
        row = self.site.row(result, key.scenario, key.case, key.runner, self.metric.name) if result else None
        if row is None:
            return patterns.NOT_MEASURED
        missing = patterns.NOT_COMPARED if row.value else patterns.NO_VALUE
        return missing if row.status in {"ok", "partial"} else describe_status(row.status)

    def places(self) -> tuple[list[Place], float, str]:
        """Return the places of the picture, the size of its unit, and what its values are.

        A build is drawn at its ratio, times the reference build's value: hours and hosts would move its own.
        """
        ratios = {name: self.ratio(self.results[name]) for name in self.names if name in self.results}
        reference = self.reference
        factor, unit = (reference.value, self.metric.unit) if reference else (1.0, "times")
        values = {name: ratio.times(factor) for name, ratio in ratios.items() if ratio}
        scale = axis_scale(unit, [each.value for each in values.values()])
        has_unit = scale.sign and not self.metric.title.endswith(f" {scale.sign}")
        pattern = patterns.VERSION_TIMES if self.other else patterns.VERSION_VALUES if has_unit else "{metric}"
        title = pattern.format(metric=self.metric.title, unit=scale.sign, other=self._other_name)
        places = []
        for name, group in self.names.items():
            why = self.why(name)
            word = why if len(why) <= LONGEST_WORD else patterns.NO_VALUE
            places.append(Place(name, group, values.get(name), word))
        return places, scale.size, values_title(self.metric._replace(title=title), is_log=False)

    def rows(self) -> Iterator[tuple[str, str]]:
        """Yield each build's name and its ratio in words, or why it has none."""
        for name in self.names:
            result = self.results.get(name)
            ratio = self.ratio(result) if result else None
            if ratio and not ratio.runs and self.reference:
                words = format_with_range(self.reference, self.metric.unit)
            else:
                words = describe(ratio, find_kind(self.metric)) if ratio else self.why(name)
            yield in_list(name), words

    def headline(self) -> tuple[str, str]:
        """Return what the change did, if it did the same to all builds, and the first one's number, or both ends'."""
        changes = [*self.changes()]
        if not changes:
            return patterns.NOT_COMPARED, ""
        first, found = changes[0], {outcome(each.ratio) for each in changes}
        only, kind = found.pop() if len(found) == 1 else "", find_kind(self.metric)
        word = OUTCOMES.get(kind, patterns.VERSION_OTHER).get(only, patterns.VERSION_MIXED)
        if self.other:
            ends = changes[:: max(len(changes) - 1, 1)]
            on = (patterns.VERSION_ON.format(describe(each.ratio, kind), each.build) for each in ends)
            pattern = patterns.VERSION_THAN if only in {"less", "more"} else patterns.VERSION_BESIDE
            return pattern.format(word, self._other_name), "; ".join(on)
        since = patterns.VERSION_CHANGES.get(self.change) or patterns.VERSION_SINCE.format(self.change)
        return f"{word} {since}", patterns.VERSION_AGAINST.format(first.build, first.other, describe(first.ratio, kind))

    def changes(self) -> Iterator[Change]:
        """Yield the final builds with the change, each against one without it, newest first except for a version."""
        version = numbers(self.change)
        wanted = next((group for group, change in GROUPS.items() if change == self.change), "gil")
        later = {name: each for name, each in self.results.items() if _is_final(each.record.build, wanted)}
        if version:
            earlier = [name for name, each in later.items() if is_older(each.record.build.version, version)]
            yield from self._since([name for name in later if name not in earlier], earlier[-1:])
            return
        for name, result in reversed(later.items()):
            counterpart = result.newest.counterpart
            if self.other:
                ratio, other = self.ratio(result), self._other_name
            else:
                ratio = result.against_counterpart(self.key, self.metric)
                other = in_list(_name(counterpart.file.record.build)) if counterpart else ""
            if ratio:
                yield Change(in_list(name), other, ratio)

    def _since(self, later: Sequence[str], earlier: Sequence[str]) -> Iterator[Change]:
        for before in earlier:
            first = self.ratio(self.results[before])
            for name in later:
                ratio = self.ratio(self.results[name])
                if first and ratio and first.scale == ratio.scale == "log":
                    yield Change(in_list(name), in_list(before), ratio.over(first))


def _name(build: Build) -> str:
    """Name a build on an axis, without its variant: that has a line of its own."""
    return abbreviate_build(structs.replace(build, variant=()))


def _group(build: Build) -> str:
    return "jit" if build.variant else "free" if build.free_threaded else "gil"


def _is_final(build: Build, group: str) -> bool:
    return build.implementation == "CPython" and not prerelease(build.version) and _group(build) == group
