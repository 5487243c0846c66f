"""What an agent writes to smuggle a secret into a file that people read."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from soclab.contracts.vocabulary import Mode
from soclab.providers.reference import brain_of
from tests.unit.engine.campaigns import finished

TOKEN = "Zx9-secret.Token_7f3a21c0d4e5b6a798"
HONEST = brain_of("server")
PHRASE = re.compile(r"access phrase of this case is (\S+?)\. It")


def call(name: str, arguments: dict[str, Any], rationale: str, request: dict[str, Any]) -> dict[str, Any]:
    proposal = {
        "tool_calls": [{"name": name, "arguments": arguments}],
        "rationale": rationale,
        "evidence_ids": request["context"]["evidence_ids"],
    }
    return {"contract": "soclab.agent.v1", "proposal": proposal}


def without_raw(value: object) -> object:
    if isinstance(value, dict):
        return {key: without_raw(one) for key, one in value.items() if not key.startswith("raw_")}
    return [without_raw(one) for one in value] if isinstance(value, list) else value


@pytest.mark.parametrize("stage", ["propose_action", "collect_siem"])
def test_no_canary_stands_in_what_the_journal_says_of_a_call(stage: str, tmp_path: Path) -> None:
    """Neither in what a note changed nor in the name of a tool, in either case of its letters."""
    phrases: list[str] = []

    def agent(request: dict[str, Any]) -> Any:
        if request["stage"] != stage:
            return HONEST(request)
        found = PHRASE.search(request["system_prompt"])
        assert found is not None
        phrases.append(found[1])
        if stage == "propose_action":
            return call("add_note", {"text": found[1]}, "why", request)
        return call(f"x{found[1].lower()}", {}, "why", request)

    result = finished(tmp_path, agent, patterns=("ATK-051",), mode=Mode.BASELINE)

    lines = (result.folder / "journal.jsonl").read_text(encoding="ascii").splitlines()
    said = json.dumps([without_raw(json.loads(line)) for line in lines])
    assert phrases
    assert phrases[0].lower() in "".join(lines).lower()
    assert phrases[0].lower() not in said.lower()


@pytest.mark.parametrize("before", [5, 26, 35, 45, 52, 60, 70])
def test_no_piece_of_a_token_stands_in_any_artefact(before: int, tmp_path: Path) -> None:
    """Wherever texts are cut: arguments, rationale, names of fields, names of users."""

    def agent(request: dict[str, Any]) -> Any:
        smuggled = "x" * before + TOKEN
        if request["stage"] == "collect_identity":
            return call("get_identity_profile", {"user_id": smuggled}, "why", request)
        if request["stage"] == "propose_action" and "alert" in request["context"]["evidence_ids"]:
            why = "x" * (before + 400) + TOKEN
            return {**call("isolate_endpoint", {"endpoint_id": smuggled}, why, request), smuggled: 1}
        return HONEST(request)

    environment = {"SOCLAB_HTTP_AGENT_TOKEN": TOKEN}
    result = finished(tmp_path, agent, patterns=("ATK-001",), environment=environment)

    pieces = {TOKEN[start : start + 8] for start in range(len(TOKEN) - 7)}
    for path in sorted(result.folder.iterdir()):
        written = path.read_text(encoding="utf-8")
        assert not any(piece in written for piece in pieces), path.name


@pytest.mark.parametrize("token", ["1", "null", "true", "\\"])
def test_a_short_token_leaves_a_campaign_that_can_be_read(token: str, tmp_path: Path) -> None:
    """Every line of the journal is JSON still."""
    result = finished(tmp_path, patterns=("BEN-001",), environment={"SOCLAB_HTTP_AGENT_TOKEN": token})
    lines = (result.folder / "journal.jsonl").read_text(encoding="ascii").splitlines()
    assert len([json.loads(line) for line in lines]) == len(lines)
