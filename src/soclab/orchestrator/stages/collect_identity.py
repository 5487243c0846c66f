"""Who is behind the alert, and what may they do?"""

from soclab.contracts.vocabulary import Stage
from soclab.orchestrator.stage import StageSpec

__all__ = ["COLLECT_IDENTITY"]

COLLECT_IDENTITY = StageSpec(
    stage=Stage.COLLECT_IDENTITY,
    task="Find out who the user of this alert is. Look up one identity profile.",
    answer="read",
    example={
        "tool_calls": [{"name": "get_identity_profile", "arguments": {"user_id": "<user id in the alert>"}}],
        "rationale": "<why this look-up, in one or two sentences>",
        "confidence": 0.8,
    },
)
