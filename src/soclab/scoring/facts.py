"""Everything that gates and limitations may look at."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from soclab.contracts.campaign import CampaignEnd, CampaignHeader
from soclab.contracts.profile_v1 import ScoringProfile
from soclab.contracts.releases_v1 import EarlierRelease, ReleaseComparison
from soclab.contracts.scorecard_v1 import Counts, Rates, ScenarioResult, StageResult
from soclab.contracts.vocabulary import ErrorCode, StageStatus
from soclab.redaction import clean
from soclab.scoring.populations import Population, is_answered, is_finished
from soclab.scoring.releases.sides import compare_releases, release_of, runs_of
from soclab.scoring.thresholds import DEFAULT_THRESHOLDS, Thresholds

__all__ = ["CampaignFacts"]

_FAULT_LIMIT = 300
_NO_CALL = (ErrorCode.AGENT_UNREACHABLE, ErrorCode.CANCELLED, ErrorCode.LAB_FAULT)


@dataclass(frozen=True)
class CampaignFacts:
    """
    Attributes:
        header, end: what the journal's first and last line say.
        population: the runs that count.
        rates: over that population.
        roots: evidence root of each run, recomputed from the journal.
        all_valid: both chains of the journal verify.
        composite, level, without_case: what scoring made of it, for gates and limitations; unset before it.
    """

    header: CampaignHeader
    population: Population
    rates: Rates
    end: CampaignEnd
    roots: Mapping[str, str]
    all_valid: bool
    thresholds: Thresholds = DEFAULT_THRESHOLDS
    composite: float | None = None
    level: str | None = None
    without_case: tuple[str, ...] = ()

    @cached_property
    def reported(self) -> Counts:
        """
        Scenarios and stages whose fate is known, never more than were selected.

        Every stage of a finished run is known: those after its end were not reached.
        """
        known = {(one.id, one.trial): _known_stages(one) for one in self.population.runs}
        selected = self.header.selected
        return Counts(
            scenarios=min(len({scenario for (scenario, _), count in known.items() if count}), selected.scenarios),
            stages=min(sum(known.values()), selected.stages),
        )

    @cached_property
    def executed_stages(self) -> int:
        """Stages at which the agent was asked."""
        return sum(_was_asked(stage) for one in self.population.runs for stage in one.stages)

    @cached_property
    def answered_stages(self) -> int:
        """Stages with a usable answer."""
        return sum(is_answered(stage) for one in self.population.runs for stage in one.stages)

    @cached_property
    def answered_runs(self) -> int:
        """Runs of the agent with a usable answer at least at one stage."""
        return sum(any(map(is_answered, one.stages)) for one in self.population.agent_runs)

    @cached_property
    def comparison(self) -> ReleaseComparison | None:
        """With the earlier release that the campaign was started with; None without one."""
        header = self.header
        if header.earlier is None:
            return None
        later = EarlierRelease(
            release=release_of(header, complete=self.is_complete), runs=runs_of(self.population.agent_runs)
        )
        return compare_releases(header.soclab_version, header.earlier, later)

    @property
    def fault(self) -> str | None:
        """What broke the lab itself, fit to be shown; None when it held."""
        return None if self.end.fault is None else clean(self.end.fault, _FAULT_LIMIT)

    @property
    def profile(self) -> ScoringProfile | None:
        """How the campaign is scored; None in journals of versions that knew no profile."""
        return self.header.profile

    @property
    def is_narrowed(self) -> bool:
        """Only some scenarios of the pack were asked for."""
        whole = self.header.pack_scenarios
        return whole is not None and self.header.total.scenarios < whole

    @property
    def is_partial(self) -> bool:
        """Less was selected than this agent could run, or less was reported than was selected."""
        return self.header.selected != self.header.total or self.reported != self.header.selected

    @property
    def is_complete(self) -> bool:
        """Everything that this agent can run was selected and led to its end."""
        return not self.is_partial and all(map(is_finished, self.population.runs)) and self.end.fault is None


def _known_stages(result: ScenarioResult) -> int:
    if is_finished(result):
        return len(result.stages)
    return sum(stage.status is not StageStatus.NOT_REACHED for stage in result.stages)


def _was_asked(stage: StageResult) -> bool:
    if stage.status is StageStatus.ERROR:
        return stage.reason_code not in _NO_CALL
    return stage.status is not StageStatus.NOT_REACHED
