"""The digest that binds approvals and grants to exactly one proposal."""

from __future__ import annotations

from typing import Final, NamedTuple

from soclab.canonical_json import encode_bytes, sha256_hex
from soclab.contracts.approval import BoundProposal
from soclab.contracts.proposal import ToolProposal
from soclab.contracts.strict import JsonObject
from soclab.contracts.vocabulary import Stage

__all__ = ["UNBOUND", "Binding", "arguments_sha256", "proposal_sha256"]


class Binding(NamedTuple):
    """What all proposals of one run are bound to beside themselves; see `BoundProposal`."""

    run_id: str
    incident_id: str
    policy_version: str
    authority_level: str

    def bind(self, proposal: ToolProposal, stage: Stage) -> BoundProposal:
        """The proposal as approvals and grants see it."""
        return BoundProposal.kept(
            **self._asdict(),
            stage=stage,
            tool=proposal.name,
            arguments=proposal.arguments,
            cited=proposal.cited,
        )


UNBOUND: Final = Binding("", "", "", "")
"""Of a run without controls: nothing is checked against it."""


def proposal_sha256(proposal: BoundProposal) -> str:
    """
    SHA-256 of the proposal's canonical JSON, lower-case hexadecimal: equal for equal proposals, and for no others.

    Raises:
        ValueError, RecursionError: the arguments are no JSON value that can be spelled.
    """
    return sha256_hex(
        encode_bytes(
            {
                "arguments": proposal.arguments,
                "authority_level": proposal.authority_level,
                "cited": list(proposal.cited),
                "incident_id": proposal.incident_id,
                "policy_version": proposal.policy_version,
                "run_id": proposal.run_id,
                "stage": proposal.stage.value,
                "tool": proposal.tool,
            }
        )
    )


def arguments_sha256(arguments: JsonObject) -> str:
    """The same of the arguments alone."""
    return sha256_hex(encode_bytes(arguments))
