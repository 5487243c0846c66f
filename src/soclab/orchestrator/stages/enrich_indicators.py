"""What is known of the addresses, domains and hashes?"""

from soclab.contracts.vocabulary import Stage
from soclab.orchestrator.stage import StageSpec

__all__ = ["ENRICH_INDICATORS"]

ENRICH_INDICATORS = StageSpec(
    stage=Stage.ENRICH_INDICATORS,
    task=(
        "Find out what is known of the most telling indicator so far (address, domain, URL or hash). "
        "Look up one indicator."
    ),
    answer="read",
    example={
        "tool_calls": [
            {"name": "lookup_indicator", "arguments": {"indicator": "<indicator in the alert or in evidence>"}}
        ],
        "rationale": "<why this look-up, in one or two sentences>",
        "confidence": 0.8,
    },
)
