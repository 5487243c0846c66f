"""
What only the end of a campaign needs: scorecard, report files, signature.

`RunningCampaign` imports it while the first answers are awaited (docs/adr/0020-start-up.md).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path

from soclab.assembly.running import FinishedCampaign
from soclab.assembly.signatures import sign_folder
from soclab.contracts.campaign import CampaignEnd, CampaignHeader
from soclab.contracts.scorecard_v1 import ScenarioResult, Scorecard
from soclab.engine import manoeuvring as manoeuvring
from soclab.engine.journal import JOURNAL_NAME
from soclab.errors import OutputFolderError
from soclab.evidence.signing import EvidenceSigner
from soclab.evidence.verify import verify_journal
from soclab.reports.formats import webpage
from soclab.reports.writer import write_reports
from soclab.scoring.scorecard import build_scorecard, rebuild

__all__ = ["finish_folder", "get_ready", "reopened", "scorecard_so_far"]


@cache
def get_ready() -> None:
    """Have the report's template, too; the manoeuvres, which the engine imports late, came with this module."""
    webpage.get_ready()


def scorecard_so_far(
    journal: Path, header: CampaignHeader, results: Sequence[ScenarioResult], end: CampaignEnd
) -> Scorecard:
    """The scorecard of a campaign that still runs; nothing is written."""
    return build_scorecard(header, results, end, verify_journal(journal).evidence)


def reopened(folder: Path, signer: EvidenceSigner | None = None) -> FinishedCampaign:
    """
    Scorecard, report files and signature of a campaign that another process ran, made from its journal.

    Raises:
        OutputFolderError: there is no journal, or the files cannot be written.
    """
    scorecard = rebuild(folder / JOURNAL_NAME)
    write_reports(folder, scorecard)
    sign_folder(folder, scorecard, signer)
    return FinishedCampaign(scorecard=scorecard, folder=folder, results=scorecard.scenarios)


def finish_folder(
    folder: Path,
    header: CampaignHeader,
    results: Sequence[ScenarioResult],
    end: CampaignEnd,
    signer: EvidenceSigner | None = None,
) -> FinishedCampaign:
    """Scorecard, report files and signature of a campaign with a closed journal. A full disk takes only the files."""
    verification = verify_journal(folder / JOURNAL_NAME)
    ordered = sorted(results, key=lambda one: (one.id, one.trial, one.attempt))
    scorecard = build_scorecard(header, ordered, end, verification.evidence)
    unwritten = None
    try:
        write_reports(folder, scorecard)
        sign_folder(folder, scorecard, signer)
    except OutputFolderError as error:
        unwritten = str(error)
    return FinishedCampaign(scorecard=scorecard, folder=folder, results=ordered, unwritten=unwritten)
