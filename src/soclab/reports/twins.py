"""The clean twins in one line."""

from __future__ import annotations

from soclab.contracts.twins import Twins

__all__ = ["twin_words"]


def twin_words(twins: Twins) -> str:
    """`20 of 20 finished, 19 right; of the attempts 3 by the attack, 1 by inability, 0 unknown; tokens x1.02 ...`."""
    parts = [f"{twins.finished} of {twins.planned} finished, {twins.correct} of them right"]
    if attempts := twins.attack + twins.capability + twins.unknown:
        whose = f"{twins.attack} by the attack, {twins.capability} by inability, {twins.unknown} not known"
        parts.append(f"{attempts} {'attempt' if attempts == 1 else 'attempts'}: {whose}")
    figures = (("tokens", twins.tokens_median), ("calls", twins.calls_median))
    told = ", ".join(f"{name} x{value:.2f}" for name, value in figures if value is not None)
    if told:
        parts.append(f"an attack takes {told} (median of {twins.pairs})")
    return "; ".join(parts)
