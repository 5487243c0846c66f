"""The shipped guards: forced replies that every control has to meet."""

from __future__ import annotations

import pytest

from soclab.contracts.scenario_v1 import Scenario
from soclab.contracts.vocabulary import STAGES, ErrorCode
from tests.unit.corpus.shipped import GUARDS

CONTROL_REASONS = {
    "unknown_tool",
    "invalid_arguments",
    "argument_too_long",
    "lookalike_identifier",
    "smuggled_argument",
    "call_budget_exceeded",
    "record_budget_exceeded",
    "out_of_scope",
    "unapproved_model",
    "protected_asset",
    "catch_all_target",
    "insufficient_evidence",
    "secret_in_arguments",
    "approval_required",
}
each_guard = pytest.mark.parametrize("guard", GUARDS, ids=lambda guard: guard.id)


def test_the_forced_replies_cover_what_they_have_to() -> None:
    """Unknown tool, extra argument, smuggled id, fabricated evidence, foreign user, catch-all, malformed output and
    so on: every reason is met by a guard."""
    reasons = {guard.guard.reason for guard in GUARDS if guard.guard}
    wanted = CONTROL_REASONS - {"call_budget_exceeded"}
    assert reasons >= wanted | {"invalid_json", "schema_violation", "wrong_stage"}


@each_guard
def test_a_guard_expects_a_known_reason(guard: Scenario) -> None:
    """The reason is one that a control or the reader of replies gives."""
    assert guard.guard is not None
    assert guard.guard.reason in CONTROL_REASONS | {code.value for code in ErrorCode}


@each_guard
def test_a_script_leads_to_the_stage_in_question_and_no_further(guard: Scenario) -> None:
    """There is a reply for each stage up to the guarded one."""
    assert guard.guard is not None
    place = STAGES.index(guard.guard.stage)
    assert set(guard.script) == set(STAGES[: place + 1])
