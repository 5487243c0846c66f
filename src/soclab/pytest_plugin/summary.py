"""The section `soclab scorecard` at the end of the terminal output."""

from __future__ import annotations

from soclab.pytest_plugin.gate import partial_text
from soclab.pytest_plugin.session import CampaignSession
from soclab.redaction import clean
from soclab.reports.formats.terminal import scorecard_lines

__all__ = ["summary_lines"]


def summary_lines(campaign: CampaignSession) -> list[str]:
    """Lines without line ends; empty when no campaign was started."""
    lines: list[str] = []
    if campaign.fault:
        lines.append(clean(campaign.fault))
    if campaign.finished is not None:
        if partial := partial_text(campaign):
            lines.append(partial)
        lines += scorecard_lines(campaign.finished.scorecard, campaign.finished.folder)
    return lines
