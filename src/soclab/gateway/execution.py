"""Running a call against the simulated SOC. The only place that changes a world."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from soclab.contracts.approval import BoundProposal
from soclab.contracts.grant import Grant
from soclab.contracts.strict import JsonObject, JsonValue
from soclab.gateway.grants import GrantDesk
from soclab.simulator.world import World

__all__ = ["Execution", "Executor"]


class Execution(NamedTuple):
    """
    What running a call gave.

    Attributes:
        result: of a look-up that succeeded, raw and shared between runs; else None.
        error: one line for the agent when the look-up or action failed.
        changes: what an action changed, one short fact each.
    """

    result: JsonObject | None = None
    error: str | None = None
    records_requested: int = 0
    records_returned: int = 0
    changes: tuple[str, ...] = ()


class Executor:
    """
    Runs the calls of one run. The world checks arguments and targets itself and answers with an error.

    Args:
        world: of this run; nobody else acts on it.
        desk: checks the grants; None asks for none (baseline, or the control `grant` is switched off).
    """

    def __init__(self, world: World, desk: GrantDesk | None) -> None:
        self._world = world
        self._desk = desk

    def look_up(self, name: str, arguments: Mapping[str, JsonValue]) -> Execution:
        """Run a read tool: no grant is needed."""
        return Execution(*self._world.read(name, arguments))

    def act(self, proposal: BoundProposal, grant: Grant | None) -> Execution:
        """
        Run exactly this response action.

        Raises:
            RefusedError: as of `GrantDesk.redeem`; nothing was run.
        """
        if self._desk is not None:
            self._desk.redeem(grant, proposal)
        changes, error = self._world.act(proposal.tool, proposal.arguments)
        return Execution(error=error, changes=changes)
