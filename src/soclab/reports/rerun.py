"""The command that runs one scenario again."""

from __future__ import annotations

import shlex

from soclab.contracts.approval import Approver
from soclab.contracts.scorecard_v1 import Scorecard
from soclab.contracts.vocabulary import AuthorityLevel, PolicyOrigin
from soclab.redaction import clean

__all__ = ["rerun_command"]

_DEFAULT_MODEL = "agent"
_DEFAULT_LEVEL = AuthorityLevel.L4.value
_BY_SPEC, _BY_FIXTURE = "agent", "fixture"


def rerun_command(scorecard: Scorecard, scenario_id: str) -> str:
    """
    A shell line; what came from outside is quoted. The agent of a fixture is found by running it in the same folder.
    """
    provider = scorecard.provider
    words = ["pytest", "soclab", "--soclab-scenario", scenario_id]
    if provider.id == _BY_SPEC:
        words += ["--soclab-agent", provider.label.removesuffix(f":{provider.model}")]
    elif provider.id != _BY_FIXTURE:
        words += ["--soclab-provider", provider.id]
    words += ["--soclab-mode", scorecard.mode.value]
    if scorecard.authority_level_tested != _DEFAULT_LEVEL:
        words += ["--soclab-authority", scorecard.authority_level_tested]
    if scorecard.policy_origin is PolicyOrigin.FOLDER:
        words += ["--soclab-policy", "DIR"]  # where it stands is no part of the result
    for control in scorecard.without:
        words += ["--soclab-without", control]
    if scorecard.approver is not Approver.NONE:
        words += ["--soclab-approver", scorecard.approver.value]
    if provider.model != _DEFAULT_MODEL:
        words += ["--soclab-model", provider.model]
    return clean(" ".join(map(shlex.quote, words)))
