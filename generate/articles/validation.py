"""The figures of docs/validation.json, for the method page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from generate.pages.tables import Head
from generate.pages.templates import fragment

if TYPE_CHECKING:
    from markupsafe import Markup

    from generate.statistics.validation import Validation

QUIET = 0.04
"""Standard deviation of a pair up to which a full run is meant to see a slowdown of 10 %."""
OFTEN = 0.95
FULL_ROUNDS = "12"


def validation_html(validation: Validation) -> Markup:
    """Return the figures as tables; that there are none yet where nothing was validated."""
    return fragment("validation.html", validation=validation, **_computed(validation))


def _computed(validation: Validation) -> dict[str, Any]:
    rounds = sorted({count for power in validation.power for count in power.seen}, key=int)
    slowdowns = sorted({share for power in validation.power for by in power.seen.values() for share in by}, key=float)
    meters = sorted({meter for ratios in validation.agreement.values() for meter in ratios})
    quiet = [power for power in validation.power if power.spread <= QUIET]
    return {
        "rounds": rounds,
        "slowdowns": slowdowns,
        "slowdown_heads": [Head(f"{100 * float(slowdown):.0f} % slower", "n") for slowdown in slowdowns],
        "meters": meters,
        "quiet": quiet,
        "missed": [power for power in quiet if power.seen.get(FULL_ROUNDS, {}).get("0.1", 0.0) < OFTEN],
        "noisy": [power for power in validation.power if power.spread > QUIET],
    }
