"""The digest that binds approvals and grants to exactly one proposal."""

from __future__ import annotations

from soclab.canonical_json import encode_bytes, sha256_hex
from soclab.contracts.approval import BoundProposal
from soclab.contracts.strict import JsonObject

__all__ = ["arguments_sha256", "proposal_sha256"]


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
