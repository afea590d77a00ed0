"""Sums up the parts of a claim, on one build or on several: the verdict on each part, and the claim's badge."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from enum import Enum
from typing import NamedTuple

from generate.claims.judge import PartVerdict, Verdict
from generate.claims.model import Claim
from generate.data.estimates import DECIDED
from generate.data.files import ResultKey, slug
from generate.words.names import is_prerelease

LETTERS: Mapping[Verdict, str] = {
    "does not hold": "x",
    "holds": "h",
    "undecided": "c",
    "not measured": "m",
    "does not apply": "n",
}
"""Used in pages, refuted first."""


class Badge(Enum):
    """The outcome of a claim, in the order of the board."""

    REFUTED = "refuted"
    HALF = "half"
    """Some of its parts hold, or it holds on some builds. The rest does not, or is undecided."""
    HOLDS = "holds"
    UNDECIDED = "undecided"
    NOT_MEASURED = "not measured"
    NOT_JUDGED = "not judged"
    """No build or set-up here could refute or confirm it."""


BADGES: Mapping[Verdict, Badge] = dict(zip(LETTERS, [each for each in Badge if each is not Badge.HALF], strict=True))
"""The badge of a claim whose parts all have one verdict."""


class ClaimVerdict(NamedTuple):
    claim: Claim
    result: ResultKey
    parts: list[PartVerdict]

    @property
    def counting_parts(self) -> Sequence[PartVerdict]:
        """The source's own parts; ours if it has none."""
        return [part for part in self.parts if not part.part.written.ours] or self.parts

    @property
    def is_measured(self) -> bool:
        """True if there is evidence for or against any part."""
        return any(part.evidence for part in self.parts)

    @property
    def anchor(self) -> str:
        """The id of its card."""
        return f"{slug(self.claim.id)}-{self.result.key}"


def is_applicable(part: PartVerdict) -> bool:
    """True if a part is about this kind of build, so that it counts for its claim.

    A part that no set-up could refute or confirm counts too: the claim was not shown to hold.
    """
    return part.verdict != "does not apply" or bool(part.part.written.not_applicable)


def group_builds(verdicts: Iterable[PartVerdict]) -> dict[Verdict, list[str]]:
    builds: dict[Verdict, list[str]] = defaultdict(list)
    for verdict in verdicts:
        builds[verdict.verdict].append(verdict.result.build)
    return dict(builds)


def settle(by_verdict: Mapping[Verdict, Sequence[str]]) -> tuple[Verdict, ...]:
    """Return the verdict on a part over several builds: both if they contradict each other, else the commonest.

    Builds that did not measure it, or that it is not about, only count if there are no others.
    """
    decided = tuple(verdict for verdict in DECIDED if by_verdict.get(verdict))
    undecided = by_verdict.get("undecided", ())
    if len(decided) == len(DECIDED) or (decided and len(undecided) <= len(by_verdict[decided[0]])):
        return decided
    if undecided:
        return ("undecided",)
    return ("not measured",) if by_verdict.get("not measured") else ("does not apply",)


def find_shown(verdicts: Iterable[PartVerdict], first: ResultKey | None = None) -> PartVerdict | None:
    """Return a part's verdict, as settled over its builds, on *first*; else on the newest, final releases preferred."""
    every = [*verdicts]
    settled = settle(group_builds(every))
    known = [each for each in every if each.verdict in settled and each.verdict in {*DECIDED, "undecided"}]
    final = [each for each in known if not is_prerelease(each.result.build)] or known
    return next((each for each in final if each.result == first), final[-1] if final else None)


def settle_parts(row: Sequence[ClaimVerdict]) -> list[tuple[Verdict, ...]]:
    """Return what builds settle on for each part that counts and that is about any of them."""
    by_part = (list(filter(is_applicable, parts)) for parts in zip(*(each.counting_parts for each in row), strict=True))
    return [settle(group_builds(parts)) for parts in by_part if parts]


def find_badge(row: Sequence[ClaimVerdict]) -> Badge:
    """Return the badge of a claim over several builds."""
    settled = {verdict for verdicts in settle_parts(row) for verdict in verdicts}
    if "holds" in settled:
        return Badge.HOLDS if len(settled) == 1 else Badge.HALF
    if not settled:
        return Badge.NOT_JUDGED if row else Badge.NOT_MEASURED
    return BADGES[min(settled, key=[*LETTERS].index)]


def differs_between_builds(row: Sequence[ClaimVerdict]) -> bool:
    """True if some builds refute a part that others confirm."""
    return any(len(verdicts) > 1 for verdicts in settle_parts(row))
