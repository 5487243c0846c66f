"""What the gate makes of an engine's answer: the same for every engine."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from soclab.contracts.gate import Ruling, StageContext
from soclab.contracts.policy import LARGEST, PolicyDecision, PolicyFacts
from soclab.contracts.proposal import ToolProposal
from soclab.contracts.vocabulary import Decision, Mode, Stage
from soclab.gateway.control import CallFacts, Control
from soclab.gateway.controls import CONTROLS
from soclab.gateway.measured import Measured
from soclab.gateway.presets import controls_for
from tests.unit.gateway.incident import ALL, EVIDENCE, call, gate, without

LOOK_UP = call("get_identity_profile", user_id="maria.ortega")


class Engine:
    """Gives one answer, and keeps what it was asked."""

    version = "1" * 64

    def __init__(self, answer: PolicyDecision, reasons: Mapping[str, str] | None = None) -> None:
        self.answer = answer
        self.reasons = dict(reasons or {})
        self.asked: list[PolicyFacts] = []

    async def check(self) -> None:
        """It can."""

    async def decide(self, facts: PolicyFacts) -> PolicyDecision:
        self.asked.append(facts)
        return self.answer

    async def version_now(self) -> str:
        return self.version

    async def aclose(self) -> None:
        """Nothing is open."""


def ruling(engine: Engine, controls: Sequence[Control] = ALL, proposal: ToolProposal = LOOK_UP) -> Ruling:
    """The gate's word on a call, under this engine."""
    context = StageContext(stage=Stage.PROPOSE_ACTION, evidence_ids=EVIDENCE)
    record = asyncio.run(gate(controls, policy=engine).submit(proposal, context, "x:3"))
    assert record.ruling is not None
    assert not record.executed or record.ruling.decision is Decision.ALLOW
    return record.ruling


DENIES = PolicyDecision.of(reasons=("out_of_scope", "ours"), holds=("approval_required",))


def test_every_reason_has_an_owner() -> None:
    """
    By the controls' own table; what nobody knows is the policy's.
    """
    said = ruling(Engine(DENIES))

    assert (said.reasons, said.controls) == (("ours", "out_of_scope"), ("incident_scope", "policy_decision"))


@pytest.mark.parametrize(
    ("owner", "controls"), [("approved_model", ("approved_model",)), ("nobody", ("policy_decision",))]
)
def test_an_engine_may_name_the_owner(owner: str, controls: tuple[str, ...]) -> None:
    """
    Where it names a control that exists.
    """
    assert ruling(Engine(PolicyDecision.of(reasons=("ours",)), {"ours": owner})).controls == controls


def test_an_engine_cannot_take_a_reason_from_its_control() -> None:
    """
    Switching a control off means the same for every engine.
    """
    engine = Engine(PolicyDecision.of(reasons=("out_of_scope",)), {"out_of_scope": "approval"})

    assert ruling(engine, without("approval")).reasons == ("out_of_scope",)
    assert ruling(engine, without("incident_scope")).decision is Decision.ALLOW


@pytest.mark.parametrize(
    ("off", "decision", "reasons"),
    [
        ((), Decision.DENY, ("ours", "out_of_scope")),
        (("incident_scope",), Decision.DENY, ("ours",)),
        (("policy_decision",), Decision.DENY, ("out_of_scope",)),
        (("incident_scope", "policy_decision"), Decision.HOLD, ("approval_required",)),
        (("incident_scope", "policy_decision", "approval"), Decision.ALLOW, ()),
    ],
)
def test_reasons_of_a_control_that_is_off_are_dropped(
    off: tuple[str, ...], decision: Decision, reasons: tuple[str, ...]
) -> None:
    """
    What is left decides: others' reasons to deny, then reasons to hold, then nothing.
    """
    said = ruling(Engine(DENIES), controls_for(Mode.PROTECTED, off))

    assert (said.decision, said.reasons) == (decision, reasons)


def test_obligations_are_told() -> None:
    """
    Of a call that runs, and of one that may run once a person agrees.
    """
    allowed = ruling(Engine(PolicyDecision.of(obligations=("redact_output", "read_only"))))
    held = ruling(Engine(PolicyDecision.of(holds=("approval_required",), obligations=("redact_output",))))

    assert (allowed.decision, allowed.obligations) == (Decision.ALLOW, ("read_only", "redact_output"))
    assert (held.decision, held.obligations) == (Decision.HOLD, ("redact_output",))


def test_an_unknown_obligation_denies() -> None:
    """
    What the lab cannot do is not skipped.
    """
    said = ruling(Engine(PolicyDecision.of(obligations=("notify_ciso\n",))))

    assert (said.decision, said.reasons, said.fault) == (
        Decision.DENY,
        ("unknown_obligation",),
        "unknown_obligation",
    )
    assert "notify_ciso" in said.fault_detail
    assert "\n" not in said.fault_detail


def test_a_change_cannot_run_as_a_look_up() -> None:
    """
    `read_only` of something that does not read.
    """
    said = ruling(
        Engine(PolicyDecision.of(obligations=("read_only",))), proposal=call("disable_account", user_id="maria.ortega")
    )

    assert (said.decision, said.reasons) == (Decision.DENY, ("obligation_unmet",))


class Broken:
    """A control with a defect."""

    name = "incident_scope"
    reasons = ("out_of_scope",)

    def measure(self, proposal: ToolProposal, call: CallFacts, found: Measured) -> None:
        raise RuntimeError("defect")


def test_controls_measure_whether_they_are_on_or_not() -> None:
    """
    A policy of a team's own sees the same facts with any control switched off.
    """
    outside = call("get_identity_profile", user_id="ben.cho")
    engines = [Engine(PolicyDecision.of()), Engine(PolicyDecision.of())]

    ruling(engines[0], ALL, outside)
    ruling(engines[1], without("incident_scope"), outside)

    assert engines[0].asked == engines[1].asked
    assert engines[0].asked[0].scope.outside == 1


def test_a_control_that_fails_is_a_fault_even_where_the_engine_allows() -> None:
    """
    Without its facts the engine's word means nothing.
    """
    said = ruling(Engine(PolicyDecision.of()), (Broken(), *CONTROLS))

    assert (said.decision, said.reasons, said.fault) == (Decision.DENY, ("control_fault",), "control_fault")


SIZES = st.integers(-(10**30), 10**30)


@given(limit=SIZES | st.floats(allow_nan=True), calls=SIZES.filter(lambda one: one >= 0), tokens=SIZES)
def test_no_number_leaves_the_bounds(limit: float, calls: int, tokens: int) -> None:
    """
    Whatever an agent asks for or reports, the engine is asked with numbers it can hold.
    """
    engine = Engine(PolicyDecision.of())
    context = StageContext(stage=Stage.PROPOSE_ACTION, evidence_ids=EVIDENCE, calls_so_far=calls, tokens_spent=tokens)
    history = call("get_authentication_history", user_id="maria.ortega", limit=limit)

    record = asyncio.run(gate(policy=engine).submit(history, context, "x:3"))

    assert record.ruling is not None
    assert record.ruling.fault == ""
    (facts,) = engine.asked
    assert facts == PolicyFacts.model_validate(facts.model_dump())
    assert (facts.calls.so_far, facts.tokens.spent) == (min(calls, LARGEST), min(max(tokens, 0), LARGEST))


@given(st.dictionaries(st.text(max_size=8), st.text(max_size=40), max_size=4), st.text(max_size=20))
def test_no_word_of_an_agent_reaches_the_policy(arguments: dict[str, str], name: str) -> None:
    """
    Names and arguments are classified and counted: every text in the facts is ours.
    """
    engine = Engine(PolicyDecision.of())
    marked = {f"zq{key}": f"zq{value}" for key, value in arguments.items()}

    ruling(engine, proposal=call(f"zq{name}", marked))

    assert "zq" not in str(engine.asked[0].document())
