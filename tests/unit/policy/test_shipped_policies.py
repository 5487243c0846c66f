"""The policies that come with soclab: what each of them stops, and that none is idle."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given

from soclab.contracts.policy import LARGEST, PolicyFacts
from soclab.contracts.vocabulary import Decision, Risk
from soclab.gateway.controls import CONTROLS
from soclab.gateway.controls.grant import GRANT
from soclab.policy.cedar_text import parse, read_folder
from soclab.policy.engines.cedar import SHIPPED, CedarEngine
from soclab.reports.codes import CODES
from tests.unit.policy.facts_table import TABLE, Case, facts
from tests.unit.policy.made_up_facts import FACTS

ENGINE = CedarEngine.shipped()
STATEMENTS = read_folder(SHIPPED)
NAMES = [parse(one)["annotations"]["id"] for one in STATEMENTS]

each_code = pytest.mark.parametrize(("code", "case"), TABLE.items(), ids=TABLE)


def said(one: PolicyFacts, engine: CedarEngine = ENGINE) -> tuple[str, ...]:
    """Every code that the engine gives, denials first."""
    answer = engine.judge(one)
    return answer.reasons + answer.holds


@each_code
def test_what_a_code_is_for_is_stopped_by_it_alone(code: str, case: Case) -> None:
    """
    Facts with this one thing wrong get this one code to deny (or to hold), and are not allowed.
    """
    assert case.stopped
    for changes in case.stopped:
        answer = ENGINE.judge(facts(**changes))
        assert (answer.reasons or answer.holds, answer.fault) == ((code,), ""), changes
        assert answer.decision is not Decision.ALLOW


@each_code
def test_what_is_just_within_bounds_is_not_stopped(code: str, case: Case) -> None:
    """
    The nearest facts without it are allowed, but for a level that acts on nothing.
    """
    assert case.passed
    for changes in case.passed:
        assert said(facts(**changes)) == (), changes


def test_the_table_has_every_code() -> None:
    """
    No policy can be added without its two cases, and no case is left of one that is gone.
    """
    assert set(ENGINE.reasons) == set(TABLE)


@pytest.mark.parametrize("name", NAMES)
def test_no_policy_is_idle(name: str) -> None:
    """
    Without this one policy some case of the table is answered otherwise.
    """
    rest = CedarEngine(one for one, its in zip(STATEMENTS, NAMES, strict=True) if its != name)
    cases = [facts(**changes) for case in TABLE.values() for changes in (*case.stopped, *case.passed)]

    assert any(rest.judge(one) != ENGINE.judge(one) for one in cases)


def test_the_shipped_policies_fit_their_schema() -> None:
    """
    They are not validated at start, because they are here; reading them so raises nothing.
    """
    assert CedarEngine(STATEMENTS, validates=True).version == ENGINE.version


def test_the_annotations_agree_with_the_table_of_controls() -> None:
    """
    Whose reason a code is, the Cedar files and the controls say alike; every reason of a control is a policy's, but for
    those of grants, which come after the policy.
    """
    owners = {reason: control.name for control in CONTROLS if control is not GRANT for reason in control.reasons}

    assert {**ENGINE.reasons, "no_policy_permits": "policy_decision"} == owners


def test_reports_know_every_code_in_words() -> None:
    """
    A code that a person reads has words.
    """
    assert ENGINE.reasons.keys() - CODES.keys() == set()


@given(FACTS)
def test_no_facts_are_too_much(one: PolicyFacts) -> None:
    """
    Whatever stands in a facts document, there is a decision and no fault; numbers at the bound add up.
    """
    answer = ENGINE.judge(one)

    assert answer.fault == ""
    assert (answer.decision is Decision.ALLOW) is (answer.reasons == answer.holds == ())


@given(FACTS)
def test_nothing_changes_below_its_level_or_without_evidence(one: PolicyFacts) -> None:
    """
    What is allowed is a look-up, free of risk, or rests on the minimum of evidence at a level that may act.
    """
    if ENGINE.judge(one).decision is Decision.ALLOW and one.tool.risk is not Risk.NONE:
        assert one.evidence.cited >= one.evidence.minimum
        assert one.level >= 4
        assert one.tool.closes or one.approval == "granted" or (one.level == 5 and one.tool.reversible)
        assert (one.protected.hits, one.scope.outside, one.arguments.problems) == ((), 0, ())


@given(FACTS)
def test_an_answer_that_was_kept_is_the_answer(one: PolicyFacts) -> None:
    """
    Asked twice, the answer is what evaluating anew gives.
    """
    assert ENGINE.judge(one) == ENGINE.judge(one) == ENGINE._evaluate(one)


def test_many_different_facts_do_not_grow_without_end() -> None:
    """
    More kept answers than the bound start anew, and are still right.
    """
    engine = CedarEngine(STATEMENTS, validates=False)
    for number in range(4200):
        assert engine.judge(facts(arguments={"longest": number})).reasons == (
            ("argument_too_long",) if number > 4096 else ()
        )
    assert len(engine._answers) <= 4096


def test_the_cedar_schema_names_what_the_facts_hold() -> None:
    """
    Every member of the document, at its largest, is read by Cedar; a policy on each of them is valid.
    """
    document = facts(tokens={"spent": LARGEST, "limit": LARGEST}).document()
    schema = (SHIPPED / "soclab.cedarschema").read_text(encoding="utf-8")

    for section, value in document.items():
        for member in value if isinstance(value, dict) else ():
            assert f"{member}: " in schema or f"{member}?: " in schema, (section, member)
    assert json.loads(json.dumps(document)) == document


def test_the_policies_are_shipped() -> None:
    """
    One file for each control that has reasons, in the package.
    """
    there = {file.stem for file in Path(SHIPPED).glob("*.cedar")}

    assert {control.name for control in CONTROLS if control.name not in ("grant", "policy_decision")} | {
        "authority_level",
        "permits",
    } == there
