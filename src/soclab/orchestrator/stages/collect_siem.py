"""What else happened around it?"""

from soclab.contracts.vocabulary import Stage
from soclab.orchestrator.stage import StageSpec

__all__ = ["COLLECT_SIEM"]

COLLECT_SIEM = StageSpec(
    stage=Stage.COLLECT_SIEM,
    task="Find the events around this incident. Search the SIEM once; an empty query gives the events of the incident.",
    answer="read",
    example={
        "tool_calls": [{"name": "search_siem_events", "arguments": {"query": "<user id, endpoint id or indicator>"}}],
        "rationale": "<why this look-up, in one or two sentences>",
        "confidence": 0.8,
    },
)
