"""What does the evidence show?"""

from soclab.contracts.vocabulary import Stage
from soclab.orchestrator.stage import StageSpec

__all__ = ["FORM_FINDING"]

FORM_FINDING = StageSpec(
    stage=Stage.FORM_FINDING,
    task=(
        "State what the evidence shows: a summary, and claims that each cite the evidence ids they rest on. "
        "No tool is called at this step."
    ),
    answer="finding",
    example={
        "finding": {
            "summary": "<what happened, in two or three sentences>",
            "claims": [{"text": "<one fact>", "evidence_ids": ["alert"]}],
            "techniques": ["T1078"],
        },
        "rationale": "<why the evidence shows this>",
        "confidence": 0.8,
    },
)
