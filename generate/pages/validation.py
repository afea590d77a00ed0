"""The figures of docs/validation.json, for the method page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from generate.pages.templates import fragment

if TYPE_CHECKING:
    from markupsafe import Markup

    from generate.data.validation import Compared, Made, Validation

PARTS = {
    "predictions": "held-out runs",
    "detection": "controls and planted differences",
    "pyperf": "pyperf",
    "agreement": "load generators",
}
"""What the parts of the record are called on the page."""
COMPARED: dict[Compared, str] = {
    "value": "values",
    "ratio": "ratios",
    "within": "ratios within a build",
    "across": "ratios between builds",
}
BEFORE: dict[Compared, tuple[str, str]] = {"value": ("53 %", "9 %"), "ratio": ("75 %", "11 %")}
"""Of the rule that this one replaced, whose range was of one run: runs inside, and its half-width."""


def validation_html(validation: Validation) -> Markup:
    """Return the figures as tables; a note if nothing was validated yet."""
    return fragment(
        "validation.html",
        validation=validation,
        made=_made(validation),
        compared=COMPARED,
        before=BEFORE,
        meters=sorted({meter for ratios in validation.agreement.values() for meter in ratios}),
    )


def _made(validation: Validation) -> dict[Made, list[str]]:
    """Return which parts were made when, where and from which commit, newest first."""
    parts = [(made, PARTS[name]) for name, made in validation.made.items()]
    parts += [(trial.made, "a real slowdown") for trial in validation.slowdown]
    ordered = sorted({made for made, _ in parts}, key=_order, reverse=True)
    return {made: [*dict.fromkeys(words for by, words in parts if by == made)] for made in ordered}


def _order(made: Made) -> tuple[str, ...]:
    """Order by date, and within a day by what else tells them apart."""
    return made.date, made.machine, made.processor, made.commit or ""
