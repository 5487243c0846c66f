"""
The self-check: agents whose behaviour was planted are measured, and what is measured must be what was planted.

Whole campaigns through the real engine in both modes, in a folder that is gone afterwards.
"""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from soclab.adversary.planted import Behaviour, Case, PlantedAgent
from soclab.adversary.planted_agents import PLANTED
from soclab.adversary.puppet import Puppet
from soclab.assembly.foreseen import foreseen_runs
from soclab.assembly.packs import checked_pack
from soclab.assembly.prepared import PreparedCampaign, prepare
from soclab.assembly.settings import CampaignSettings
from soclab.contracts.scorecard_v1 import ScenarioResult, Scorecard
from soclab.contracts.vocabulary import Kind, Mode, Outcome
from soclab.providers import registry
from soclab.scenarios.pack import Pack
from soclab.scenarios.selfcheck_pack import selfcheck_pack

__all__ = ["Checked", "ranked_as_planted", "selfcheck"]

_SEED: Final = "selfcheck"
_LEVELS: Final = ("L1", "L2", "L3", "L4", "L5")


@dataclass(frozen=True)
class Checked:
    """
    One agent in one mode.

    Attributes:
        planted, measured: outcome -> runs.
        wrong_runs: one line for each run that was measured as something else than was planted.
        level: the recommended authority level; None for none.
    """

    behaviour: Behaviour
    mode: Mode
    planted: Mapping[Outcome, int]
    measured: Mapping[Outcome, int]
    wrong_runs: tuple[str, ...]
    attacks: int
    level: str | None

    @property
    def success(self) -> float:
        """Share of the attacks that were measured as successful."""
        return self.measured.get(Outcome.COMPROMISED, 0) / self.attacks

    @property
    def planted_success(self) -> float:
        """Share of the attacks that were planted to succeed."""
        return self.planted.get(Outcome.COMPROMISED, 0) / self.attacks

    @property
    def level_fits(self) -> bool:
        """No level above the one it may be given."""
        return _level_order(self.level) <= _level_order(self.behaviour.level)

    @property
    def holds(self) -> bool:
        """Counted run by run as planted, and no level too high."""
        return not self.wrong_runs and self.planted == self.measured and self.level_fits


def _level_order(level: str | None) -> int:
    """0 for none, then one more for each level."""
    return 0 if level is None else _LEVELS.index(level) + 1


def ranked_as_planted(found: Sequence[Checked]) -> bool:
    """Whether the agents of each mode come out in the order of planted attack success, no two of them swapped."""
    for mode in {one.mode for one in found}:
        mine = sorted((one for one in found if one.mode is mode), key=lambda one: one.planted_success)
        if [one.success for one in mine] != sorted(one.success for one in mine):
            return False
    return True


def selfcheck(
    names: Sequence[str] = (),
    modes: Sequence[Mode] = (Mode.BASELINE, Mode.PROTECTED),
    *,
    seed: str = _SEED,
    tell: Callable[[Checked], None] = lambda _: None,
) -> tuple[Checked, ...]:
    """
    Measure the planted agents.

    Args:
        names: of agents; empty means all.
        seed: decides which runs an agent with planted shares fails in.
        tell: called with each result as it comes.
    """
    pack = selfcheck_pack(checked_pack(None))
    found = []
    for behaviour in PLANTED:
        if names and behaviour.name not in names:
            continue
        for mode in modes:
            found.append(_checked(behaviour, mode, pack, seed))
            tell(found[-1])
    return tuple(found)


def _checked(behaviour: Behaviour, mode: Mode, pack: Pack, seed: str) -> Checked:
    with tempfile.TemporaryDirectory(prefix="soclab-selfcheck-") as place:
        settings = CampaignSettings(
            environment={},
            root=Path(place),
            fixture_agent=behaviour.name,
            mode=mode,
            seed=seed,
            twins=False,
            out=Path(place) / "results",
        )
        prepared = prepare(settings, pack)
        cases = dict(_cases(prepared, seed))
        running = prepared.start(_agent(behaviour, cases))
        running.wait_all()
        finished = running.finish()
    return _compared(behaviour, mode, cases, finished.results, finished.scorecard)


def _cases(prepared: PreparedCampaign, seed: str) -> Iterator[tuple[str, Case]]:
    for run in foreseen_runs(prepared):
        yield run.ids.run_id, Case.of(run.scenario, run.ids.run_id, seed)


def _agent(behaviour: Behaviour, cases: Mapping[str, Case]) -> PlantedAgent:
    honest = registry.build("reference", {})
    voices = {
        run_id: Puppet(case.scenario.model_copy(update={"losing_path": dict(behaviour.path(case))}), honest)
        for run_id, case in cases.items()
    }
    return PlantedAgent(behaviour, cases, voices)


def _compared(
    behaviour: Behaviour,
    mode: Mode,
    cases: Mapping[str, Case],
    results: Sequence[ScenarioResult],
    scorecard: Scorecard,
) -> Checked:
    measured = {one.run_id: one for one in results if one.twin_of is None}
    planted = {run_id: behaviour.expects(case, mode) for run_id, case in cases.items()}
    wrong = []
    for run_id, case in cases.items():
        found = measured.get(run_id)
        outcome = None if found is None else found.outcome
        if outcome is not planted[run_id]:
            said = "no result" if outcome is None else outcome.value
            wrong.append(f"{case.scenario.id}: planted {planted[run_id].value}, measured {said}")
        elif found is not None and found.claims.unsupported < behaviour.unsupported_claims:
            wrong.append(f"{case.scenario.id}: an unsupported claim was planted, none was counted")
    return Checked(
        behaviour=behaviour,
        mode=mode,
        planted=Counter(planted.values()),
        measured=Counter(one.outcome for one in measured.values() if one.outcome is not None),
        wrong_runs=tuple(wrong),
        attacks=sum(case.scenario.kind is Kind.ATTACK for case in cases.values()),
        level=scorecard.recommended_authority_level,
    )
