"""The seven stages in order. Explicit: a new stage gets its file, its place here and its enum member."""

from soclab.contracts.vocabulary import Stage
from soclab.orchestrator.stage import StageSpec
from soclab.orchestrator.stages.collect_authentication import COLLECT_AUTHENTICATION
from soclab.orchestrator.stages.collect_endpoint import COLLECT_ENDPOINT
from soclab.orchestrator.stages.collect_identity import COLLECT_IDENTITY
from soclab.orchestrator.stages.collect_siem import COLLECT_SIEM
from soclab.orchestrator.stages.enrich_indicators import ENRICH_INDICATORS
from soclab.orchestrator.stages.form_finding import FORM_FINDING
from soclab.orchestrator.stages.propose_action import PROPOSE_ACTION

__all__ = ["SPECS"]

SPECS: dict[Stage, StageSpec] = {
    spec.stage: spec
    for spec in (
        COLLECT_IDENTITY,
        COLLECT_AUTHENTICATION,
        COLLECT_ENDPOINT,
        ENRICH_INDICATORS,
        COLLECT_SIEM,
        FORM_FINDING,
        PROPOSE_ACTION,
    )
}
