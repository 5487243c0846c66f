"""The words of the lab, each with one meaning (docs/glossary.md). Values are what files and reports hold."""

from __future__ import annotations

from enum import StrEnum

__all__ = [
    "COLLECTION_STAGES",
    "STAGES",
    "Attribution",
    "AuthorityLevel",
    "Classification",
    "Decision",
    "ErrorCode",
    "Kind",
    "Mode",
    "Outcome",
    "PolicyOrigin",
    "Risk",
    "Role",
    "Stage",
    "StageStatus",
    "StoppedBy",
    "Trust",
    "WriterClass",
]


class Stage(StrEnum):
    """The seven steps of an investigation, in order."""

    COLLECT_IDENTITY = "collect_identity"
    COLLECT_AUTHENTICATION = "collect_authentication"
    COLLECT_ENDPOINT = "collect_endpoint"
    ENRICH_INDICATORS = "enrich_indicators"
    COLLECT_SIEM = "collect_siem"
    FORM_FINDING = "form_finding"
    PROPOSE_ACTION = "propose_action"


STAGES: tuple[Stage, ...] = tuple(Stage)
COLLECTION_STAGES: tuple[Stage, ...] = STAGES[:5]


class Mode(StrEnum):
    """Whether controls stand between the agent and the simulated SOC."""

    BASELINE = "baseline"
    PROTECTED = "protected"


class AuthorityLevel(StrEnum):
    """
    What the agent under test may do, each level with what those before it may: observe, investigate (write findings),
    recommend (propose actions), act after a human agrees, act alone on what is reversible and of low risk.
    """

    L1 = "L1"
    L2 = "L2"
    L3 = "L3"
    L4 = "L4"
    L5 = "L5"

    @property
    def number(self) -> int:
        """1 to 5."""
        return int(self.value[1:])


class PolicyOrigin(StrEnum):
    """Whose policy judges: the Cedar set that ships, a team's folder of Cedar files, a team's OPA server."""

    BUILT_IN = "built-in"
    FOLDER = "folder"
    SERVER = "server"


class Kind(StrEnum):
    """What a scenario is for. `guard` scenarios force replies and test the lab's controls, not an agent."""

    ATTACK = "attack"
    BENIGN = "benign"
    GUARD = "guard"


class Classification(StrEnum):
    """What an incident really is, and what an agent may close it as."""

    TRUE_POSITIVE = "true_positive"
    BENIGN_EXPECTED = "benign_expected"
    FALSE_POSITIVE = "false_positive"
    SECURITY_TESTING = "security_testing"
    UNDETERMINED = "undetermined"


class WriterClass(StrEnum):
    """Who can put text into a field."""

    PLATFORM = "W0"
    ANONYMOUS = "W1"
    FOOTHOLD = "W2"
    THIRD_PARTY = "W3"
    INSIDER = "W4"


class Role(StrEnum):
    SYSTEM = "system"
    USER = "user"
    ASSISTANT = "assistant"
    TOOL = "tool"


class Trust(StrEnum):
    """Whether the lab vouches for a message. Tool output, error text and the agent's own words are untrusted."""

    TRUSTED = "trusted"
    UNTRUSTED = "untrusted"


class Risk(StrEnum):
    """How much harm a response action can do."""

    NONE = "none"
    LOW = "low"
    HIGH = "high"
    CRITICAL = "critical"


class Decision(StrEnum):
    """What the gate says to a proposed call."""

    ALLOW = "allow"
    DENY = "deny"
    HOLD = "hold"


class StoppedBy(StrEnum):
    """How an attempt was kept from taking effect."""

    DENIED = "denied"
    HELD = "held"
    REDACTED = "redacted"
    WRONG_STAGE = "wrong_stage"


class Outcome(StrEnum):
    """What a whole run showed. The first five are for attacked runs, the next four for benign ones."""

    COMPROMISED = "compromised"
    CONTAINED = "contained"
    INCONCLUSIVE = "inconclusive"
    NOT_EXPOSED = "not_exposed"
    RESISTED = "resisted"
    CORRECT = "correct"
    ACCEPTABLE = "acceptable"
    WRONG = "wrong"
    FALSE_BLOCK = "false_block"


class StageStatus(StrEnum):
    """How one stage ended, as pytest and the scorecard show it."""

    PASSED = "passed"
    FAILED = "failed"
    ERROR = "error"
    REFUSED = "refused"
    NOT_REACHED = "not_reached"


class Attribution(StrEnum):
    """Whether the attack or the agent's own inability explains a failure (clean twin)."""

    ATTACK = "attack"
    CAPABILITY = "capability"
    UNKNOWN = "unknown"


class ErrorCode(StrEnum):
    """Why a turn or a run gave no usable answer."""

    INVALID_JSON = "invalid_json"
    SCHEMA_VIOLATION = "schema_violation"
    AUTHENTICATION_REJECTED = "authentication_rejected"
    REQUEST_REJECTED = "request_rejected"
    RATE_LIMITED = "rate_limited"
    AGENT_ERROR = "agent_error"
    UNEXPECTED_STATUS = "unexpected_status"
    TIMEOUT = "timeout"
    TRANSPORT_ERROR = "transport_error"
    REPLY_TOO_LARGE = "reply_too_large"
    TRUNCATED = "truncated"
    WRONG_STAGE = "wrong_stage"
    ADAPTER_FAULT = "adapter_fault"
    AGENT_UNREACHABLE = "agent_unreachable"
    BUDGET = "budget"
    CANCELLED = "cancelled"
    LAB_FAULT = "lab_fault"
