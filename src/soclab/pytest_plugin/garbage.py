"""
The garbage collector rests while a campaign is loaded and its items are collected.

Nearly everything that is made then stays to the end of the session, and looking through it again and again takes a
third of the time. Afterwards it is put aside for good (`gc.freeze`).
"""

from __future__ import annotations

import gc

import pytest

__all__ = ["rest", "wake"]

_RESTS: pytest.StashKey[bool] = pytest.StashKey()
"""On the config of a session for which it rests; one that somebody else has switched off is left alone."""


def rest(config: pytest.Config) -> None:
    """
    Switch it off until `wake`, or until the session ends, however it ends.

    What an earlier session of this process has put aside is taken back here and not at its end: a process that ends
    has no use for it, and would look through all of it once more.
    """
    gc.unfreeze()
    if gc.isenabled():
        config.stash[_RESTS] = True
        config.add_cleanup(lambda: wake(config))
        gc.disable()


def wake(config: pytest.Config, *, stays: bool = False) -> None:
    """
    Switch it on again if `rest` has switched it off.

    Args:
        stays: what there is now will be there to the end, and need not be looked through. What is garbage by then goes
            first, or it would stay as well: collecting leaves a node for each scenario. In a session that only collects
            nothing comes after it that would need the room.
    """
    if stays:
        if not config.option.collectonly:
            gc.collect()
        gc.freeze()
    if config.stash.get(_RESTS, False):
        config.stash[_RESTS] = False
        gc.enable()
