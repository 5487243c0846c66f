"""Who signs what a campaign writes: settled before it begins, long before there is anything to sign."""

from __future__ import annotations

from collections.abc import Mapping

from soclab.assembly.environment import given
from soclab.evidence.signing import KEY_VARIABLE, EvidenceSigner
from soclab.redaction import Secret

__all__ = ["signer_of"]


def signer_of(environment: Mapping[str, str]) -> EvidenceSigner | None:
    """
    Who signs; None when no key is set.

    Raises:
        ConfigurationError: it is no key.
    """
    key = given(environment, KEY_VARIABLE)
    return None if key is None else EvidenceSigner(Secret(key))
