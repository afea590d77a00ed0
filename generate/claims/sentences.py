"""Describes verdicts in words: on one build and on several, what was expected, what was measured."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain, takewhile

from generate.claims.hypotheses import ClaimPart, Hypothesis
from generate.claims.judge import Evidence, PartVerdict, Verdict
from generate.claims.kinds import describe_exact_ratio
from generate.claims.marks import BADGES, ClaimVerdict, find_badge, find_shown, group_builds, is_applicable, settle
from generate.data.estimates import DECIDED, Estimate
from generate.data.files import ResultKey, build_order
from generate.words import patterns
from generate.words.builds import describe_build, format_build
from generate.words.names import is_free_threaded, list_names
from generate.words.numbers import (
    describe,
    describe_briefly,
    describe_range,
    describe_ratio,
    format_estimate,
    format_with_range,
    outcome,
)
from generate.words.units import CPU_TIME, DURATION, Kind, find_kind
from runners.harness.record.build_names import name_parts, prerelease, release

MAX_NAMED = 3
"""More builds are counted, not named."""
BARE, SINGULAR, PLURAL = range(3)
"""Forms of a verdict in patterns.VERDICTS."""


def describe_answer(row: Sequence[ClaimVerdict], *, is_brief: bool = False) -> str:
    """Describe the verdicts on a claim on several builds: "holds (undecided on 3.11)"; empty without a build.

    Parts that differ are named: "“faster at all” holds. “by as much as printed” does not hold". With *is_brief* only
    the first of several with one answer is named, and no build that is undecided.
    """
    by_part = [*zip(*(each.counting_parts for each in row), strict=True)]
    relevant = [part for part in by_part if any(map(is_applicable, part))] or by_part[:1]
    alike: dict[str, list[Sequence[PartVerdict]]] = defaultdict(list)
    for part in relevant:
        alike[describe_part(part, is_brief=is_brief)].append(part)
    if len(alike) < 2:  # noqa: PLR2004 - all parts have one answer
        return "".join(alike)
    sentences = []
    for parts in alike.values():
        names = [f"“{part[0].part.written.name}”" for part in parts]
        if is_brief and len(names) > 1:
            names = [names[0], patterns.MORE_PARTS.format(len(names) - 1)]
        verdict = describe_part(parts[0], SINGULAR if len(parts) == 1 else PLURAL, is_brief=is_brief)
        sentences.append(f"{list_names(names)} {verdict}")
    return ". ".join(sentences)


def describe_part(part: Iterable[PartVerdict], form: int = BARE, *, is_brief: bool = False) -> str:
    return describe_spread(group_builds(part), form, is_brief=is_brief)


def describe_spread(by_verdict: Mapping[Verdict, Sequence[str]], form: int = BARE, *, is_brief: bool = False) -> str:
    """Describe which builds have which verdict, the commonest first; with *is_brief* without the others in brackets.

    Builds that a claim does not apply to are left out. So are unmeasured ones, unless they are the majority.
    """
    if not by_verdict:
        return ""
    measured: Mapping[Verdict, Sequence[str]] = {
        verdict: by_verdict[verdict] for verdict in (*DECIDED, "undecided") if by_verdict.get(verdict)
    }
    unmeasured, settled = by_verdict.get("not measured", ()), settle(by_verdict)
    notes = {verdict: builds for verdict, builds in measured.items() if verdict not in settled}
    words = patterns.VERDICTS[settled[0]][form]
    if len(settled) > 1:
        both = {verdict: measured[verdict] for verdict in settled}
        words = _by_gil(both, form) or _by_release(both, form) or _by_name(both, form)
    asides = [patterns.VERDICT_ON.format(verdict=verdict, builds=_named(builds)) for verdict, builds in notes.items()]
    known = [*chain.from_iterable(measured.values())]
    if 0 < len(known) <= MAX_NAMED < len(unmeasured):
        asides.append(patterns.VERDICT_ONLY_ON.format(builds=_named(known)))
    return words if is_brief or not asides else patterns.WITH_RANGE.format(value=words, range=", ".join(asides))


def _both(verdict: Verdict, form: int) -> dict[str, str]:
    return {"verdict": patterns.VERDICTS[verdict][form], "opposite": patterns.OPPOSITES[verdict][form]}


def _by_gil(decided: Mapping[Verdict, Sequence[str]], form: int) -> str:
    """Describe verdicts that differ by the GIL; empty if they don't."""
    kinds = {verdict: {*map(is_free_threaded, builds)} for verdict, builds in decided.items()}
    with_gil = next((verdict for verdict, kind in kinds.items() if kind == {False}), None)
    if with_gil is None or {True} not in kinds.values():
        return ""
    return patterns.VERDICT_BY_GIL.format(**_both(with_gil, form))


def _by_release(decided: Mapping[Verdict, Sequence[str]], form: int) -> str:
    """Describe verdicts that changed with a release, patch releases counting as one; empty otherwise."""
    if len({build_order(build)[0] for builds in decided.values() for build in builds}) > 1:
        return ""  # versions of two implementations have no order in common
    versions = {
        verdict: sorted(build_order(build)[1].release[:2] for build in builds) for verdict, builds in decided.items()
    }
    (before, older), (_, newer) = sorted(versions.items(), key=lambda each: each[1])
    if older[-1] >= newer[0]:
        return ""
    last, first = (".".join(map(str, version)) for version in (older[-1], newer[0]))
    return patterns.VERDICT_UP_TO.format(last=last, first=first, **_both(before, form))


def _by_name(decided: Mapping[Verdict, Sequence[str]], form: int) -> str:
    (most, builds), (_, others) = sorted(decided.items(), key=lambda each: -len(each[1]))
    return patterns.VERDICT_ON_BUILDS.format(builds=_named(builds), others=_named(others), **_both(most, form))


def _named(builds: Sequence[str]) -> str:
    """Name a few builds by their release; count more."""
    if len(builds) > MAX_NAMED:
        return patterns.MANY_BUILDS.format(len(builds))
    short = [*map(_release, builds)]
    return list_names(
        [name if short.count(name) == 1 else format_build(build) for build, name in zip(builds, short, strict=True)]
    )


def _release(build: str) -> str:
    implementation, version, is_free, kinds, _ = name_parts(build)
    words = ["PyPy"] if implementation == "pypy" else []
    words += [release(version) + prerelease(version), *(["free-threaded"] if is_free else [])]
    return " ".join([*words, *(f"with {kind.upper()}" for kind in kinds)])


def describe_verdict(verdict: PartVerdict) -> str:
    """Describe what was measured on a build, and why it decides nothing; or why nothing was measured."""
    build, evidence = describe_build(verdict.result.build), verdict.evidence
    if evidence is None:
        return patterns.CLAIM_WITHOUT_VALUE.format(build=build, verdict=verdict.verdict, reason=verdict.reason)
    nothing = patterns.CLAIM_UNDECIDED.format(reason=verdict.reason) if verdict.reason else ""
    return patterns.CLAIM_ON_BUILD.format(build=build, measured=_measured(verdict, evidence)) + nothing


def _measured(verdict: PartVerdict, evidence: Evidence) -> str:
    hypothesis = evidence.hypothesis
    kind, unit, ratio = find_kind(hypothesis.metric), hypothesis.metric.unit, evidence.compared[0]
    if hypothesis.rule is not None:
        return patterns.RULE_RIGHT_FOR.format(share=format_with_range(ratio, "ratio"))
    title = hypothesis.metric.title[0].lower() + hypothesis.metric.title[1:]
    runner, *others = _names(hypothesis)
    if len(hypothesis.candidates) > 1:
        steps = ", ".join(describe_ratio(step.value, kind) for step in evidence.compared)
        return patterns.CLAIM_STEPS.format(title=title, runner=runner, steps=steps)
    if evidence.baseline is None:
        value = format_with_range(evidence.candidate, unit)
        return patterns.CLAIM_VALUE.format(title=title, runner=runner, value=value)
    is_open = verdict.verdict in DECIDED and outcome(ratio) == "undecided"  # far from the bound, but not from 1
    comparison = describe_range(ratio, kind) if is_open else describe(ratio, kind)
    if hypothesis.kind.is_no_difference and verdict.verdict == "holds":
        comparison = patterns.WITH_RANGE.format(value=hypothesis.expectation, range=describe_range(ratio, kind))
    return patterns.CLAIM_AGAINST.format(
        title=title,
        value=format_estimate(evidence.candidate, unit),
        runner=runner,
        other=format_estimate(evidence.baseline, unit),
        baseline=others[0],
        comparison=comparison,
    )


def describe_decisive(row: Sequence[ClaimVerdict], first: ResultKey | None = None) -> str:
    """Describe in short the first part with the badge of its claim, on *first* if that has it; empty without any."""
    badge = find_badge(row)
    by_part = zip(*(each.counting_parts for each in row), strict=True)
    shown = (find_shown(parts, first) for parts in by_part)
    return next((describe_in_short(each) for each in shown if each and BADGES[each.verdict] is badge), "")


def describe_in_short(verdict: PartVerdict) -> str:
    """Describe what was expected and measured, after the name of a part; empty without a measurement.

    A range is only given if it leaves open which of the two is ahead, or on which side of the bound it is.
    """
    evidence = verdict.evidence
    if evidence is None:
        return ""
    hypothesis, kind = evidence.hypothesis, find_kind(evidence.hypothesis.metric)
    is_open = verdict.verdict == "undecided"
    if hypothesis.compares_ratios:
        ratios = (describe(each, kind) if is_open else _describe_ratio(each, kind) for each in evidence.compared)
        measured = ", ".join(dict.fromkeys(ratio.removeprefix(patterns.TAKES) for ratio in ratios))
    else:
        form = format_with_range if is_open else format_estimate
        measured = form(evidence.candidate, "ratio" if hypothesis.rule else hypothesis.metric.unit)
    name = f"“{verdict.part.written.name}”: " if verdict.part.written.name else ""
    return name + patterns.CLAIM_IN_SHORT.format(expected=hypothesis.expectation, measured=measured)


def _describe_ratio(ratio: Estimate, kind: Kind) -> str:
    if outcome(ratio) != "undecided" or not ratio.has_range:
        return describe_briefly(ratio, kind)
    low, _, high = describe_range(ratio, kind).partition(patterns.RANGE.format("", ""))
    return patterns.BETWEEN.format(low, high) if high else low


def _names(hypothesis: Hypothesis) -> list[str]:
    """Name the candidate and the baseline, with what differs if their cases do."""
    series, runners = hypothesis.series, [hypothesis.scenario.runners[key.runner].label for key in hypothesis.series]
    if hypothesis.compares_builds:
        other = "" if runners[0] == runners[-1] else f"{runners[-1]} "
        return [runners[0], other + patterns.BASELINE_BUILDS[hypothesis.baseline_build]]
    if hypothesis.baseline is None or len({key.case for key in series}) == 1:
        return runners
    cases = [hypothesis.scenario.case_label(key.case).split(", ") for key in series]
    shared = sum(1 for _ in takewhile(lambda words: len({*words}) == 1, zip(*cases, strict=False)))
    return [f"{runner}; {', '.join(words[shared:])}" for runner, words in zip(runners, cases, strict=True)]


def describe_printed(part: ClaimPart) -> str:
    """Describe what the source printed: "1.1 s against 4.2 s, 3.82 times as fast"; empty if nothing."""
    printed, hypothesis = part.written.printed, part.hypothesis
    if printed is None:
        return ""
    if not printed.baseline or hypothesis is None or not hypothesis.printed or not hypothesis.compares_ratios:
        return printed.candidate
    kind = find_kind(hypothesis.metric)
    ratio = describe_exact_ratio(
        hypothesis.printed, DURATION if kind is CPU_TIME else kind
    )  # sources print elapsed time
    return patterns.CLAIM_PRINTED.format(candidate=printed.candidate, baseline=printed.baseline, ratio=ratio)


def describe_contradiction(part: ClaimPart) -> str:
    """Describe how the source's own figures contradict its claim; empty if they don't."""
    hypothesis = part.hypothesis
    if hypothesis is None or hypothesis.printed is None or hypothesis.expected.holds(hypothesis.printed):
        return ""
    return patterns.CLAIM_CONTRADICTED.format(printed=describe_printed(part), expected=hypothesis.expectation)
