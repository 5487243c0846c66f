"""Secrets stay inside: they are not shown, not carried out, and not written into a call."""

from __future__ import annotations

import json
from typing import Final

from soclab import canaries
from soclab.contracts.proposal import ToolProposal
from soclab.gateway.control import CallFacts
from soclab.gateway.measured import Measured

__all__ = ["OUTPUT_REDACTION"]

_ENCODE: Final = json.JSONEncoder(ensure_ascii=False).encode


class OutputRedaction:
    """While it stands in the list, the gate also redacts what it shows and withholds secrets from replies."""

    name = "output_redaction"
    reasons = ("secret_in_arguments",)

    def measure(self, proposal: ToolProposal, call: CallFacts, found: Measured) -> None:
        """Whether the arguments hold a canary in any form or in pieces, wherever the call would send it."""
        text = _ENCODE(proposal.arguments)
        if canaries.find_in_one(text, call.canaries):
            found.problems.add("secret")


OUTPUT_REDACTION = OutputRedaction()
