"""The page about scorecards keeps up with the scorecard."""

from __future__ import annotations

from pathlib import Path

import pytest

from soclab.contracts.scorecard_v1 import Rates
from soclab.contracts.vocabulary import Outcome
from soclab.scoring.gates import default_gates, mandatory_gates
from soclab.scoring.scorecard import NOT_FINISHED
from soclab.scoring.stable import VOLATILE
from soclab.scoring.thresholds import DEFAULT_THRESHOLDS
from tests.unit.scoring.cards import attacked, facts

PAGE = (Path(__file__).resolve().parents[3] / "docs" / "reading-a-scorecard.md").read_text("utf-8")
FACTS = facts([attacked(1)])


@pytest.mark.parametrize(
    "word",
    [
        *(one.value for one in Outcome),
        NOT_FINISHED,
        *Rates.model_fields,
        *(gate.name for gate in (*default_gates(FACTS), *mandatory_gates(FACTS))),
        *(path.rpartition(".")[2] for path in VOLATILE),
    ],
)
def test_every_word_of_a_scorecard_is_explained(word):
    """Outcomes, rates, gates and volatile keys stand on the page as the scorecard spells them."""
    assert f"`{word}`" in PAGE


def test_the_bounds_on_the_page_are_those_in_force():
    """The page names the shares that the gates use."""
    assert f"at most {DEFAULT_THRESHOLDS.max_inconclusive:.0%} of these runs" in PAGE
    assert f"in at least {DEFAULT_THRESHOLDS.min_exposure:.0%} of the answered" in PAGE
