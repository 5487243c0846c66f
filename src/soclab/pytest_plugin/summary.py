"""The section `soclab scorecard` at the end of the terminal output."""

from __future__ import annotations

from collections.abc import Iterator

from soclab.contracts.outcome import Trial
from soclab.pytest_plugin.campaigns import Campaigns
from soclab.pytest_plugin.collection import Place
from soclab.pytest_plugin.gate import partial_text
from soclab.pytest_plugin.session import CampaignSession
from soclab.pytest_plugin.user_summary import asked_lines, is_only_asked
from soclab.redaction import clean
from soclab.reports.formats.sidebyside import comparison_lines
from soclab.reports.formats.terminal import scorecard_lines
from soclab.reports.writer import COMPARISON

__all__ = ["summary_lines"]


def summary_lines(campaigns: Campaigns) -> list[str]:
    """Lines without line ends; empty when no campaign was started."""
    lines: list[str] = []
    for one in campaigns.sessions:
        shown = list(_campaign_lines(one))
        lines += ["", *shown] if lines and shown else shown
    if campaigns.comparison is not None and campaigns.primary.finished is not None:
        lines += ["", "both modes", *(f"  {line}".rstrip() for line in comparison_lines(campaigns.comparison))]
        lines.append(clean(f"files       {campaigns.primary.finished.folder.parent / COMPARISON}"))
    return lines


def _campaign_lines(campaign: CampaignSession) -> Iterator[str]:
    if campaign.fault:
        yield clean(campaign.fault)
    if campaign.finished is None:
        return
    asked = asked_lines(campaign.finished, campaign.prepared.describe())
    if is_only_asked(campaign.finished):
        yield from asked
        return
    if campaign.has_items and (partial := partial_text([campaign])):
        yield f"{partial} told by items; the line 'runs' counts what the lab led to its end"
    if untold := _untold(campaign):
        yield f"finished, but told by no item: {', '.join(untold)}"
    yield from scorecard_lines(campaign.finished.scorecard, campaign.finished.folder)
    yield from asked


def _untold(campaign: CampaignSession) -> list[str]:
    """Runs with a result of which some selected stage was told by no item, because the session ended before."""
    if campaign.finished is None:
        return []
    finished = (one for one in campaign.finished.results if one.outcome is not None and not one.asked_by_test)
    results = {Trial(one.id, one.trial): one for one in finished}
    return [
        f"{trial.scenario}{'' if trial.number == 1 else f' trial {trial.number}'} {results[trial].outcome}"
        for trial, stages in sorted(campaign.selection.items())
        if trial in results and any(Place(trial, stage) not in campaign.told for stage in stages)
    ]
