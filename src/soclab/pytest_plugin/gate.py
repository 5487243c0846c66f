"""The verdict on the whole campaign, shown as one more result: `soclab::gate`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final, Literal, NamedTuple

import pytest

from soclab.contracts.outcome import Trial
from soclab.contracts.scorecard_v1 import Scorecard
from soclab.contracts.vocabulary import Kind, StageStatus
from soclab.pytest_plugin.arguments import NODE
from soclab.pytest_plugin.collection import Place, Turn
from soclab.pytest_plugin.results import StageFailed
from soclab.pytest_plugin.session import CampaignSession
from soclab.redaction import clean

__all__ = ["GATE", "GateVerdict", "judge", "partial_text", "show"]

GATE: Final = "gate"
_LIMIT: Final = 600
_REMEMBER_FAILURES: Final = ("lfplugin", "stepwiseplugin")
_WORST_FIRST: Final[tuple[Literal["failed", "skipped", "passed"], ...]] = ("failed", "skipped", "passed")
_RUNS_OF: Final = {"inconclusive_attacked": Kind.ATTACK, "inconclusive_clean": Kind.BENIGN}
_OF_ANY_PART: Final = ("executed", "refusals", "red_runs")
"""Gates that a part of a campaign fails, too: without them an agent that answers nothing would be green."""
_BROKEN: Final = (StageStatus.FAILED, StageStatus.ERROR)


class GateVerdict(NamedTuple):
    """Passed, failed, or skipped (a part of a campaign passes no gate); one line for each reason."""

    outcome: Literal["passed", "failed", "skipped"]
    lines: tuple[str, ...] = ()


def judge(campaigns: Sequence[CampaignSession], *, cut_short: bool) -> GateVerdict:
    """
    Whether the campaigns of a session hold. Call it when they have ended.

    Nothing executed is a failure, whatever was selected; so is a broken stage whose item never said so.

    Args:
        cut_short: the session ended before its last item (`-x`), so that items could not say what broke.
    """
    verdicts = [_judge(one, cut_short=cut_short) for one in campaigns if one.has_items]
    outcomes = {one.outcome for one in verdicts}
    if len(verdicts) < len(campaigns) and "failed" not in outcomes:
        outcomes = {"skipped"}
    lines = tuple(line for one in verdicts for line in one.lines)
    return GateVerdict(next((one for one in _WORST_FIRST if one in outcomes), "skipped"), lines)


def _judge(campaign: CampaignSession, *, cut_short: bool) -> GateVerdict:
    if campaign.fault:
        return GateVerdict("failed", (campaign.fault,))
    finished = campaign.finished
    if finished is None or not campaign.told.has_reached:
        return GateVerdict("failed", (_nothing_executed(campaign),))
    silent, partial = tuple(_silent_breaks(campaign)), partial_text([campaign])
    if silent and not cut_short:
        return GateVerdict("failed", silent)
    scorecard = finished.scorecard
    gates = (*scorecard.gates, *scorecard.mandatory_gates)
    if partial and cut_short:  # a break ended the session, and its item has told it
        gates = ()
    elif partial:
        gates = tuple(gate for gate in gates if _speaks_of_a_part(gate.name, scorecard))
    failed = tuple(clean(f"{campaign.prefix}{gate.name}: {gate.detail}", _LIMIT) for gate in gates if not gate.passed)
    if partial and not failed:
        return GateVerdict("skipped", (f"{campaign.prefix}{partial}; gates judge whole campaigns", *silent))
    return GateVerdict("failed", failed) if failed or not gates else GateVerdict("passed")


def _speaks_of_a_part(name: str, scorecard: Scorecard) -> bool:
    """Runs that the selection does not lead to their end say nothing against the agent."""
    if name == "manoeuvres_refused":
        return bool(scorecard.manoeuvres)
    if name == "exposure":
        return scorecard.rates.exposure.trials > 0
    if (kind := _RUNS_OF.get(name)) is not None:
        return any(one.kind is kind and one.outcome is not None for one in scorecard.scenarios)
    return name in _OF_ANY_PART


def partial_text(campaigns: Sequence[CampaignSession]) -> str:
    """`partial: 2 of 42 stages` when not all that this agent can run was told to an item; else empty."""
    told = sum(len(one.told) for one in campaigns)
    total = sum(one.total_stages for one in campaigns)
    return "" if told == total else f"partial: {told} of {total} stages"


def show(config: pytest.Config, verdict: GateVerdict) -> None:
    """
    Report the verdict like the result of an item.

    The plugins that remember failures for the next run do not hear of it: there is no such item to run again.
    """
    node, location = f"{NODE}::{GATE}", (NODE, None, GATE)
    manager = config.pluginmanager
    deaf = [one for one in map(manager.get_plugin, _REMEMBER_FAILURES) if one is not None]
    report_to = manager.subset_hook_caller("pytest_runtest_logreport", remove_plugins=deaf)
    config.hook.pytest_runtest_logstart(nodeid=node, location=location)
    for report in _reports(node, location, verdict):
        report_to(report=report)
    config.hook.pytest_runtest_logfinish(nodeid=node, location=location)


def _reports(node: str, location: tuple[str, int | None, str], verdict: GateVerdict) -> Iterator[pytest.TestReport]:
    keywords: dict[str, Literal[1]] = {NODE: 1, GATE: 1}
    decisive = "setup" if verdict.outcome == "skipped" else "call"
    for when in ("setup", "call", "teardown"):
        if when == "call" and decisive == "setup":
            continue
        yield pytest.TestReport(
            nodeid=node,
            location=location,
            keywords=keywords,
            outcome=verdict.outcome if when == decisive else "passed",
            longrepr=_longrepr(node, verdict) if when == decisive else None,
            when=when,
        )


def _longrepr(node: str, verdict: GateVerdict) -> Any:
    if verdict.outcome == "passed":
        return None
    if verdict.outcome == "skipped":
        return node, None, f"Skipped: {'; '.join(verdict.lines)}"
    try:
        raise StageFailed(_told(verdict.lines))
    except StageFailed as error:  # raised, because pytest shows only what was
        shown: Any = pytest.ExceptionInfo.from_exception(error).getrepr(style="value")
        shown.reprcrash.message = str(error).partition("\n")[0]
        return shown


def _told(lines: Sequence[str]) -> str:
    if len(lines) == 1:
        return f"gate failed: {lines[0]}"
    return "\n  ".join((f"gate failed: {len(lines)} conditions do not hold", *lines))


def _nothing_executed(campaign: CampaignSession) -> str:
    stages = sum(map(len, campaign.selection.values()))
    return f"{campaign.prefix}no evidence: 0 of {stages} selected stages were executed"


def _silent_breaks(campaign: CampaignSession) -> Iterator[str]:
    """Stages that broke though no item told it: the item was skipped or never ran."""
    if campaign.finished is None:
        return
    for result in (one for one in campaign.finished.results if not one.asked_by_test):
        trial = Trial(result.id, result.trial)
        untold = [one for one in campaign.selection.get(trial, ()) if Place(trial, one) not in campaign.told]
        for stage in result.stages:
            if stage.status in _BROKEN and stage.stage in untold:
                why = f"{stage.status.value} ({stage.reason_code or result.outcome or 'no outcome'})"
                turn = Turn(result.trial, stage.stage)
                yield f"{campaign.node}::{result.id}[{turn.id}] {why}, and no item told it"
