"""A policy engine that cannot judge: nothing runs, the run says so, and the campaign is not green."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from soclab.assembly import FinishedCampaign, prepare
from soclab.clock import FixedClock
from soclab.contracts.policy import PolicyDecision, PolicyFacts
from soclab.contracts.vocabulary import AuthorityLevel, Decision, Mode, Outcome, StageStatus
from soclab.errors import ConfigurationError
from soclab.gateway.controls import CONTROLS
from soclab.policy.engines import CedarEngine
from tests.unit.engine.campaigns import settings


class Engine:
    """Answers as it was told, or raises it."""

    version = "0" * 64
    reasons: dict[str, str] = {}

    def __init__(self, answer: object) -> None:
        self.answer = answer
        self.closed = 0

    async def check(self) -> None:
        """It never is."""

    async def decide(self, facts: PolicyFacts) -> Any:
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer

    async def version_now(self) -> str:
        return self.version

    async def aclose(self) -> None:
        self.closed += 1


def finished(root: Path, engine: Any, **changes: Any) -> FinishedCampaign:
    """A campaign of three scenarios that this engine judges."""
    prepared = replace(prepare(settings(root, **changes)), clock=FixedClock(), policy=engine)
    running = prepared.start(None)
    running.wait_all()
    return running.finish()


FAULTS: dict[str, tuple[object, str]] = {
    "raises": (RuntimeError("a\nb"), "policy_unavailable"),
    "is unreachable": (
        PolicyDecision.of(reasons=("policy_unavailable",), fault="no connection to 127.0.0.1:8181"),
        "policy_unavailable",
    ),
    "answers nothing": (None, "policy_no_decision"),
    "answers nonsense": ({"decision": "allow"}, "policy_no_decision"),
    "fails at a policy": (PolicyDecision.of(reasons=("policy_error",), fault="x is missing"), "policy_error"),
    "wants what nobody can do": (PolicyDecision.of(obligations=("pray",)), "unknown_obligation"),
}


@pytest.mark.parametrize(("answer", "code"), FAULTS.values(), ids=FAULTS)
def test_what_cannot_be_judged_is_not_run_and_not_green(tmp_path: Path, answer: object, code: str) -> None:
    """
    Every run ends at its first call without a verdict, says why, and the gate says it for all.
    """
    engine = Engine(answer)

    done = finished(tmp_path, engine)

    for result in done.results:
        assert (result.outcome, result.reason_code) == (Outcome.INCONCLUSIVE, code)
        assert (result.stages[0].status, result.stages[0].reason_code) == (StageStatus.ERROR, code)
        assert result.stages[0].ruling == f"denied: {code}"
        assert result.error_detail
        assert "\n" not in result.error_detail
    gate = next(one for one in done.scorecard.mandatory_gates if one.name == "policy_faults")
    assert (gate.passed, code in gate.detail, done.scorecard.passed) == (False, True, False)
    assert engine.closed == 1


def test_read_only_of_a_change_is_not_run(tmp_path: Path) -> None:
    """
    A policy that lets a change run as a look-up asks for what cannot be.
    """
    done = finished(tmp_path, Engine(PolicyDecision.of(obligations=("read_only",))))

    codes = {result.stages[-1].reason_code for result in done.results}
    assert codes == {"obligation_unmet"}
    assert not done.scorecard.passed


def test_a_fault_is_denied_with_every_control_but_one_switched_off(tmp_path: Path) -> None:
    """
    That nothing could be judged is no control's word, so that no switch lets the call pass.
    """
    off = tuple(one.name for one in CONTROLS if one.name != "approval")

    done = finished(tmp_path, Engine(RuntimeError()), without=off)

    assert {result.reason_code for result in done.results} == {"policy_unavailable"}


def test_baseline_asks_no_engine(tmp_path: Path) -> None:
    """
    Without controls nobody judges, so a broken engine does not matter and no version is recorded.
    """
    done = finished(tmp_path, Engine(RuntimeError()), mode=Mode.BASELINE)

    assert {result.outcome for result in done.results} <= {Outcome.RESISTED, Outcome.CORRECT}
    assert done.scorecard.policy_version is None


def test_the_scorecard_says_which_policies_decided(tmp_path: Path) -> None:
    """
    By the SHA-256 of them; every call was judged.
    """
    done = finished(tmp_path, CedarEngine.shipped())

    gate = next(one for one in done.scorecard.mandatory_gates if one.name == "policy_faults")
    assert (gate.passed, done.scorecard.policy_version) == (True, CedarEngine.shipped().version)


def test_a_campaign_is_not_gone_on_with_under_another_policy(tmp_path: Path) -> None:
    """
    Two policies in one result would be nobody's.
    """
    done = finished(tmp_path, Engine(None))

    with pytest.raises(ConfigurationError, match="its policy is"):
        prepare(settings(tmp_path, resume=done.folder))


@pytest.mark.parametrize("level", ["L1", "L2", "L3"])
def test_what_a_level_always_denies_is_no_false_block(tmp_path: Path, level: str) -> None:
    """
    Below L4 the right action is denied; it is right all the same.
    """
    done = finished(tmp_path, CedarEngine.shipped(), authority_level=AuthorityLevel(level))

    benign = [result for result in done.results if result.id.startswith("BEN")]
    assert {result.outcome for result in benign} == {Outcome.CORRECT}
    rulings = {result.stages[-1].ruling for result in done.results if result.stages[-1].ruling != "run"}
    assert rulings <= {"denied: authority_level", "denied: recommendation_only"}
    assert rulings


def test_a_decision_that_contradicts_itself_cannot_be_made() -> None:
    """
    Allow with a reason against it, or a fault that is no denial, is no answer.
    """
    for fields in (
        {"decision": Decision.ALLOW, "reasons": ("out_of_scope",)},
        {"decision": Decision.DENY},
        {"decision": Decision.ALLOW, "holds": ("approval_required",)},
        {"decision": Decision.ALLOW, "fault": "no connection"},
        {"decision": Decision.DENY, "reasons": ("out_of_scope",), "fault": "no connection"},
    ):
        with pytest.raises(ValueError, match=r"decision|fault"):
            PolicyDecision(**fields)  # type: ignore[arg-type]
