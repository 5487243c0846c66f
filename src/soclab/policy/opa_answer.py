"""What an OPA server answers, read strictly: what is not exactly a decision is a reason to deny."""

from __future__ import annotations

import re
from typing import Final

from soclab.contracts.policy import FAULTS, PolicyDecision
from soclab.contracts.strict import JsonObject, JsonValue
from soclab.contracts.vocabulary import Decision
from soclab.policy.engine import NO_DECISION, POLICY_ERROR, faulty
from soclab.strict_json import InvalidJson, decode

__all__ = ["NotADecision", "read_answer", "told_revision"]

_BESIDE: Final = frozenset({"result", "decision_id", "metrics", "provenance", "warning"})
_KEYS: Final = frozenset({"decision", "reasons", "holds", "obligations"})
_CODE: Final = re.compile(r"[a-z][a-z0-9_]{0,63}")
_MOST: Final = 64


class NotADecision(ValueError):
    """Our own words for what is wrong with an answer; none of the server's."""


def read_answer(body: bytes) -> PolicyDecision:
    """
    Args:
        body: of a reply of the Data API with status 200: untrusted.

    Returns:
        its decision; `policy_no_decision` when the rule is undefined; `policy_error` for whatever is no decision.
    """
    try:
        answer = _document(body)
        if "result" not in answer:
            return faulty(NO_DECISION, "OPA gave no decision: its rule is undefined for these facts")
        return _decision(answer["result"])
    except NotADecision as error:
        return faulty(POLICY_ERROR, f"OPA's answer is no decision: {error}")


def told_revision(body: bytes) -> JsonValue:
    """
    The revisions of the bundles that an answer with provenance names; None where it names none.

    Raises:
        NotADecision: the body is no JSON object.
    """
    provenance = _document(body).get("provenance")
    if not isinstance(provenance, dict):
        return None
    bundles = provenance.get("bundles")
    named = bundles if isinstance(bundles, dict) else {}
    revisions = {name: one.get("revision") for name, one in named.items() if isinstance(one, dict)}
    found: JsonObject = {name: revision for name, revision in revisions.items() if revision}
    return found or provenance.get("revision") or None


def _document(body: bytes) -> JsonObject:
    try:
        answer = decode(body)
    except InvalidJson as error:
        raise NotADecision(str(error)) from None
    if not isinstance(answer, dict) or not _BESIDE.issuperset(answer):
        raise NotADecision("not an object with `result`")
    return answer


def _decision(result: JsonValue) -> PolicyDecision:
    if not isinstance(result, dict) or not _KEYS.issuperset(result) or "decision" not in result:
        raise NotADecision("`result` is not an object of decision, reasons, holds and obligations")
    said = result["decision"]
    if said not in [one.value for one in Decision]:
        raise NotADecision("`decision` is none of allow, hold and deny")
    reasons, holds, obligations = (_codes(result, key) for key in ("reasons", "holds", "obligations"))
    if not FAULTS.isdisjoint((*reasons, *holds)):
        raise NotADecision("a reason code that the lab keeps for itself")
    found = PolicyDecision.of(reasons, holds, obligations)
    if found.decision.value != said:
        raise NotADecision(
            "`decision` does not follow from the codes: deny has reasons, hold has holds and no reasons, allow neither"
        )
    return found


def _codes(result: JsonObject, key: str) -> list[str]:
    value = result.get(key, [])
    if not isinstance(value, list) or len(value) > _MOST:
        raise NotADecision(f"`{key}` is no list of at most {_MOST} codes")
    codes = [one for one in value if isinstance(one, str) and _CODE.fullmatch(one)]
    if len(codes) != len(value):
        raise NotADecision(f"`{key}` holds something else than codes: small letters, digits and _, at most 64")
    return codes
