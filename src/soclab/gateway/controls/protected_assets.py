"""Assets that carry the mark `protected`, and targets so wide that they hold some."""

from __future__ import annotations

from typing import Final

from soclab.contracts.proposal import ToolProposal
from soclab.entities import is_catch_all
from soclab.gateway.control import CallFacts
from soclab.gateway.measured import Measured
from soclab.gateway.targets import touched

__all__ = ["PROTECTED_ASSETS"]

_WIDE: Final = frozenset({"match", "path", "source"})  # beside entities: here too `*` means everything


class ProtectedAssets:
    name = "protected_assets"
    reasons = ("catch_all_target", "protected_asset")

    def measure(self, proposal: ToolProposal, call: CallFacts, found: Measured) -> None:
        """
        The protected assets that a state change touches under any of their spellings, and whether it is about
        everything at once.

        The kind of the argument does not matter: a host may be named by its address, a user by a mail address.
        """
        if not call.changes_state:
            return
        entities = call.spec.entity_arguments if call.spec else {}
        for argument, text in touched(proposal):
            if (argument in entities or argument in _WIDE) and is_catch_all(text):
                found.catch_all = True
            else:
                found.hits |= call.world.protected_hits(text)


PROTECTED_ASSETS = ProtectedAssets()
