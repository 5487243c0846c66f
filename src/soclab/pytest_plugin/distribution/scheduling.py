"""
Distributes the campaign as one work unit, and the user's other tests as they asked.

The only module that imports xdist; xdist itself asks for it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

import pytest
from xdist.scheduler import (  # type: ignore[import-untyped]
    EachScheduling,
    LoadFileScheduling,
    LoadGroupScheduling,
    LoadScopeScheduling,
)

from soclab.pytest_plugin.arguments import NODE

__all__ = ["make"]


def make(config: pytest.Config, log: Any) -> Any:
    """The scheduler for what `--dist` says."""
    kind = config.getvalue("dist")
    if kind == "each":
        return CampaignOnce(config, log)
    return CampaignUnit(config, log, _SPREAD.get(kind))


def _is_ours(nodeid: str) -> bool:
    return nodeid.startswith(f"{NODE}::")


class CampaignUnit(LoadScopeScheduling):  # type: ignore[misc]
    """
    One unit of the campaign, given out first; units of the others as `--dist` says.

    Args:
        spread: scheduling whose units the user's tests make; None makes each test one.
    """

    def __init__(self, config: pytest.Config, log: Any, spread: Any) -> None:
        super().__init__(config, log)
        self._unit_of: Callable[[str], str] = str if spread is None else spread(config, log)._split_scope

    def _split_scope(self, nodeid: str) -> str:
        return NODE if _is_ours(nodeid) else self._unit_of(nodeid)

    def _assign_work_unit(self, node: Any) -> None:
        if NODE in self.workqueue:
            self.workqueue.move_to_end(NODE, last=False)
        super()._assign_work_unit(node)


class CampaignOnce(EachScheduling):  # type: ignore[misc]
    """Every worker runs the user's tests, the first one the campaign."""

    def schedule(self) -> None:
        first = next(iter(self.node2collection), None)
        for node, pending in self.node2pending.items():
            if node in self._started:
                continue
            if not pending:
                ids = enumerate(self.node2collection.get(node, ()))
                pending[:] = [index for index, one in ids if node is first or not _is_ours(one)]
            node.send_runtest_some(pending)
            node.shutdown()
            self._started.append(node)


_SPREAD: Final[Mapping[str, Any]] = {
    "loadscope": LoadScopeScheduling,
    "loadfile": LoadFileScheduling,
    "loadgroup": LoadGroupScheduling,
}
