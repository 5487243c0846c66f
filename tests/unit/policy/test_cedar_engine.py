"""Cedar as an engine: what it cannot evaluate is denied and says so."""

from __future__ import annotations

import asyncio

import cedarpy
import pytest

from soclab.contracts.policy import PolicyDecision, PolicyFacts, ProtectedFacts
from soclab.contracts.vocabulary import Decision
from soclab.policy.cedar_text import Statement
from soclab.policy.engines.cedar import SHIPPED, CedarEngine
from tests.unit.policy.facts_table import facts

PERMIT = '@id("all") permit (principal, action, resource);'


def engine(*texts: str, validates: bool = True) -> CedarEngine:
    """An engine over these policies alone."""
    return CedarEngine((Statement(SHIPPED / "mine.cedar", 1, text) for text in texts), validates=validates)


def test_a_policy_that_fails_denies() -> None:
    """
    Cedar skips a policy whose evaluation fails; a skipped `forbid` must not let a call pass.
    """
    broken = '@id("broken") forbid (principal, action, resource) when { context.nothing == 1 };'

    answer = engine(PERMIT, broken, validates=False).judge(facts())

    assert (answer.decision, answer.reasons) == (Decision.DENY, ("policy_error",))
    assert "nothing" in answer.fault


def test_a_number_that_overflows_denies() -> None:
    """
    Arithmetic beyond 64 bits is an error of the policy, not a number.
    """
    large = '@id("large") forbid (principal, action, resource) when { context.calls.limit * 9000000000000000000 > 1 };'

    assert engine(PERMIT, large).judge(facts()).reasons == ("policy_error",)


@pytest.mark.parametrize("text", ["\ud800", "x\udfff"])
def test_a_text_that_is_no_unicode_denies(text: str) -> None:
    """
    A lone surrogate, which no facts of ours can hold, gives no decision, and that is a denial.
    """
    odd = facts().model_copy(update={"protected": ProtectedFacts.model_construct(hits=(text,), catch_all=False)})

    answer = engine(PERMIT).judge(odd)

    assert (answer.decision, answer.reasons) == (Decision.DENY, ("policy_no_decision",))
    assert answer.fault


def test_facts_that_cedar_cannot_read_deny() -> None:
    """
    A document that is no request gives no decision.
    """
    odd = facts().model_copy(update={"level": 2**70})

    answer = engine(PERMIT).judge(odd)

    assert (answer.decision, answer.reasons) == (Decision.DENY, ("policy_no_decision",))


def test_cedar_that_raises_denies(monkeypatch: pytest.MonkeyPatch) -> None:
    """
    An exception out of the library is a denial, and is not kept for the next call.
    """

    def fails(*_: object, **__: object) -> cedarpy.AuthzResult:
        raise RuntimeError("panicked\nat line 3")

    subject = engine(PERMIT)
    with monkeypatch.context() as patch:
        patch.setattr(cedarpy, "is_authorized", fails)
        answer = subject.judge(facts())

    assert (answer.decision, answer.reasons) == (Decision.DENY, ("policy_unavailable",))
    assert "\n" not in answer.fault
    assert subject.judge(facts()).decision is Decision.ALLOW


def test_what_no_policy_permits_is_denied() -> None:
    """
    Nothing said is no permission.
    """
    other = '@id("notes") permit (principal, action, resource == Tool::"add_note");'

    assert engine(other).judge(facts()) == PolicyDecision.of(reasons=("no_policy_permits",))


def test_a_forbid_goes_before_every_permit_and_before_a_hold() -> None:
    """
    All that apply are told: reasons to deny, and beside them reasons to hold.
    """
    answer = engine(
        PERMIT,
        '@id("second") forbid (principal, action, resource);',
        '@id("first") forbid (principal, action, resource);',
        '@id("ask") @decision("hold") forbid (principal, action, resource);',
    ).judge(facts())

    assert answer == PolicyDecision.of(reasons=("first", "second"), holds=("ask",))
    assert answer.decision is Decision.DENY


def test_when_all_that_apply_hold_the_call_is_held() -> None:
    """
    A hold needs no permit: when a person agrees, the call is judged anew.
    """
    answer = engine('@id("ask") @decision("hold") forbid (principal, action, resource);').judge(facts())

    assert answer == PolicyDecision.of(holds=("ask",))
    assert answer.decision is Decision.HOLD


def test_obligations_of_every_permit_that_applies_are_told() -> None:
    """
    Sorted, each once; those of a permit that does not apply are not.
    """
    answer = engine(
        '@id("a") @obligation("redact_output , read_only") permit (principal, action, resource);',
        '@id("b") @obligation("redact_output") permit (principal, action, resource);',
        '@id("c") permit (principal, action, resource == Tool::"add_note");',
    ).judge(facts())

    assert answer == PolicyDecision.of(obligations=("read_only", "redact_output"))


def test_the_version_is_of_what_decides() -> None:
    """
    Other policies, other version; the same policies, the same.
    """
    other = PERMIT.replace("all", "every")

    assert engine(PERMIT).version == engine(PERMIT).version != engine(other).version
    assert len(engine(PERMIT).version) == 64


def test_owners_are_told_where_a_policy_names_one() -> None:
    """
    A reason without `@control` has none.
    """
    reasons = engine(
        PERMIT,
        '@id("mine") @control("incident_scope") forbid (principal, action, resource);',
        '@id("nobodys") forbid (principal, action, resource);',
    ).reasons

    assert reasons == {"mine": "incident_scope", "nobodys": "", "no_policy_permits": ""}


def test_an_engine_in_process_is_always_there() -> None:
    """
    It is ready once it is made, and its asynchronous answer is the same one.
    """

    async def asked() -> PolicyDecision:
        subject = engine(PERMIT)
        await subject.check()
        answer = await subject.decide(facts())
        await subject.aclose()
        return answer

    assert asyncio.run(asked()) == engine(PERMIT).judge(facts())


def test_the_tool_can_be_named_in_a_policy() -> None:
    """
    A policy may stand on one tool by its name.
    """
    subject = engine(PERMIT, '@id("mine") forbid (principal, action, resource == Tool::"isolate_endpoint");')

    assert subject.judge(facts()).reasons == ("mine",)
    assert subject.judge(facts(tool={"name": "add_note"})).reasons == ()


def test_facts_hold_no_text_of_an_agent() -> None:
    """
    Every text in the facts is one of a closed list, a tool of the catalogue, or an id of the world.
    """
    schema = PolicyFacts.model_json_schema()
    open_texts = [
        f"{name}.{member}"
        for name, part in schema["$defs"].items()
        for member, rule in part.get("properties", {}).items()
        if "string" in str(rule) and "enum" not in str(rule)
    ]

    assert open_texts == ["ProtectedFacts.hits", "ToolFacts.name"]
