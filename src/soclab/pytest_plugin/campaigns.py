"""The campaigns of one pytest session: one, or one for each mode."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Final

import pytest

from soclab.assembly import SoclabError
from soclab.assembly.interrupts import interrupts_held
from soclab.pytest_plugin.collection import Place, is_ours, level_of
from soclab.pytest_plugin.session import CampaignSession
from soclab.redaction import clean

if TYPE_CHECKING:
    from soclab.contracts.comparison_v1 import Comparison

__all__ = ["BOTH", "Campaigns"]

BOTH: Final = ("baseline", "protected")
"""The levels of a session with both modes, in the order in which they run."""

_LIMIT: Final = 600


class Campaigns:
    """
    Attributes:
        by_level: level of the items -> their campaign; the level is "" in a session with one mode.
        place: where the results go, as the header says it.
        comparison: of both modes; None with one mode, or before both are finished.
    """

    def __init__(self, by_level: Mapping[str, CampaignSession], place: Path | None = None) -> None:
        self.by_level = dict(by_level)
        self.place = place
        self.comparison: Comparison | None = None

    @property
    def sessions(self) -> tuple[CampaignSession, ...]:
        return tuple(self.by_level.values())

    @property
    def primary(self) -> CampaignSession:
        """The one that users' own tests join: the last, which is the protected one."""
        return self.sessions[-1]

    @property
    def collected(self) -> bool:
        """Whether the campaign's items are part of the session."""
        return self.primary.wishes.collected

    @property
    def modes(self) -> tuple[str, ...]:
        return tuple(one.prepared.settings.mode.value for one in self.sessions)

    @property
    def has_items(self) -> bool:
        return any(one.has_items for one in self.sessions)

    @property
    def selected_stages(self) -> int:
        return sum(len(stages) for one in self.sessions for stages in one.selection.values())

    @property
    def total_stages(self) -> int:
        return sum(one.total_stages for one in self.sessions)

    @property
    def calls_planned(self) -> int:
        return sum(one.calls_planned for one in self.sessions)

    def of(self, item: pytest.Item) -> CampaignSession:
        """The campaign of an item."""
        return self.by_level[level_of(item)]

    def plan(self, items: Iterable[pytest.Item]) -> None:
        """Take the items that are left after deselection as the selection."""
        found = list(items)
        guests = not all(map(is_ours, found))
        for level, session in self.by_level.items():
            session.plan(one for one in found if level_of(one) == level)
            session.has_guests = guests

    def show(self, level: str, place: Place) -> None:
        """The body of an item; see `CampaignSession.show`."""
        self.by_level[level].show(place)

    def end(self, *, cancel: bool) -> None:
        """
        End every campaign; both are compared when both have results.

        Raises:
            KeyboardInterrupt: a signal came meanwhile. The first waits until the files are written, a second does not.
        """
        with interrupts_held(self._hurry):
            self._end(cancel=cancel)

    def end_at_last(self, session: pytest.Session) -> None:
        """End what still runs, at the end of a session: an interrupt is told as pytest tells those before."""
        try:
            self.end(cancel=True)
        except KeyboardInterrupt:
            interrupt = pytest.ExceptionInfo.from_current()
            session.config.hook.pytest_keyboard_interrupt(excinfo=interrupt)
            session.exitstatus = pytest.ExitCode.INTERRUPTED

    def _hurry(self) -> None:
        for one in self.sessions:
            one.hurry()

    def _end(self, *, cancel: bool) -> None:
        for one in self.sessions:
            one.end(cancel=cancel)
        if self.comparison is not None or len(self.sessions) == 1:
            return
        first, second = (one.finished for one in self.sessions)
        if first is not None and second is not None:
            from soclab.reports.writer import COMPARISON, keep_earlier, write_comparison  # not before the first request
            from soclab.scoring.comparison import compare_scorecards

            self.comparison = compare_scorecards(first.scorecard, second.scorecard)
            try:
                if self.primary.prepared.settings.overwrite:
                    keep_earlier(second.folder.parent / COMPARISON)
                write_comparison(second.folder.parent, self.comparison)
            except (SoclabError, OSError) as error:
                self.primary.fault = f"the comparison could not be written: {clean(str(error), _LIMIT)}"
            except KeyboardInterrupt:
                self.primary.fault = "interrupted again, before the comparison was written"
                raise
