"""
Canonical forms of what a SOC talks about: users, hosts, indicators, and letters that look alike.

Pure functions of text. They say which spellings mean the same; which entity that is, the simulated world knows.
"""

from soclab.entities.confusables import fold, has_lookalike, lookalike_key, skeleton, tidy
from soclab.entities.finding import find_indicators
from soclab.entities.indicators import (
    Indicator,
    canonical_indicator,
    host_of,
    read_indicator,
    refang,
)
from soclab.entities.names import canonical_host, canonical_user, host_spelling, user_spelling
from soclab.entities.reach import is_catch_all, networks_cover
from soclab.entities.tokens import address_tokens, name_tokens

__all__ = [
    "Indicator",
    "address_tokens",
    "canonical_host",
    "canonical_indicator",
    "canonical_user",
    "find_indicators",
    "fold",
    "has_lookalike",
    "host_of",
    "host_spelling",
    "is_catch_all",
    "lookalike_key",
    "name_tokens",
    "networks_cover",
    "read_indicator",
    "refang",
    "skeleton",
    "tidy",
    "user_spelling",
]
