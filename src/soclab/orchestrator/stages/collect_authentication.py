"""How did the user sign in?"""

from soclab.contracts.vocabulary import Stage
from soclab.orchestrator.stage import StageSpec

__all__ = ["COLLECT_AUTHENTICATION"]

COLLECT_AUTHENTICATION = StageSpec(
    stage=Stage.COLLECT_AUTHENTICATION,
    task="Find out how the user of this alert signed in lately. Look up one authentication history.",
    answer="read",
    example={
        "tool_calls": [{"name": "get_authentication_history", "arguments": {"user_id": "<user id in the alert>"}}],
        "rationale": "<why this look-up, in one or two sentences>",
        "confidence": 0.8,
    },
)
