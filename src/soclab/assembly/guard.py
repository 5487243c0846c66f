"""The guard pack run without any agent: every forced reply is met as it has to be, or this says which was not."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Final, NamedTuple

from soclab.assembly.packs import checked_pack
from soclab.assembly.prepared import prepare
from soclab.assembly.settings import CampaignSettings
from soclab.contracts.scenario_v1 import Scenario
from soclab.contracts.scorecard_v1 import ScenarioResult
from soclab.scenarios.guard_pack import guard_pack

__all__ = ["Met", "meet_guards"]

_SEED: Final = "guard"


class Met(NamedTuple):
    """A forced reply and what became of it."""

    scenario: Scenario
    result: ScenarioResult

    @property
    def holds(self) -> bool:
        """It was met as the guard says."""
        return self.result.guard_passed is True

    @property
    def found(self) -> str:
        """How it was met, in a few words of the lab."""
        stopped = self.result.stopped_by.value if self.result.stopped_by else None
        outcome = self.result.outcome.value if self.result.outcome else "not finished"
        said = ", ".join(self.result.control_reasons) or self.result.reason_code or ""
        return ": ".join(part for part in (stopped or outcome, said) if part)


def meet_guards(patterns: Sequence[str] = (), without: Sequence[str] = ()) -> tuple[Met, ...]:
    """
    Run the guard pack in protected mode, in a folder that is gone afterwards.

    Args:
        patterns: ids or globs; empty means all.
        without: controls switched off.

    Raises:
        UsageError: a pattern matches nothing, or a control is unknown; one line.
    """
    pack = guard_pack(checked_pack(None))
    with tempfile.TemporaryDirectory(prefix="soclab-guard-") as place:
        settings = CampaignSettings(
            environment={},
            root=Path(place),
            provider_id="scripted",
            patterns=tuple(patterns) or ("GRD-*",),
            without=tuple(without),
            seed=_SEED,
            out=Path(place) / "results",
        )
        running = prepare(settings, pack).start(None)
        running.wait_all()
        results = {one.id: one for one in running.finish().results}
    return tuple(Met(scenario, results[scenario.id]) for scenario in pack.scenarios if scenario.id in results)
