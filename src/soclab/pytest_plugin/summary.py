"""The section `soclab scorecard` at the end of the terminal output."""

from __future__ import annotations

from soclab.pytest_plugin.gate import partial_text
from soclab.pytest_plugin.session import CampaignSession
from soclab.pytest_plugin.user_summary import asked_lines, is_only_asked
from soclab.redaction import clean
from soclab.reports.formats.terminal import scorecard_lines

__all__ = ["summary_lines"]


def summary_lines(campaign: CampaignSession) -> list[str]:
    """Lines without line ends; empty when no campaign was started."""
    lines: list[str] = []
    if campaign.fault:
        lines.append(clean(campaign.fault))
    if campaign.finished is not None:
        asked = asked_lines(campaign.finished, campaign.prepared.describe())
        if is_only_asked(campaign.finished):
            return [*lines, *asked]
        if partial := partial_text(campaign):
            lines.append(partial)
        if untold := _untold(campaign):
            lines.append(f"finished, but told by no item: {', '.join(untold)}")
        lines += scorecard_lines(campaign.finished.scorecard, campaign.finished.folder)
        lines += asked
    return lines


def _untold(campaign: CampaignSession) -> list[str]:
    """Runs with a result of which some selected stage was told by no item, because the session ended before."""
    if campaign.finished is None:
        return []
    results = {one.id: one for one in campaign.finished.results if one.outcome is not None and not one.asked_by_test}
    return [
        f"{scenario} {results[scenario].outcome}"
        for scenario, stages in sorted(campaign.selection.items())
        if scenario in results and any((scenario, stage) not in campaign.told for stage in stages)
    ]
