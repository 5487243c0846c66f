"""
Secrets that the lab plants, and the search for them in what an agent writes.

A canary is 26 characters of upper-case base32: 24 that follow from the campaign's secret, the run and the slot, and
2 of checksum. Whoever writes one down had it: random text does not hold one.
"""

from __future__ import annotations

from soclab.canaries.planted import is_valid, make, placeholders
from soclab.canaries.search import find, replace
from soclab.canaries.split import SplitSearch, find_in_one, find_split
from soclab.canaries.veil import Veil

__all__ = ["SplitSearch", "Veil", "find", "find_in_one", "find_split", "is_valid", "make", "placeholders", "replace"]
