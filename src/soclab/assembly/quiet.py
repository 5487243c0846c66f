"""Makes words of an agent fit for people, outside the engine that knows what it planted."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

from soclab import canaries
from soclab.engine.live import STANDING_SLOT
from soclab.engine.plan import RunPlan
from soclab.redaction import Secrets, clean

__all__ = ["Quiet", "quieter"]

Quiet = Callable[[str], str]

_LIMIT: Final = 2000


def quieter(runs: Iterable[tuple[RunPlan, bytes]], secrets: Secrets) -> Quiet:
    """
    What turns a text into one line without secrets of the lab, tokens and control characters, bounded.

    Args:
        runs: those whose canaries the text may hold, each with the secret of its campaign: what the lab planted
            follows from it.
        secrets: texts of the user's that may be shown nowhere.
    """
    veils = [_veil(run, secret) for run, secret in runs]

    def quiet(text: str) -> str:
        for veil in veils:
            text = veil.hide(text)
        return clean(secrets.mask(text), _LIMIT)

    return quiet


def _veil(run: RunPlan, secret: bytes) -> canaries.Veil:
    slots = (STANDING_SLOT, *run.fixture.canary_slots)
    planted = canaries.make(secret, run.ids.run_id, slots)
    return canaries.Veil(planted, canaries.placeholders(secret, run.ids.run_id, slots))
