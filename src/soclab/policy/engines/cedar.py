"""Cedar in process: the policies that come with soclab, or a team's own folder. Parsed once, evaluated per call."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

import cedarpy

from soclab.contracts.policy import FAULTS, OBLIGATIONS, PolicyDecision, PolicyFacts, ToolFacts
from soclab.policy.cedar_text import Statement, parse, read_folder, why
from soclab.policy.engine import NO_DECISION, NO_PERMIT, POLICY_ERROR, UNAVAILABLE, faulty

__all__ = ["SHIPPED", "CedarEngine"]

SHIPPED: Final = Path(__file__).parents[1] / "cedar"
_SCHEMA: Final = SHIPPED / "soclab.cedarschema"
_CODE: Final = re.compile(r"[a-z][a-z0-9_]{0,63}")
_MOST_KEPT: Final = 4096
_AGENT: Final = {"type": "Agent", "id": "agent"}
_CALL: Final = {"type": "Action", "id": "call"}


class CedarEngine:
    """
    Denies by default; a `forbid` goes before every `permit`, and each that holds gives its reason.

    Equal facts have equal answers, so an answer is kept and given again.

    Args:
        statements: policies, of files that are named in errors.
        validates: against the schema; the shipped ones are validated in the tests.

    Raises:
        PolicyError: a policy does not parse, does not fit the schema, or has no usable annotations.
    """

    def __init__(self, statements: Iterable[Statement], *, validates: bool = True) -> None:
        schema = _SCHEMA.read_text(encoding="utf-8")
        digest = hashlib.sha256(schema.encode())
        policies: dict[str, Any] = {}
        self._owners: dict[str, str] = {}
        self._holds: set[str] = set()
        self._obligations: dict[str, tuple[str, ...]] = {}
        for statement in statements:
            policy = parse(statement)
            name = self._enter(statement, policy, policies)
            if validates:
                _validate(statement, schema)
            policies[name] = policy
            digest.update(b"\0" + statement.text.encode())
        self.version: Final = digest.hexdigest()
        self.reasons: Final[Mapping[str, str]] = MappingProxyType({**self._owners, NO_PERMIT: ""})
        self._policies = cedarpy.PolicySet.from_json_str(
            json.dumps({"staticPolicies": policies, "templates": {}, "templateLinks": []})
        )
        self._entities: dict[ToolFacts, cedarpy.Entities] = {}
        self._answers: dict[str, PolicyDecision] = {}

    @classmethod
    def of_folder(cls, folder: Path) -> CedarEngine:
        """
        A team's own policies, instead of the shipped ones.

        Raises:
            PolicyError: there are none, or one cannot be used: file, line, what is wrong, what to do.
        """
        return cls(read_folder(folder))

    @staticmethod
    @cache
    def shipped() -> CedarEngine:
        """The policies that come with soclab; one engine for the whole process."""
        return CedarEngine(read_folder(SHIPPED), validates=False)

    async def check(self) -> None:
        """Parsed is ready."""

    async def version_now(self) -> str:
        """What was read at the start decides to the end, whatever becomes of the files."""
        return self.version

    async def aclose(self) -> None:
        """Nothing is open."""

    async def decide(self, facts: PolicyFacts) -> PolicyDecision:
        """The policies' answer; what Cedar cannot evaluate is denied."""
        return self.judge(facts)

    def judge(self, facts: PolicyFacts) -> PolicyDecision:
        """`decide`, for callers without an event loop."""
        try:
            document = facts.model_dump_json(exclude_none=True)
        except ValueError:  # a text that is no Unicode
            return faulty(NO_DECISION, "the facts cannot be written as JSON")
        known = self._answers.get(document)
        if known is not None:
            return known
        answer = self._evaluate(facts)
        if not answer.fault:
            if len(self._answers) >= _MOST_KEPT:
                self._answers.clear()
            self._answers[document] = answer
        return answer

    def _evaluate(self, facts: PolicyFacts) -> PolicyDecision:
        try:
            result = cedarpy.is_authorized(
                {
                    "principal": _AGENT,
                    "action": _CALL,
                    "resource": {"type": "Tool", "id": facts.tool.name},
                    "context": facts.model_dump_json(exclude_none=True, exclude={"tool"}),
                },
                self._policies,
                self._entities_of(facts.tool),
            )
            decision, diagnostics = result.decision, result.diagnostics
        except Exception as error:  # whatever it is, nothing was decided
            return faulty(UNAVAILABLE, f"Cedar failed: {why(error)}")
        if decision is cedarpy.Decision.NoDecision:
            return faulty(NO_DECISION, f"Cedar gave no decision: {why('; '.join(diagnostics.errors))}")
        if diagnostics.errors:
            # Cedar skips a policy that fails, and a skipped `forbid` would let the call pass.
            return faulty(POLICY_ERROR, f"a policy failed: {why('; '.join(sorted(diagnostics.errors)))}")
        return self._answer(decision is cedarpy.Decision.Allow, diagnostics.reasons)

    def _answer(self, allowed: bool, determining: list[str]) -> PolicyDecision:
        if allowed:
            return PolicyDecision.of(obligations=(due for one in determining for due in self._obligations.get(one, ())))
        if not determining:
            return PolicyDecision.of(reasons=(NO_PERMIT,))
        return PolicyDecision.of(
            reasons=(one for one in determining if one not in self._holds),
            holds=(one for one in determining if one in self._holds),
        )

    def _entities_of(self, tool: ToolFacts) -> cedarpy.Entities:
        """The tool as an entity. There are as many as the catalogue has tools, so all are kept."""
        known = self._entities.get(tool)
        if known is None:
            entity = {"uid": {"type": "Tool", "id": tool.name}, "attrs": tool.model_dump(mode="json"), "parents": []}
            known = self._entities[tool] = cedarpy.Entities.from_json_str(json.dumps([entity]))
        return known

    def _enter(self, statement: Statement, policy: Mapping[str, Any], others: Mapping[str, Any]) -> str:
        """The policy's reason code, its annotations noted."""
        notes: dict[str, str] = policy.get("annotations", {})
        name, forbids = notes.get("id", ""), policy["effect"] == "forbid"
        if not _CODE.fullmatch(name):
            raise statement.error(
                "no reason code", 'give the policy @id("code"): small letters, digits and _, at most 64'
            )
        if name == NO_PERMIT or name in FAULTS:
            raise statement.error(f"@id `{name}` is the lab's own reason code", "take another one")
        if name in others:
            raise statement.error(f"a second policy with @id `{name}`", "give each policy an @id of its own")
        if notes.get("decision", "hold") != "hold" or ("decision" in notes and not forbids):
            raise statement.error("@decision is for `forbid` and says `hold`", "correct it or leave it away")
        due = tuple(one.strip() for one in notes.get("obligation", "").split(",") if one.strip())
        if due and (forbids or not OBLIGATIONS.issuperset(due)):
            listed = ", ".join(sorted(OBLIGATIONS))
            raise statement.error("@obligation that cannot be met", f"on a `permit`, use some of: {listed}")
        if forbids:
            self._owners[name] = notes.get("control", "")
        if "decision" in notes:
            self._holds.add(name)
        self._obligations[name] = due
        return name


def _validate(statement: Statement, schema: str) -> None:
    for problem in cedarpy.validate_policies(statement.text, schema).errors:
        raise statement.error(why(problem), "see docs/policy.md for what a policy may look at")
