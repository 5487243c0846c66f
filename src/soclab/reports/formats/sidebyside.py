"""Two campaigns beside each other as plain lines."""

from __future__ import annotations

from collections.abc import Iterator

from soclab.contracts.comparison_v1 import Comparison
from soclab.contracts.scorecard_v1 import Rate
from soclab.contracts.vocabulary import Outcome
from soclab.redaction import clean
from soclab.reports.figures import bounds_of, share_of
from soclab.reports.words import ATTACKED, CLEAN, OF_CONTROLS, plain, rate_rows

__all__ = ["comparison_lines"]

_SHOWN = 40
_NAME, _COLUMN = 24, 28


def comparison_lines(comparison: Comparison) -> list[str]:
    """Outcomes, rates, and every scenario whose outcome differs between the two modes."""
    protected = _protected(comparison)
    lines = [_row("", "baseline", protected), *_outcomes(comparison), *_rates(comparison), "", *_pairs(comparison)]
    return [clean(line).rstrip() for line in lines]


def _protected(comparison: Comparison) -> str:
    without = comparison.protected.without
    return f"protected without {', '.join(without)}" if without else "protected"


def _row(name: str, first: str, second: str) -> str:
    return f"{name:<{_NAME}}{first:<{_COLUMN}}{second}"


def _outcomes(comparison: Comparison) -> Iterator[str]:
    for name in (*ATTACKED, *CLEAN, Outcome.INCONCLUSIVE.value, "not_finished"):
        first, second = comparison.baseline.outcomes.get(name, 0), comparison.protected.outcomes.get(name, 0)
        if first or second:
            yield _row(plain(name), str(first), str(second))


def _rates(comparison: Comparison) -> Iterator[str]:
    both = zip(rate_rows(comparison.baseline.rates), rate_rows(comparison.protected.rates), strict=True)
    for (words, first), (_, second) in both:
        if first.trials or second.trials:
            without = "no controls" if words.name in OF_CONTROLS else _figure(first)
            yield _row(words.title, without, _figure(second))


def _figure(rate: Rate) -> str:
    return f"{share_of(rate)}, {bounds_of(rate)}" if rate.trials else "-"


def _pairs(comparison: Comparison) -> Iterator[str]:
    if not comparison.same_pack:
        yield "the scenarios are not the same in both: the pairs mean nothing"
    changed = [one for one in comparison.scenarios if one.baseline is not one.protected]
    yield "outcomes that differ" if changed else "no outcome differs"
    for pair in changed[:_SHOWN]:
        yield _row(f"  {pair.id}", _outcome(pair.baseline), _outcome(pair.protected))
    if len(changed) > _SHOWN:
        yield f"  ... and {len(changed) - _SHOWN} more: see comparison.json"


def _outcome(outcome: Outcome | None) -> str:
    return "not finished" if outcome is None else plain(outcome.value)
