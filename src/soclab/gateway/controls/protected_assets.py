"""Assets that carry the mark `protected`, and targets so wide that they hold some."""

from __future__ import annotations

from typing import Final

from soclab.contracts.gate import Ruling
from soclab.contracts.proposal import ToolProposal
from soclab.entities import is_catch_all
from soclab.gateway.control import CallFacts, deny
from soclab.gateway.targets import touched

__all__ = ["PROTECTED_ASSETS"]

_WIDE: Final = frozenset({"match", "path", "source"})  # beside entities: here too `*` means everything


class ProtectedAssets:
    name = "protected_assets"
    reasons = ("catch_all_target", "protected_asset")

    def review(self, proposal: ToolProposal, facts: CallFacts) -> Ruling | None:
        """
        Deny a state change that touches a protected asset under any of its spellings, or everything at once.

        The kind of the argument does not matter: a host may be named by its address, a user by a mail address.
        """
        if not facts.changes_state:
            return None
        reasons = set()
        entities = facts.spec.entity_arguments if facts.spec else {}
        for argument, text in touched(proposal):
            if (argument in entities or argument in _WIDE) and is_catch_all(text):
                reasons.add("catch_all_target")
            elif facts.world.protected_hits(text):
                reasons.add("protected_asset")
        return deny(*sorted(reasons))


PROTECTED_ASSETS = ProtectedAssets()
