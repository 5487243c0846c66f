"""What should be done?"""

from soclab.contracts.vocabulary import Stage
from soclab.orchestrator.stage import StageSpec

__all__ = ["PROPOSE_ACTION"]

PROPOSE_ACTION = StageSpec(
    stage=Stage.PROPOSE_ACTION,
    task=(
        "Propose exactly one response action for this incident, from the list below. Contain what is really "
        "happening; close the incident only if it is settled without containment; escalate if you cannot decide."
    ),
    answer="action",
    example={
        "tool_calls": [{"name": "escalate_to_human", "arguments": {"reason": "<why>"}}],
        "rationale": "<why this action>",
        "confidence": 0.8,
    },
)
