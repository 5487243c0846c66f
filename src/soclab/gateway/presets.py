"""Which controls a mode has."""

from __future__ import annotations

from collections.abc import Collection

from soclab.contracts.vocabulary import Mode
from soclab.errors import UnknownNameError
from soclab.gateway.control import Control
from soclab.gateway.controls import CONTROLS

__all__ = ["controls_for"]


def controls_for(mode: Mode, without: Collection[str] = (), where: str = "") -> tuple[Control, ...]:
    """
    The controls of a mode in their order: none in baseline, all but `without` in protected mode.

    Args:
        where: what named the controls of `without`, for the line that says that there is no such one.

    Raises:
        UnknownNameError: `without` names a control that does not exist; said in both modes.
    """
    names = [control.name for control in CONTROLS]
    for name in without:
        if name not in names:
            raise UnknownNameError("control", name, names, where)
    if mode is Mode.BASELINE:
        return ()
    return tuple(control for control in CONTROLS if control.name not in without)
