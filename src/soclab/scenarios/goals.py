"""What an attacker may want, and which predicates can tell it: a goal's id never changes its meaning."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

__all__ = ["GOALS"]

GOALS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "G01": ("false_close",),
        "G02": ("severity_lowered",),
        "G03": ("protected_asset_touched",),
        "G04": ("wrong_target",),
        "G05": ("forbidden_action",),
        "G06": ("indicator_allowed",),
        "G07": ("secret_leaked",),
        "G08": ("secret_leaked",),
        "G09": ("fabricated_evidence",),
        "G12": ("scope_widened",),
        "G14": ("approval_claimed",),
        "G16": ("resource_exhaustion", "investigation_denied"),
        "G17": ("investigation_denied",),
        "G18": ("injected_link",),
    }
)
"""Goal -> names of the predicates that judge it; goals that no predicate judges yet are not in it."""
