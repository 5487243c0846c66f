"""`soclab.releases.v1`: an earlier and a later release of an agent, pair by pair over the same scenarios."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Literal

from pydantic import Field

from soclab.contracts.approval import Approver
from soclab.contracts.strict import Frozen
from soclab.contracts.vocabulary import Kind, Mode, Outcome

__all__ = [
    "Change",
    "EarlierRelease",
    "FamilyTest",
    "Measure",
    "NoPair",
    "Release",
    "ReleaseComparison",
    "ReleasePair",
    "ReleaseRun",
    "ScenarioChange",
]


class Measure(StrEnum):
    """
    What counts as bad. `compromised`: the attacker's goal took effect. `attempted`: the agent went for it, stopped or
    not. `wrong`: a clean run ended wrong, or a control blocked honest work.
    """

    COMPROMISED = "compromised"
    ATTEMPTED = "attempted"
    WRONG = "wrong"


class Change(StrEnum):
    """
    What became of one scenario. With several trials `newly_failing`, `fixed` and `still_failing` mean all of them;
    `unstable`: trials of one release differ among themselves.
    """

    NEWLY_FAILING = "newly_failing"
    FIXED = "fixed"
    STILL_FAILING = "still_failing"
    UNSTABLE = "unstable"


class NoPair(StrEnum):
    """Why a trial of a scenario makes no pair: it was run once only, or one of the two runs says nothing."""

    ONLY_EARLIER = "only_earlier"
    ONLY_LATER = "only_later"
    NOT_FINISHED = "not_finished"
    INCONCLUSIVE = "inconclusive"
    NOT_EXPOSED = "not_exposed"


class Release(Frozen):
    """
    The campaign of one release: whose it is, and what has to be equal for a comparison.

    Attributes:
        agent: label of the agent and its model.
        journal_root: hash of the last line of its journal; "" for the campaign whose result this is part of.
    """

    campaign_id: str
    started_at: str
    soclab_version: str
    agent: str
    journal_root: str = ""
    complete: bool
    mode: Mode
    authority_level: str
    without: tuple[str, ...] = ()
    approver: Approver = Approver.NONE
    pack_name: str
    pack_version: str
    pack_sha256: str
    profile_version: str | None = None
    profile_sha256: str | None = None
    policy_version: str | None = None
    trials: int


class ReleaseRun(Frozen):
    """One run of an agent, without twins and guards, as far as a comparison needs it."""

    id: str
    kind: Kind
    goal: str | None = None
    trial: int
    outcome: Outcome | None


class EarlierRelease(Frozen):
    """What a campaign takes with it of the one that it is compared with; it stands in the journal's first line."""

    release: Release
    runs: tuple[ReleaseRun, ...]


class ReleasePair(Frozen):
    """
    One trial of one scenario in both releases.

    Attributes:
        family: the attacker's goal, or `clean`.
        earlier, later: outcomes; null where the run was not led to its end, or there is none.
        no_pair: null when both outcomes count.
        differs: measures by which one of the two is bad and the other is not.
    """

    id: str
    kind: Kind
    family: str
    trial: int
    earlier: Outcome | None
    later: Outcome | None
    no_pair: NoPair | None = None
    differs: tuple[Measure, ...] = ()


class FamilyTest(Frozen):
    """
    McNemar's exact test of one family by one measure; its unit is the scenario.

    Attributes:
        family: `attacked` (all attacked runs), a goal of the attacker, or `clean`.
        planned: scenarios of the family that both releases ran. `scenarios`: of these, with a pair. `pairs`: trials.
        worse, better: scenarios in which more, or fewer, of the paired trials are bad than before.
        p_exact, p_mid: two-sided. `p_holm`: the exact one, adjusted for the number of tests. Null where nothing is
            tested: with fewer scenarios not even a change of all of them would be significant.
        smallest_detectable: share of the scenarios that must truly become worse to be noticed in 4 of 5 comparisons,
            at the strictest level of Holm's procedure; null when no share is enough.
    """

    measure: Measure
    family: str
    planned: int
    scenarios: int
    pairs: int
    worse: int
    better: int
    p_exact: float | None = None
    p_mid: float | None = None
    p_holm: float | None = None
    smallest_detectable: float | None = None
    result: Literal["worse", "better", "no_difference", "too_few"]


class ScenarioChange(Frozen):
    """
    One scenario that is bad in some paired trial, by one measure.

    Attributes:
        pairs: paired trials; `bad_earlier`, `bad_later`: of these.
        earlier, later: outcomes of these trials, in their order.
    """

    id: str
    kind: Kind
    family: str
    measure: Measure
    change: Change
    pairs: int
    bad_earlier: int
    bad_later: int
    earlier: tuple[Outcome, ...]
    later: tuple[Outcome, ...]


class ReleaseComparison(Frozen):
    """
    The content of `comparison.json` beside a scorecard. Keys listed in `volatile` differ between equal comparisons.

    Attributes:
        level: below which an adjusted p-value is significant.
        paired: pairs; `unpaired`: reason -> trials that make none.
        tests: by measure and family.
        changes: newly failing, fixed, still failing, unstable; in this order.
        always_failing: scenarios that were good in all of several trials and are now bad in all of them.
        pairs: every trial of every scenario of either release, with a pair or without.
    """

    schema_id: Annotated[Literal["soclab.releases.v1"], Field(alias="schema")] = "soclab.releases.v1"
    soclab_version: str
    volatile: tuple[str, ...] = (
        "earlier.campaign_id",
        "earlier.started_at",
        "earlier.journal_root",
        "later.campaign_id",
        "later.started_at",
        "later.journal_root",
    )
    earlier: Release
    later: Release
    level: float
    paired: int
    unpaired: dict[str, int]
    tests: tuple[FamilyTest, ...]
    changes: tuple[ScenarioChange, ...]
    always_failing: tuple[str, ...] = ()
    pairs: tuple[ReleasePair, ...]
