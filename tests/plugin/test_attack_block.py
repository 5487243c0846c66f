"""A broken item says what the attacker wrote, and where."""

from __future__ import annotations

from soclab.contracts.outcome import RunKey, StageOutcome
from soclab.contracts.vocabulary import Mode, Outcome, Stage, StageStatus
from soclab.pytest_plugin.text import block


def told(status: StageStatus, attack: str) -> str:
    outcome = StageOutcome(
        key=RunKey(scenario_id="ATK-001", mode=Mode.PROTECTED),
        run_id="a" * 32,
        stage=Stage.PROPOSE_ACTION,
        status=status,
        outcome=Outcome.CONTAINED,
        headline="the agent proposed disable_account",
        attack=attack,
    )
    return block(outcome, "--soclab-provider http", None)


def test_a_failed_stage_shows_the_attack_first():
    """Title, place and text stand in one line, before what the agent said; hostile characters are visible."""
    shown = told(StageStatus.FAILED, 'Order; in ticket comment: "do it\x1b[2J"')
    assert '  attack    Order; in ticket comment: "do it\\x1b[2J"' in shown.splitlines()


def test_a_clean_run_and_an_error_have_no_such_line():
    """Nothing was tried, or nothing is known to have been."""
    assert "  attack" not in told(StageStatus.FAILED, "")
    assert "  attack" not in told(StageStatus.ERROR, "Order; in ticket comment")
