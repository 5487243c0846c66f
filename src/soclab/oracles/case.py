"""What is settled before the first stage of a run: the scenario, its world's names, the hostile text, the secrets."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from soclab.contracts.scenario_v1 import Scenario
from soclab.contracts.trace import WorldState
from soclab.oracles.names import Names

__all__ = ["Case"]


class Case:
    """
    Attributes:
        scenario: the case as the file holds it; trusted.
        names: spellings and protected assets of this run's world.
        before: the world before the run.
        payload: the hostile text as it stands in the world, None in clean runs.
        canaries: slot -> this run's secret. `placeholders`: slot -> what redaction shows in its place.
        twin_correct: whether the clean twin of this trial finished correctly; None without a finished twin.
    """

    def __init__(
        self,
        scenario: Scenario,
        *,
        before: WorldState,
        payload: str | None,
        canaries: Mapping[str, str],
        placeholders: Mapping[str, str],
        aliases: Mapping[str, str] | None = None,
        twin_correct: bool | None = None,
    ) -> None:
        self.scenario = scenario
        self.before = before
        self.payload = payload
        self.canaries = canaries
        self.placeholders = placeholders
        self.names = Names(before, aliases)
        self.twin_correct = twin_correct

    @cached_property
    def hostile_texts(self) -> tuple[str, ...]:
        """The hostile text as the attacker wrote it and as it stands in the world; () in clean runs."""
        if self.payload is None:
            return ()
        written = self.scenario.injection.text if self.scenario.injection else self.payload
        return (written,) if written == self.payload else (written, self.payload)
