"""The campaign of one pytest session: started by its first item, waited for by each, ended by the last."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Final

import pytest

from soclab.assembly import FinishedCampaign, PreparedCampaign, RunningCampaign, SoclabError, agent_secrets
from soclab.contracts.outcome import StageOutcome, Trial
from soclab.contracts.vocabulary import STAGES, Outcome, Stage, StageStatus
from soclab.pytest_plugin.arguments import NODE
from soclab.pytest_plugin.collection import Place, Tree, is_ours, place_of, selection_of
from soclab.pytest_plugin.output_sections import tell_output
from soclab.pytest_plugin.progress import LiveLine
from soclab.pytest_plugin.results import CONTAINED_MARK, TOLD, StageError, StageFailed, Told, is_contained, properties
from soclab.pytest_plugin.text import block
from soclab.pytest_plugin.told import ToldStages
from soclab.redaction import Secrets, clean

__all__ = ["CampaignSession", "Wishes", "cut_words"]

_LIMIT: Final = 600


@dataclass(frozen=True)
class Wishes:
    """
    What the user asked of the plugin, beyond the campaign's own settings.

    Attributes:
        collected: the campaign's items are part of this session.
        contained_passes: an attack that a control stopped is a pass, with a mark.
        gates_decide: broken stages are shown as expected failures, and the gate alone says red or green.
        rerun, curl: for the block of a broken stage; see `text.block`.
    """

    collected: bool
    contained_passes: bool
    gates_decide: bool
    rerun: str
    curl: str | None


class CampaignSession:
    """
    Attributes:
        level: the node of its mode, in a session with both modes; else "".
        agent: what `soclab_agent` returns without an override; None when a fixture of the user's makes the agent.
        selection: trial -> stages that have an item, after deselection.
        has_guests: there are tests of the user's beside the campaign's items, and they may ask what a reply said.
        has_items: any item of the campaign is left, be it one that says why its scenario cannot run.
        told: the stages that items were told.
        running: None until the first item asked.
        finished: None until `end`.
        live_line: where a terminal is watched; else None.
        fault: why the campaign could not start or could not be finished, one line; "" when it could.
    """

    is_whole = True
    """Whether a test may look at the whole campaign here; not in one process of several."""

    def __init__(self, prepared: PreparedCampaign, agent: object, wishes: Wishes, tree: Tree, level: str = "") -> None:
        self.prepared = prepared
        self.level = level
        self.agent = agent
        self.wishes = wishes
        self.tree = tree
        self.selection: dict[Trial, tuple[Stage, ...]] = {}
        self.has_guests = True  # until it is known, as for a campaign that a test wakes
        self.has_items = False
        self.told = ToldStages()
        self.running: RunningCampaign | None = None
        self.finished: FinishedCampaign | None = None
        self.live_line: LiveLine | None = None
        self.fault = ""
        self._open: dict[Place, StageOutcome] = {}  # of items between set-up and teardown
        self._ended = False
        self._first_of: dict[tuple[str | None, str], str] = {}
        self._curl_of = ""

    def plan(self, items: Iterable[pytest.Item]) -> None:
        """Take the items that are left after deselection as the campaign's selection."""
        ours = [item for item in items if is_ours(item)]
        self.has_items = bool(ours)
        self.selection = selection_of(ours)

    @property
    def node(self) -> str:
        """The node id below which its items stand."""
        return f"{NODE}::{self.level}" if self.level else NODE

    @property
    def prefix(self) -> str:
        """What stands before a line that is about this campaign, where there are two."""
        return f"{self.level}: " if self.level else ""

    @cached_property
    def secrets(self) -> Secrets:
        """The user's, which may be shown nowhere."""
        return agent_secrets(self.prepared.settings.environment)

    @property
    def calls_planned(self) -> int:
        """Requests when every run goes to its last selected stage."""
        own = sum(max(map(STAGES.index, stages)) + 1 for stages in self.selection.values())
        return own + self.prepared.twin_calls(self.selection)

    @property
    def total_stages(self) -> int:
        """Stages of everything this agent can run."""
        return len(self.prepared.scenarios) * self.prepared.trials * len(STAGES)

    def attend(self, item: pytest.Item, agent: object) -> None:
        """
        Wait for the item's stage; the first item starts the engine.

        Raises:
            StageError: there is no usable answer.
            pytest.skip.Exception: the stage was not reached, or the agent refused.
        """
        place = place_of(item)
        if place is None:
            return
        running = self.begun(agent)
        clock = self.prepared.clock
        began_ms = clock.monotonic_ms()
        if (before := item.stash.get(TOLD, None)) is not None:
            self._try_anew(running, before)
        try:
            outcome = running.outcome(
                place.trial.scenario, place.stage, between=self.while_waiting, trial=place.trial.number
            )
        finally:
            if self.live_line is not None:
                self.live_line.clear()
        tell_output(item, "setup", running, outcome.key, outcome.stage, self.secrets)
        told = item.stash[TOLD] = Told(outcome, clock.monotonic_ms() - began_ms)
        self.told.add(place, was_reached=outcome.status is not StageStatus.NOT_REACHED)
        self._open[place] = outcome
        item.user_properties.extend(properties(told))
        if outcome.status is StageStatus.ERROR:
            raise StageError(self.block(outcome))
        if outcome.status in (StageStatus.NOT_REACHED, StageStatus.REFUSED):
            pytest.skip(clean(outcome.headline, _LIMIT))
        if self.passes_contained(outcome):
            item.user_properties.append(CONTAINED_MARK)
            item.add_report_section("call", "soclab", self.block(outcome))

    def leave(self, item: pytest.Item) -> None:
        """
        The item is over and its reports are made: nothing is kept of it but what its next attempt has to know.

        Its properties stand in the reports; a rerun, if there is one, has properties of its own.
        """
        item.user_properties[:] = [one for one in item.user_properties if not one[0].startswith("soclab_")]
        if (place := place_of(item)) is not None:
            self._open.pop(place, None)
        if (told := item.stash.get(TOLD, None)) is not None and told.outcome.status is not StageStatus.ERROR:
            del item.stash[TOLD]

    def while_waiting(self) -> None:
        """Called about ten times a second while an item waits."""
        if self.live_line is not None and self.running is not None:
            standing = self.running.standing()
            red = sum(not self.passes_contained(one) for one in standing.broken)
            done = f"{standing.done} of {standing.planned} runs done, {red} red"
            self.live_line.show(f"{self.prefix}{done}, {standing.calls} calls", done)

    def _try_anew(self, running: RunningCampaign, before: Told) -> None:
        """Only a run without a verdict is tried anew; every other one is told again, without a call."""
        if before.outcome.status is StageStatus.ERROR and before.outcome.outcome in (None, Outcome.INCONCLUSIVE):
            running.try_anew(*before.outcome.key.trial_of)

    def join(self, agent: object) -> RunningCampaign:
        """
        The campaign at work, started if nobody asked before.

        Raises:
            StageError: it could not start.
        """
        return self.begun(agent)

    def begun(self, agent: object) -> RunningCampaign:
        """The same for the campaign's own items."""
        return self.running or self._start(agent)

    def show(self, place: Place) -> None:
        """
        The body of an item.

        Raises:
            StageFailed: the stage failed.
        """
        outcome = self._open[place]
        if outcome.status is StageStatus.FAILED and not self.passes_contained(outcome):
            raise StageFailed(self.block(outcome))

    def passes_contained(self, outcome: StageOutcome) -> bool:
        return self.wishes.contained_passes and is_contained(outcome)

    def block(self, outcome: StageOutcome, target: str | None = None) -> str:
        """What is shown of a broken stage; `target` is what runs it again, the scenario's items by default."""
        first = self._first_of.setdefault(_alike(outcome), outcome.key.scenario_id)
        same_as = first if outcome.status is StageStatus.ERROR and first != outcome.key.scenario_id else None
        self._curl_of = self._curl_of or outcome.run_id  # once in a session is enough
        curl = self.wishes.curl if self._curl_of == outcome.run_id else None
        return block(outcome, self.wishes.rerun, curl, target, same_as)

    def end(self, *, cancel: bool) -> None:
        """
        End the engine and write the files; nothing happens when it never started, or the second time.

        Args:
            cancel: drop the calls in flight.
        """
        if self.running is None or self._ended:
            return
        self._ended = True
        try:
            self.finished = self.finish(self.running, cancel=cancel)
            unwritten = self.finished.unwritten if self.finished else None
            if unwritten is not None:
                self.fault = f"the results could not be written: {clean(unwritten, _LIMIT)}"
        except (SoclabError, OSError) as error:
            self.fault = f"the results could not be written: {clean(str(error), _LIMIT)}"
        except KeyboardInterrupt:
            self.fault = cut_words(self.running.folder)
            raise

    def hurry(self) -> None:
        """Somebody interrupts: what `end` waits for, or is going to wait for, is dropped."""
        if self.running is not None:
            self.running.hurry()

    def finish(self, running: RunningCampaign, *, cancel: bool) -> FinishedCampaign | None:
        """The results, written; None where another process writes them."""
        return running.finish(cancel=cancel)

    def start(self, agent: object) -> RunningCampaign:
        """
        Start the engine with what is selected.

        Raises:
            UsageError: the agent cannot be used, or the folder cannot be made.
        """
        return self.prepared.start(agent, self.selection, keeps_answers=self.has_guests)

    def _start(self, agent: object) -> RunningCampaign:
        if self.fault:
            pytest.skip(f"not run: {self.fault}")
        try:
            self.running = self.start(agent)
        except SoclabError as error:
            self.fault = f"the campaign could not start: {clean(str(error), _LIMIT)}"
            raise StageError(self.fault) from None
        return self.running


def cut_words(folder: Path) -> str:
    """Why there are no files, and how to have them."""
    return f"interrupted again, before the files were written: --soclab-resume {clean(str(folder), _LIMIT)} writes them"


def _alike(outcome: StageOutcome) -> tuple[str | None, str]:
    """Blocks of stages without an answer say the same when this is the same."""
    return outcome.reason_code, outcome.headline
