"""The part of the controller: it says where, hands the campaign to one worker, hears the results and judges them."""

from __future__ import annotations

import contextlib
import json
import re
from collections.abc import Generator, Iterable, Sequence
from typing import Any, Final

import pytest

from soclab.assembly import SoclabError
from soclab.assembly.ending import reopened
from soclab.contracts.outcome import Trial
from soclab.contracts.vocabulary import STAGES, PolicyOrigin, Stage, StageStatus
from soclab.engine.folder import holds_campaign, point_last
from soclab.pytest_plugin import garbage
from soclab.pytest_plugin.arguments import NODE
from soclab.pytest_plugin.campaigns import Campaigns
from soclab.pytest_plugin.collection import Place
from soclab.pytest_plugin.distribution.place import KEY, UNTOLD, Shared, place_of_campaign
from soclab.pytest_plugin.hooks import Verdicts
from soclab.pytest_plugin.node_ids import Named, parse
from soclab.pytest_plugin.session import CampaignSession, cut_words
from soclab.pytest_plugin.shield import Shield
from soclab.redaction import clean

__all__ = ["ControllerHooks", "ControllerSession"]

_LIMIT: Final = 600
_GROUP: Final = re.compile(r"\][^\]]*\Z")
"""What `--dist loadgroup` writes behind an id."""


class ControllerSession(CampaignSession):
    """The campaign as the controller knows it: by the ids that workers collected, and by their reports."""

    def expect(self, named: Iterable[Named]) -> None:
        """Take what the workers collected as the selection."""
        found: dict[Trial, list[Stage]] = {}
        for one in named:
            self.has_items = True
            if one.scenario is not None and one.stage is not None:
                found.setdefault(Trial(one.scenario, one.trial or 1), []).append(Stage(one.stage))
        self.selection = {trial: tuple(sorted(found[trial], key=STAGES.index)) for trial in found}

    def hear(self, said: dict[str, str]) -> None:
        """What an item told, in the properties of its report."""
        trial, stage = Trial(said["soclab_scenario"], int(said["soclab_trial"])), Stage(said["soclab_stage"])
        was_reached = StageStatus(said["soclab_status"]) is not StageStatus.NOT_REACHED
        self.told.add(Place(trial, stage), was_reached=was_reached)

    def end(self, *, cancel: bool) -> None:  # noqa: ARG002  # the workers have ended what they ran
        """Make the files from the journal that a worker has left; once."""
        settings = self.prepared.settings
        place = place_of_campaign(settings)
        if self.finished is not None or self.fault or not self.has_items or not holds_campaign(place):
            return
        try:
            self.finished = reopened(place, self.prepared.signer)
            if settings.out is None and settings.resume is None:
                point_last(settings.root, place)
        except (SoclabError, OSError) as error:
            self.fault = f"the results could not be written: {clean(str(error), _LIMIT)}"
        except KeyboardInterrupt:
            self.fault = cut_words(place)
            raise


class ControllerHooks(Verdicts):
    """Registered in the process that distributes."""

    def __init__(self, campaigns: Campaigns, shield: Shield, shared: Shared) -> None:
        super().__init__(campaigns)
        self.shield = shield
        prepared = campaigns.primary.prepared
        of_server = prepared.policy_origin is PolicyOrigin.SERVER
        self.shared = shared._replace(policy_version=prepared.policy_version if of_server else None)

    @pytest.hookimpl(trylast=True)
    def pytest_sessionstart(self, session: pytest.Session) -> None:
        self.shield.guard_logging(session.config)
        garbage.wake(session.config)  # nothing is collected in this process

    def pytest_configure_node(self, node: Any) -> None:
        """Each worker is told before it starts."""
        node.workerinput[KEY] = self.shared.text()

    def pytest_testnodedown(self, node: Any) -> None:
        """A worker that crashed has told nothing."""
        self.untold_lines += json.loads(getattr(node, "workeroutput", {}).get(UNTOLD, "[]"))

    def pytest_xdist_make_scheduler(self, config: pytest.Config, log: Any) -> Any:
        """xdist's own when the campaign's items are not part of the session."""
        if not self.campaigns.collected:
            return None
        from soclab.pytest_plugin.distribution import scheduling  # xdist is there: it asks

        return scheduling.make(config, log)

    def pytest_xdist_node_collection_finished(self, ids: Sequence[str]) -> None:
        ours = parse(_GROUP.sub("]", one) for one in ids if one.startswith(f"{NODE}::"))
        for level, session in self.campaigns.by_level.items():
            if isinstance(session, ControllerSession):
                session.expect(one for one in ours if (one.level or "") == level)

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if not report.nodeid.startswith(f"{NODE}::") or (report.when == "setup" and report.passed):
            return
        said = {name: value for name, value in report.user_properties if isinstance(value, str)}
        if report.when != "teardown" and "soclab_scenario" in said:
            session = next(one for one in self.campaigns.sessions if one.prepared.settings.mode == said["soclab_mode"])
            if isinstance(session, ControllerSession):
                session.hear(said)

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_report_to_serializable(self) -> Generator[None, Any, Any]:
        data = yield
        return self.shield.scrub_data(data) if isinstance(data, dict) else data

    @pytest.hookimpl(wrapper=True, trylast=True)
    def pytest_runtestloop(self, session: pytest.Session) -> Generator[None, Any, Any]:
        try:
            result = yield
        except KeyboardInterrupt as error:
            if type(error).__module__.startswith("xdist"):  # -x or --maxfail: the workers have ended
                self._conclude(session, cancel=True)
            else:
                self._stop_workers(session.config)
            raise
        self._conclude(session, cancel=False)
        return result

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Late: xdist has ended the workers by now, so nobody writes a journal any more."""
        self.campaigns.end_at_last(session)
        self.settle(session)

    def _stop_workers(self, config: pytest.Config) -> None:
        """Items that wait for an answer end at once, in whichever worker."""
        mark = self.shared.stop_mark
        with contextlib.suppress(OSError):  # then xdist ends them, some seconds later
            mark.touch(mode=0o600, exist_ok=False)
            config.add_cleanup(lambda: mark.unlink(missing_ok=True))

    def _conclude(self, session: pytest.Session, *, cancel: bool) -> None:
        if self.campaigns.has_items:
            session.testscollected += 1  # the gate is one more result, and progress is counted from this
            self.conclude(session, cancel=cancel)
