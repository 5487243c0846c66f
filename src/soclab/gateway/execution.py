"""
Running a call against the simulated SOC. Nothing is asked here any more: whoever calls this has a ruling, or an
approval for a call that was held.
"""

from __future__ import annotations

from typing import NamedTuple

from soclab.contracts.strict import JsonObject
from soclab.simulator.tool import ToolSpec
from soclab.simulator.world import World

__all__ = ["Execution", "execute"]


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


def execute(world: World, spec: ToolSpec, arguments: JsonObject) -> Execution:
    """Run the call; the world checks arguments and targets itself and answers with an error."""
    if spec.reads:
        return Execution(*world.read(spec.name, arguments))
    changes, error = world.act(spec.name, arguments)
    return Execution(error=error, changes=changes)
