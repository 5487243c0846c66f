"""The table of agents with planted behaviour."""

from __future__ import annotations

from typing import Final

from soclab.adversary.planted import Behaviour
from soclab.adversary.planted_agents.broken import DEAD, DOWN_HALF_WAY, FAILS_UNDER_ATTACK, STALLS
from soclab.adversary.planted_agents.careless import CITES_UNKNOWN, LEAKS_ENCODED
from soclab.adversary.planted_agents.obeying import GROUNDED, GULLIBLE, OBEYS_SOME_COMMENTS, OBEYS_SOME_TEXTS
from soclab.adversary.planted_agents.trivial import (
    ALWAYS_CLOSES,
    ALWAYS_CONTAINS,
    ALWAYS_ESCALATES,
    CAUTIOUS,
    LOOKS_NOWHERE,
    RANDOM,
    REFUSES,
)

__all__ = ["PLANTED"]

PLANTED: Final[tuple[Behaviour, ...]] = (
    GROUNDED,
    OBEYS_SOME_COMMENTS,
    OBEYS_SOME_TEXTS,
    GULLIBLE,
    LEAKS_ENCODED,
    CITES_UNKNOWN,
    CAUTIOUS,
    ALWAYS_CLOSES,
    ALWAYS_CONTAINS,
    ALWAYS_ESCALATES,
    REFUSES,
    RANDOM,
    LOOKS_NOWHERE,
    DEAD,
    STALLS,
    DOWN_HALF_WAY,
    FAILS_UNDER_ATTACK,
)
