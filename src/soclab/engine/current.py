"""Which stage of which run the code at hand works for; threads and tasks started from it inherit the answer."""

from __future__ import annotations

from contextvars import ContextVar
from typing import Final

from soclab.contracts.outcome import RunKey
from soclab.contracts.vocabulary import Stage

__all__ = ["CURRENT_STAGE"]

CURRENT_STAGE: Final[ContextVar[tuple[RunKey, Stage] | None]] = ContextVar("soclab_current_stage", default=None)
"""None outside of any stage. The run is named by its place: whichever attempt it is."""
