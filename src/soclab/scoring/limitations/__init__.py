"""
What the figures of a campaign do not show, one sentence each, only where it is true.

What happened in this campaign comes first, what holds for every campaign of its kind last.
"""

from __future__ import annotations

from collections.abc import Callable

from soclab.scoring.facts import CampaignFacts
from soclab.scoring.limitations.amount import few_runs, inconclusive, no_case, not_exposed, once, one_sided
from soclab.scoring.limitations.course import (
    given_up,
    guards_only,
    lab_fault,
    one_answer,
    own_profile,
    partial,
    switched_off,
    timed_out_under_load,
    unnamed_policy,
)
from soclab.scoring.limitations.design import in_process, placeholder, public_corpus, simulated, stateful
from soclab.scoring.limitations.meaning import (
    attribution,
    by_itself,
    estimated_usage,
    foreign_model,
    held,
    more_under_attack,
)

__all__ = ["LIMITATIONS", "limitations_of"]

LIMITATIONS: tuple[Callable[[CampaignFacts], str | None], ...] = (
    lab_fault,
    given_up,
    foreign_model,
    switched_off,
    one_answer,
    own_profile,
    unnamed_policy,
    partial,
    guards_only,
    one_sided,
    timed_out_under_load,
    more_under_attack,
    inconclusive,
    not_exposed,
    by_itself,
    held,
    few_runs,
    once,
    attribution,
    estimated_usage,
    no_case,
    in_process,
    public_corpus,
    stateful,
    placeholder,
    simulated,
)


def limitations_of(facts: CampaignFacts) -> tuple[str, ...]:
    """Every sentence that is true of this campaign, in the order of the table."""
    return tuple(said for limitation in LIMITATIONS if (said := limitation(facts)) is not None)
