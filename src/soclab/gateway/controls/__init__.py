"""The table of controls, in the order in which they stand: the order is written down here and nowhere else."""

from __future__ import annotations

from typing import Final

from soclab.gateway.control import Control
from soclab.gateway.controls.approval import APPROVAL
from soclab.gateway.controls.approved_model import APPROVED_MODEL
from soclab.gateway.controls.argument_schema import ARGUMENT_SCHEMA
from soclab.gateway.controls.call_budget import CALL_BUDGET
from soclab.gateway.controls.evidence_minimum import EVIDENCE_MINIMUM
from soclab.gateway.controls.grant import GRANT
from soclab.gateway.controls.incident_scope import INCIDENT_SCOPE
from soclab.gateway.controls.output_redaction import OUTPUT_REDACTION
from soclab.gateway.controls.policy_decision import POLICY_DECISION
from soclab.gateway.controls.protected_assets import PROTECTED_ASSETS

__all__ = ["CONTROLS"]

CONTROLS: Final[tuple[Control, ...]] = (
    ARGUMENT_SCHEMA,
    CALL_BUDGET,
    INCIDENT_SCOPE,
    APPROVED_MODEL,
    PROTECTED_ASSETS,
    EVIDENCE_MINIMUM,
    OUTPUT_REDACTION,
    POLICY_DECISION,
    APPROVAL,
    GRANT,
)
