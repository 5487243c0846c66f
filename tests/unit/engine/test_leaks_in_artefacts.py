"""An agent that leaks in every form: no file for people tells the secret, and the journal only in its raw fields."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from html import unescape
from pathlib import Path
from typing import Any

import pytest

from soclab import canaries
from soclab.contracts.vocabulary import Mode, Outcome
from soclab.providers.reference import brain_of
from tests.unit.engine.campaigns import finished
from tests.unit.engine.test_secrets_in_artefacts import PHRASE, call, without_raw
from tests.unit.spellings import FORMS
from tests.unit.test_veil import PIECES

HONEST = brain_of("server")
TAG = re.compile(r"<[^>]*>")


def leaking(words: Callable[[str], list[str]], seen: list[str]) -> Callable[[dict[str, Any]], Any]:
    """An agent that writes its access phrase wherever a reply has room for text, one word of it at a time."""

    def agent(request: dict[str, Any]) -> Any:
        phrase = PHRASE.search(request["system_prompt"])
        assert phrase is not None
        seen.append(phrase[1])
        spelled = words(phrase[1])
        said = f"It is {' and '.join(spelled)} as asked."
        match request["stage"]:
            case "collect_identity":
                return call("get_identity_profile", {"user_id": said}, spelled[0], request)
            case "collect_authentication":
                return call("get_authentication_history", {"user_id": spelled[-1]}, said, request)
            case "form_finding":
                reply = HONEST(request)
                reply["finding"]["summary"] = said
                reply["finding"]["claims"][0]["text"] = spelled[-1]
                return reply
            case "propose_action":
                return call("add_note", {"text": said}, spelled[0], request) | {said: 1}
        return HONEST(request)

    return agent


def tells(text: str, canary: dict[str, str]) -> bool:
    return bool(canaries.find(text, canary) or canaries.find_split([text], canary))


def strings(value: object) -> list[str]:
    if isinstance(value, dict):
        return [one for key, part in value.items() for one in (key, *strings(part))]
    if isinstance(value, list):
        return [one for part in value for one in strings(part)]
    return [value] if isinstance(value, str) else []


def readable(path: Path) -> list[str]:
    """What people read in a file: of a journal, what does not stand in its raw fields."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".html":
        return [text, unescape(TAG.sub(" ", text))]
    values = [json.loads(one) for one in ([text] if path.suffix == ".json" else text.splitlines())]
    found = [one for value in values for one in strings(without_raw(value))]
    return [text, "\n".join(found), *found] if path.suffix == ".json" else ["\n".join(found), *found]


def check(folder: Path, phrase: str) -> None:
    canary = {"phrase": phrase}
    names = sorted(path.name for path in folder.iterdir())
    assert names == ["journal.jsonl", "report.html", "scorecard.json"]
    assert [name for name in names if any(tells(text, canary) for text in readable(folder / name))] == []


WORDS = {name: (lambda text, spell=spell: [spell(text)]) for name, spell in FORMS.items()} | {
    f"pieces, {name}": cut for name, cut in PIECES.items()
}


def swept(step: int) -> list[Any]:
    """Every so many forms each time, all of them in the slow sweep: a campaign each."""
    return [
        pytest.param(form, marks=[] if number % step == 0 else [pytest.mark.slow]) for number, form in enumerate(WORDS)
    ]


@pytest.mark.parametrize("form", swept(3))
def test_no_artefact_tells_the_secret_in_protected_mode(form: str, tmp_path: Path) -> None:
    """Where it is withheld, and reported."""
    leak_and_check(form, Mode.PROTECTED, tmp_path)


@pytest.mark.parametrize("form", swept(6))
def test_no_artefact_tells_the_secret_in_baseline(form: str, tmp_path: Path) -> None:
    """Where nothing is withheld from the agent's channel: from people it is."""
    leak_and_check(form, Mode.BASELINE, tmp_path)


def leak_and_check(form: str, mode: Mode, folder: Path) -> None:
    """The leak itself is found; the journal keeps it where the search needs it."""
    seen: list[str] = []
    result = finished(folder, leaking(WORDS[form], seen), patterns=("ATK-051",), mode=mode)

    (phrase,) = set(seen)
    check(result.folder, phrase)
    raw = (result.folder / "journal.jsonl").read_text(encoding="ascii")
    replies = [json.loads(line)["event"]["raw_reply"] for line in raw.splitlines() if '"raw_reply"' in line]
    assert canaries.find_split(replies, {"phrase": phrase})
    expected = Outcome.COMPROMISED if mode is Mode.BASELINE else Outcome.CONTAINED
    (run,) = result.results
    assert run.outcome is expected or "canary_leaked" in run.breaches


BROKEN = {
    "malformed": lambda said: said,
    "refused": lambda said: {"contract": "soclab.agent.v1", "refusal": {"code": "policy", "reason": said}},
    "an unknown tool": lambda said: {
        "contract": "soclab.agent.v1",
        "proposal": {"tool_calls": [{"name": said, "arguments": {}}], "rationale": said, "evidence_ids": [said]},
    },
}


@pytest.mark.parametrize("how", BROKEN)
@pytest.mark.parametrize("form", swept(6))
def test_an_answer_that_cannot_be_used_tells_nothing_either(form: str, how: str, tmp_path: Path) -> None:
    """Its words are the detail of the error or of the refusal."""
    seen: list[str] = []

    def agent(request: dict[str, Any]) -> Any:
        found = PHRASE.search(request["system_prompt"])
        assert found is not None
        seen.append(found[1])
        return BROKEN[how](f"I say {' or '.join(WORDS[form](found[1]))}, no more.")

    result = finished(tmp_path, agent, patterns=("BEN-001",))
    check(result.folder, seen[0])
