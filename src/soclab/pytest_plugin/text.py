"""What people read: the block of a broken stage, the header, the line that runs a stage again. All of it cleaned."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from soclab.assembly import CampaignSettings, PreparedCampaign, compared_words, plan_words
from soclab.contracts.approval import Approver
from soclab.contracts.outcome import RunKey, StageOutcome
from soclab.contracts.vocabulary import STAGES, AuthorityLevel, Outcome, StageStatus
from soclab.pytest_plugin.arguments import NODE
from soclab.redaction import clean
from soclab.reports.words import mode_words, policy_words

__all__ = ["block", "curl_line", "headline", "header_lines", "planned_line", "rerun_options", "verdict_word"]

_LIMIT: Final = 600
_LONGEST: Final = 2000
_LABEL: Final = 10
_WORDS: Final = {
    Outcome.COMPROMISED: "COMPROMISED",
    Outcome.CONTAINED: "CONTAINED",
    Outcome.WRONG: "WRONG",
    Outcome.FALSE_BLOCK: "FALSE BLOCK",
}


def verdict_word(outcome: StageOutcome) -> str:
    """The verdict of a failed stage in one word; of a run that goes on, what it is so far."""
    if outcome.outcome in _WORDS:
        return _WORDS[outcome.outcome]
    if outcome.outcome is None:
        return "ATTEMPTED"
    return "FAILED"


def headline(outcome: StageOutcome) -> str:
    """One line: the verdict of a failed stage and what happened, or why there is no answer."""
    said = clean(outcome.headline, _LIMIT) or "no detail"
    return f"{verdict_word(outcome)}: {said}" if outcome.status is StageStatus.FAILED else said


def block(
    outcome: StageOutcome, rerun: str, curl: str | None, target: str | None = None, same_as: str | None = None
) -> str:
    """
    What stands under a failed or errored item.

    Args:
        rerun: options that run the same campaign again, as `rerun_options` gives them.
        curl: how to ask the agent by hand; None for agents in process.
        target: node id of the test to run again; None for the scenario's items.
        same_as: scenario whose block said the same; this one is short then.
    """
    key = outcome.key
    trial = "" if key.trial == 1 else f", trial {key.trial}"
    if same_as is not None:
        where = f"{key.scenario_id} at {outcome.broken_at or outcome.stage}{trial}"
        return f"{headline(outcome)}\n  {'same as':<{_LABEL}}{same_as} ({where}, run {outcome.run_id})"
    rows = [("scenario", f"{key.scenario_id} at {outcome.broken_at or outcome.stage}{trial}, mode {key.mode}")]
    if outcome.broken_at is not None:
        rows.append(("here", f"told at {outcome.stage}, because {outcome.broken_at} is not among the selected stages"))
    if outcome.status is StageStatus.FAILED:  # of a stage without an answer nothing was expected but one
        rows += [
            ("attack", outcome.attack),
            ("words", outcome.words),
            ("expected", outcome.expected.removeprefix("Expected: ")),
        ]
        rows.append(("controls", ", ".join(outcome.control_reasons)))
    rows.append(("run", outcome.run_id))
    rows.append(("rerun", f'pytest "{target or _items_of(key)}" {rerun}'.rstrip()))
    rows.append(("curl", curl or ""))
    told = (f"  {name:<{_LABEL}}{clean(value, _LONGEST)}" for name, value in rows if value)
    return "\n".join((headline(outcome), *told))


def _items_of(key: RunKey) -> str:
    """All items of a first trial; of a later one its last, for the others of the scenario are other runs."""
    return f"{NODE}::{key.scenario_id}" + ("" if key.trial == 1 else f"[{STAGES[-1]}-t{key.trial}]")


def rerun_options(settings: CampaignSettings) -> str:
    """The options of ours that lead to the same campaign; the seed only when the user gave one."""
    pairs = (
        ("provider", None if settings.fixture_agent else settings.provider_id),
        ("agent", None if settings.fixture_agent else settings.agent_spec),
        ("model", settings.model),
        ("mode", settings.mode.value),
        ("authority", None if settings.authority_level is AuthorityLevel.L4 else settings.authority_level.value),
        *(("without", control) for control in settings.without),
        ("policy", settings.policy_folder and str(settings.policy_folder)),
        ("trials", settings.trials and str(settings.trials)),
        ("approver", None if settings.approver is Approver.NONE else settings.approver.value),
        ("scenarios", settings.scenarios_folder and str(settings.scenarios_folder)),
        ("profile", settings.profile and str(settings.profile)),
        ("seed", settings.seed),
    )
    return " ".join(f"--soclab-{name} {shlex.quote(value)}" for name, value in pairs if value)


def curl_line(settings: CampaignSettings, token_variable: str, sample: str) -> str | None:
    """
    A call of the agent by hand; the token stays in its variable. None unless the agent stands behind HTTP.

    Args:
        sample: path of a file with a request.
    """
    if settings.fixture_agent or settings.provider_id != "http":
        return None
    bearer = f' -H "Authorization: Bearer ${token_variable}"' if settings.environment.get(token_variable) else ""
    return (
        'curl -sS "$SOCLAB_HTTP_AGENT_URL" -H "Content-Type: application/json" '
        f'-H "X-Soclab-Contract: soclab.agent.v1"{bearer} --data @{shlex.quote(sample)}'
    )


def header_lines(prepared: PreparedCampaign, modes: Sequence[str], place: Path | None, *, collected: bool) -> list[str]:
    """
    What pytest's header says of the campaign.

    Args:
        modes: one or two.
        place: where results go; None for the default.
        collected: False when the user named other files only, so that no item of the campaign runs.
    """
    settings = prepared.settings
    policy = policy_words(prepared.policy_origin, prepared.policy_version)
    mode = mode_words(settings.mode, settings.authority_level, settings.without, settings.approver, policy)
    both = "" if len(modes) == 1 else f"s {modes[0]} and"
    parts = [prepared.describe(), f"mode{both} {mode}"]
    if collected:
        parts.append(f"{plan_words(prepared, len(modes))}, {settings.concurrency} at a time")
        parts.append(f"results in {place or '.soclab/runs'}")
    else:
        parts.append(f"no campaign: other files are named (add {NODE!r} for it)")
    lines = [" | ".join(parts)]
    if collected and prepared.reference is not None:
        lines.append(f"compared {compared_words(prepared)}")
    lines += [f"left out {number}: {reason}" for reason, number in _reasons(prepared.left_out).items()]
    lines += [f"warning: {one}" for one in prepared.warnings]
    return [f"{NODE}: {clean(one, _LIMIT)}" for one in lines]


def planned_line(stages: int, calls: int, total: int) -> str | None:
    """What is left of the plan after deselection; None when everything is."""
    if stages == total:
        return None
    return f"{NODE}: partial: {stages} of {total} stages, {calls} calls at most"


def _reasons(left_out: Mapping[str, str]) -> dict[str, int]:
    found: dict[str, int] = {}
    for reason in left_out.values():
        found[reason] = found.get(reason, 0) + 1
    return found
