"""The figures of docs/validation.json, for the method page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from generate.pages.tables import Head
from generate.pages.templates import fragment

if TYPE_CHECKING:
    from collections.abc import Sequence

    from markupsafe import Markup

    from generate.results.validation import Made, Slowdown, Validation

PARTS = {
    "simulated": "simulations",
    "controls": "controls",
    "power": "slowdowns put onto noise",
    "pyperf": "pyperf",
    "agreement": "load generators",
    "stability": "stability",
}
"""What the parts of the record are called on the page."""
QUIET = 0.04
"""Standard deviation of a pair up to which a full run is meant to see a slowdown of 10 %."""
OFTEN = 0.95
FULL_ROUNDS = "12"


def validation_html(validation: Validation) -> Markup:
    """Return the figures as tables; that there are none yet where nothing was validated."""
    power = validation.power
    slowdowns = sorted({share for each in power for by in each.seen.values() for share in by}, key=float)
    quiet = [each for each in power if each.spread <= QUIET]
    return fragment(
        "validation.html",
        validation=validation,
        made=_made(validation),
        rounds=sorted({count for each in power for count in each.seen}, key=int),
        slowdowns=slowdowns,
        slowdown_heads=[Head(f"{1 + float(slowdown):.2f} times as long", "n") for slowdown in slowdowns],
        meters=sorted({meter for ratios in validation.agreement.values() for meter in ratios}),
        quiet=quiet,
        quiet_up_to=QUIET,
        trials_seen=_trials_seen(validation.slowdown),
        missed=[each for each in quiet if each.seen.get(FULL_ROUNDS, {}).get("0.1", 0.0) < OFTEN],
        noisy=[each for each in power if each.spread > QUIET],
    )


def _trials_seen(trials: Sequence[Slowdown]) -> str:
    """Say how often a slowdown was seen in trials as quiet as a full run needs, and in noisier ones.

    Of work that had no quiet trial, that too.
    """
    quiet = [trial for trial in trials if trial.spread <= QUIET]
    noisy = [trial for trial in trials if trial.spread > QUIET]
    said = [
        f"In {which} trials it was seen {_how_often(of)}." for which, of in (("such", quiet), ("noisier", noisy)) if of
    ]
    said += [
        f"No trial that {work} was so quiet: of those there is only the simulation below, which is an upper limit."
        for work in sorted({trial.work for trial in noisy} - {trial.work for trial in quiet})
    ]
    return " ".join(said)


def _how_often(trials: Sequence[Slowdown]) -> str:
    return f"{sum(trial.seen for trial in trials)} of {sum(trial.times for trial in trials)} times"


def _made(validation: Validation) -> dict[Made, list[str]]:
    """Return which parts were made when, where and from what, the newest first."""
    parts = [(made, PARTS[name]) for name, made in validation.made.items()]
    parts += [(rule.made, f"few rounds ({rule.spacing})") for rule in validation.quick if rule.made]
    parts += [(trial.made, "a real slowdown") for trial in validation.slowdown]
    ordered = sorted({made for made, _ in parts}, key=_order, reverse=True)
    return {made: [*dict.fromkeys(words for by, words in parts if by == made)] for made in ordered}


def _order(made: Made) -> tuple[str, ...]:
    """Order by date; what else tells apart those of one day keeps the order from depending on hashes."""
    return made.date, made.machine, made.processor, made.commit or ""
