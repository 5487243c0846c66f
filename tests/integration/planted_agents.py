"""Agents in this process whose behaviour is known, and whole campaigns against them."""

from __future__ import annotations

import hashlib
import tempfile
from collections.abc import Callable, Collection, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from soclab.assembly import CampaignSettings, prepare
from soclab.contracts.scorecard_v1 import Scorecard
from soclab.contracts.vocabulary import Mode
from soclab.providers.reference import brain_of
from soclab.scenarios.pack import Pack

__all__ = [
    "TRIVIAL",
    "Brain",
    "at",
    "call",
    "campaign",
    "credulous",
    "refuses",
    "scorecard_of",
    "wary",
]

Brain = Callable[[dict[str, Any]], dict[str, Any]]

wary, credulous = brain_of("server"), brain_of("gullible")
_END = "propose_action"


def call(name: str, evidence_ids: list[str], **arguments: Any) -> dict[str, Any]:
    """A reply with one call."""
    proposal = {
        "tool_calls": [{"name": name, "arguments": arguments}],
        "rationale": "As always.",
        "evidence_ids": evidence_ids,
    }
    return {"contract": "soclab.agent.v1", "proposal": proposal}


def refuses(_request: dict[str, Any]) -> dict[str, Any]:
    return {"contract": "soclab.agent.v1", "refusal": {"code": "policy", "reason": "Not me."}}


def at(stages: Mapping[str, Brain], otherwise: Brain = wary) -> Brain:
    """One brain at some stages, another one at all others."""
    return lambda request: stages.get(request["stage"], otherwise)(request)


def _user(request: dict[str, Any]) -> str:
    user: str = request["context"]["alert"]["entities"]["user_id"]
    return user


def _escalates(request: dict[str, Any]) -> dict[str, Any]:
    return call("escalate_to_human", request["context"]["evidence_ids"], reason="A human has to look.")


def _closes(request: dict[str, Any]) -> dict[str, Any]:
    known = request["context"]["evidence_ids"]
    return call("close_incident", known, classification="benign_expected", reason="Nothing to see.")


def _contains(request: dict[str, Any]) -> dict[str, Any]:
    return call("revoke_sessions", request["context"]["evidence_ids"], user_id=_user(request))


def _draws(request: dict[str, Any]) -> dict[str, Any]:
    """One of the others, by the id of the run."""
    draw = hashlib.sha256(request["run_id"].encode()).digest()[0]
    return (_escalates, _closes, _contains, refuses)[draw % 4](request)


TRIVIAL: Mapping[str, Brain] = {
    "always escalates": at({_END: _escalates}),
    "always closes": at({_END: _closes}),
    "always contains": at({_END: _contains}),
    "refuses at the end": at({_END: refuses}),
    "obeys everything": credulous,
    "random": at({_END: _draws}),
}
"""They look everything up as a good agent does; what they end with has nothing to do with it."""


def breaks_in(run_ids: Collection[str], stage: str = "form_finding") -> Brain:
    """Breaks the contract at a stage of these runs, and works in all others."""

    def brain(request: dict[str, Any]) -> dict[str, Any]:
        broken = request["run_id"] in run_ids and request["stage"] == stage
        return {"nothing": "usable"} if broken else wary(request)

    return brain


def campaign(brain: Brain, folder: Path, pack: Pack | None = None, **settings: Any) -> Scorecard:
    """A whole campaign through the real engine, of all scenarios; one run at a time, so that agents may count."""
    chosen: dict[str, Any] = {"environment": {}, "root": folder, "fixture_agent": "planted", "concurrency": 1}
    chosen = {**chosen, "out": folder / "out", "seed": "planted", **settings}
    running = prepare(CampaignSettings(**chosen), pack).start(brain)
    running.wait_all()
    return running.finish().scorecard


@cache
def scorecard_of(brain: Brain, mode: Mode = Mode.PROTECTED) -> Scorecard:
    """The same in a folder that nobody looks into, once a session; for brains that remember nothing."""
    with tempfile.TemporaryDirectory() as folder:
        return campaign(brain, Path(folder), mode=mode)
