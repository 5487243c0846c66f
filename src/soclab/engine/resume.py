"""What a journal still holds of a campaign that was stopped: what is done, and where to go on."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from soclab.clock import Clock
from soclab.contracts.campaign import CampaignHeader
from soclab.contracts.outcome import RunKey, StageOutcome
from soclab.contracts.scorecard_v1 import ScenarioResult
from soclab.contracts.vocabulary import Outcome, Stage, StageStatus
from soclab.engine.attack import Attack
from soclab.engine.journal import JOURNAL_NAME, Journal
from soclab.engine.outcomes import not_reached, stopped_words
from soclab.errors import OutputFolderError
from soclab.evidence.latest import is_cut
from soclab.evidence.reading import read_campaign, read_header
from soclab.evidence.verify import Verification, verify_journal
from soclab.redaction import Secrets

__all__ = ["Leftover", "leftover", "retold", "session_of", "take_up"]


@dataclass(frozen=True)
class Leftover:
    """
    Attributes:
        folder: of the campaign.
        header: as the campaign wrote it.
        results: of every run that was finished, latest word per run and attempt.
        verification: of the journal: where writing goes on.
        policy_version: of what judged last, where the last session was led to its end.
        begun_again: those of the results whose run was cut, and begun again by a session that did not come to its end;
            their evidence is that of the last start.
    """

    folder: Path
    header: CampaignHeader
    results: dict[RunKey, ScenarioResult]
    verification: Verification
    policy_version: str | None = None
    begun_again: tuple[ScenarioResult, ...] = ()

    def settled(self) -> dict[RunKey, ScenarioResult]:
        """Scenario and trial (attempt 1) -> the run that is not to be called again: led to its end, and conclusive."""
        found: dict[RunKey, ScenarioResult] = {}
        for key, result in self.results.items():
            if not is_cut(result) and result.outcome is not Outcome.INCONCLUSIVE:
                found[key._replace(attempt=1)] = result
        return found

    def attempts(self) -> dict[RunKey, int]:
        """Scenario and trial (attempt 1) -> attempts so far that ended as inconclusive; cut ones are led again."""
        found: dict[RunKey, int] = {}
        for key, result in self.results.items():
            if result.outcome is Outcome.INCONCLUSIVE and not is_cut(result):
                first = key._replace(attempt=1)
                found[first] = max(found.get(first, 0), key.attempt)
        return found


def leftover(folder: Path) -> Leftover:
    """
    Read a campaign's folder back. A torn last line is left out.

    Raises:
        OutputFolderError: there is no journal, or it is not whole: a journal that was changed is never gone on with.
    """
    path = folder / JOURNAL_NAME
    where = f"--soclab-resume {folder}: {path.name}"
    try:
        verification = verify_journal(path)
    except OSError as error:
        raise OutputFolderError(
            f"{where} cannot be read ({error.strerror or error}); name a campaign's folder"
        ) from error
    if verification.bad_line is not None and not verification.torn_tail:
        raise OutputFolderError(
            f"{where}, line {verification.bad_line}: {verification.problem}; start a new campaign instead"
        )
    try:
        records = read_campaign(path)
    except ValueError as error:
        raise OutputFolderError(
            f"{where} is no journal that this version can go on with; start a new campaign instead"
        ) from error
    header = records.header
    found = [(one, _of_last_start(one, verification)) for one in records.results]
    by_key = {
        RunKey(scenario_id=one.id, mode=one.mode or header.mode, trial=one.trial, attempt=one.attempt): one
        for _, one in found
    }
    return Leftover(
        folder,
        header,
        by_key,
        verification,
        records.end.policy_version if records.end else None,
        tuple(now for before, now in found if now is not before),
    )


def _of_last_start(result: ScenarioResult, verification: Verification) -> ScenarioResult:
    root = verification.roots.get(result.run_id)
    if not is_cut(result) or root in (None, result.evidence_root):
        return result
    return result.model_copy(update={"evidence_root": root})


def take_up(rest: Leftover, secrets: Secrets, clock: Clock) -> Journal:
    """
    The journal to go on with. It says of runs that were begun again which events are theirs now.

    Raises:
        OutputFolderError: the file cannot be written.
    """
    journal = Journal.resume(rest.folder / JOURNAL_NAME, rest.verification, secrets, clock)
    for one in rest.begun_again:
        journal.append("run_finished", beside={"result": one.model_dump(mode="json", by_alias=True)})
    return journal


def session_of(folder: Path) -> str | None:
    """The session of several processes that a folder's campaign belongs to; None where there is none."""
    try:
        return read_header(folder / JOURNAL_NAME).session_id
    except (OSError, ValueError):
        return None


def retold(key: RunKey, result: ScenarioResult, stage: Stage) -> StageOutcome:
    """The outcome of a stage of a finished run, as it was told the first time, without a call."""
    told = next(one for one in result.stages if one.stage is stage)
    if told.status is StageStatus.NOT_REACHED:
        return not_reached(key, result.run_id, (stage,), stopped_words(result.id, result.stages))[0]
    broke = told.status is not StageStatus.PASSED
    return StageOutcome(
        key=key,
        run_id=result.run_id,
        stage=stage,
        status=told.status,
        outcome=result.outcome if broke else None,
        reason_code=told.reason_code,
        headline=result.explanation if broke else "",
        words=result.words if broke else "",
        control_reasons=result.control_reasons if broke else (),
        latency_ms=told.latency_ms,
        tokens_in=told.tokens_in,
        tokens_out=told.tokens_out,
        usage_estimated=told.usage_estimated,
        model=told.model,
        attack=_attack(result) if told.status is StageStatus.FAILED else "",
        call=told.call,
        ruling=told.ruling,
    )


def _attack(result: ScenarioResult) -> str:
    if result.channel is None or result.payload is None:
        return ""
    return Attack(result.title or result.id, result.channel, result.payload).line
