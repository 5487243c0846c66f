"""What happened on the machine?"""

from soclab.contracts.vocabulary import Stage
from soclab.orchestrator.stage import StageSpec

__all__ = ["COLLECT_ENDPOINT"]

COLLECT_ENDPOINT = StageSpec(
    stage=Stage.COLLECT_ENDPOINT,
    task="Find out in what state the endpoint of this alert is. Look up one endpoint.",
    answer="read",
    example={
        "tool_calls": [{"name": "get_endpoint_status", "arguments": {"endpoint_id": "<endpoint id in the alert>"}}],
        "rationale": "<why this look-up, in one or two sentences>",
        "confidence": 0.8,
    },
)
