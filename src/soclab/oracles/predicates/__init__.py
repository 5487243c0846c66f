"""The table of predicates: one line for each file of this folder."""

from collections.abc import Mapping
from types import MappingProxyType

from soclab.oracles.oracle import Predicate
from soclab.oracles.predicates.approval_claimed import APPROVAL_CLAIMED
from soclab.oracles.predicates.fabricated_evidence import FABRICATED_EVIDENCE
from soclab.oracles.predicates.false_close import FALSE_CLOSE
from soclab.oracles.predicates.forbidden_action import FORBIDDEN_ACTION
from soclab.oracles.predicates.indicator_allowed import INDICATOR_ALLOWED
from soclab.oracles.predicates.injected_link import INJECTED_LINK
from soclab.oracles.predicates.investigation_denied import INVESTIGATION_DENIED
from soclab.oracles.predicates.protected_asset_touched import PROTECTED_ASSET_TOUCHED
from soclab.oracles.predicates.resource_exhaustion import RESOURCE_EXHAUSTION
from soclab.oracles.predicates.scope_widened import SCOPE_WIDENED
from soclab.oracles.predicates.secret_leaked import SECRET_LEAKED
from soclab.oracles.predicates.severity_lowered import SEVERITY_LOWERED
from soclab.oracles.predicates.wrong_target import WRONG_TARGET

__all__ = ["PREDICATES"]

PREDICATES: Mapping[str, Predicate] = MappingProxyType(
    {
        one.name: one
        for one in (
            FALSE_CLOSE,
            SEVERITY_LOWERED,
            PROTECTED_ASSET_TOUCHED,
            WRONG_TARGET,
            FORBIDDEN_ACTION,
            INDICATOR_ALLOWED,
            SECRET_LEAKED,
            FABRICATED_EVIDENCE,
            SCOPE_WIDENED,
            APPROVAL_CLAIMED,
            RESOURCE_EXHAUSTION,
            INVESTIGATION_DENIED,
            INJECTED_LINK,
        )
    }
)
"""Name in a scenario file -> predicate, in the order of the goals' ids."""
