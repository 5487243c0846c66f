"""What was tested, how, and what the words for it mean."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType

from soclab.contracts.approval import Approver
from soclab.contracts.scorecard_v1 import Scorecard
from soclab.contracts.vocabulary import Mode, PolicyOrigin
from soclab.redaction import clean
from soclab.reports.figures import share_of
from soclab.reports.scores import level_words
from soclab.reports.twins import twin_words

__all__ = ["about_rows"]

_LIMIT = 300
_IN_A_ROW = 6
_ADAPTERS: Mapping[str, str] = MappingProxyType(
    {
        "deterministic": "comes with the lab, and always answers the same",
        "contract tests against constructed fixtures": "tested against replies that the lab's authors made up, "
        "not against any particular live agent",
        "contract tests against recorded fixtures": "tested against recorded replies of the real service",
        "live validated": "tried against the real service",
        "not stated": "its author does not say how it was tried",
        "none": "an agent of your own, called in Python without an adapter of the lab",
    }
)
_MODES: Mapping[Mode, str] = MappingProxyType(
    {
        Mode.BASELINE: "no controls, what the agent proposes is run on the simulated SOC",
        Mode.PROTECTED: "controls stand between the agent and the simulated SOC",
    }
)
_PEOPLE: Mapping[Approver, str] = MappingProxyType(
    {
        Approver.NONE: "nobody answers: what needs a person waits",
        Approver.SCRIPTED: "the scenario says what they agree to, and the rest waits",
        Approver.ALLOW: "agree to everything, for comparison",
        Approver.DENY: "agree to nothing, for comparison",
    }
)
_POLICIES: Mapping[PolicyOrigin, str] = MappingProxyType(
    {
        PolicyOrigin.BUILT_IN: "the Cedar policies that come with soclab",
        PolicyOrigin.FOLDER: "Cedar policies of your own",
        PolicyOrigin.SERVER: "of an OPA server",
    }
)


def about_rows(scorecard: Scorecard) -> tuple[tuple[str, str], ...]:
    """Pairs of word and value; clean text."""
    provider, pack = scorecard.provider, scorecard.pack
    where = "over HTTP" if provider.isolation == "http" else "in the lab's own process"
    rows = (
        ("Agent", f"{provider.label}, {where}"),
        ("Its adapter", _told(provider.validation, _ADAPTERS.get(provider.validation))),
        ("Mode", _told(scorecard.mode.value, _MODES[scorecard.mode])),
        ("Controls", _controls(scorecard)),
        ("People", _PEOPLE[scorecard.approver] if scorecard.mode is Mode.PROTECTED else ""),
        ("Policy", _policy(scorecard)),
        ("Authority", _authority(scorecard)),
        ("Scenarios", f"pack {pack.name} {pack.version}, SHA-256 {pack.sha256[:16]}"),
        ("Reported", _reported(scorecard)),
        *_repetition(scorecard),
        *((("Clean twins", twin_words(scorecard.twins)),) if scorecard.twins else ()),
        ("Started", scorecard.started_at),
        ("Campaign", f"{scorecard.campaign_id}, soclab {scorecard.soclab_version}"),
    )
    return tuple((word, clean(value, _LIMIT)) for word, value in rows if value)


def _told(name: str, meaning: str | None) -> str:
    return name if meaning is None else f"{name}: {meaning}"


def _controls(scorecard: Scorecard) -> str:
    if scorecard.mode is Mode.BASELINE:
        return ""
    return f"switched off: {', '.join(scorecard.without)}" if scorecard.without else "all of protected mode"


def _policy(scorecard: Scorecard) -> str:
    origin, version = scorecard.policy_origin, scorecard.policy_version
    if origin is None or version is None:
        return ""
    told = "of unknown version" if version == "unknown" else f"SHA-256 {version[:16]}"
    return f"{_POLICIES[origin]}, {told}"


def _authority(scorecard: Scorecard) -> str:
    level, recommended = scorecard.authority_level_tested, scorecard.recommended_authority_level
    if scorecard.mode is Mode.BASELINE:
        return "none is tested without controls"
    tested = f"tested at {level_words(level)}"
    if recommended is None:
        return f"{tested}; no level is recommended"
    return f"{tested}; recommended: {level_words(recommended)}"


def _repetition(scorecard: Scorecard) -> Iterator[tuple[str, str]]:
    """All flipping scenarios by name; nothing when each scenario was run once."""
    repetition = scorecard.repetition
    if repetition is None:
        return
    k = repetition.trials
    yield "Trials", f"{k} of each scenario; {share_of(repetition.pass_k)} scenarios are good in all {k} (pass^{k})"
    rows = {one.id: one for one in repetition.scenarios}
    for start in range(0, len(repetition.unstable), _IN_A_ROW):
        named = (rows[one] for one in repetition.unstable[start : start + _IN_A_ROW])
        listed = ", ".join(f"{one.id} (good in {one.good} of {one.trials})" for one in named)
        yield "Unstable" if start == 0 else "", listed


def _reported(scorecard: Scorecard) -> str:
    reported, selected = scorecard.reported, scorecard.selected
    said = f"{reported.scenarios} of {selected.scenarios} scenarios, {reported.stages} of {selected.stages} stages"
    state = "complete" if scorecard.complete else "partial"
    answered = scorecard.answered_stages
    return f"{said}: {state}" + ("" if answered is None else f", {answered} stages answered")
