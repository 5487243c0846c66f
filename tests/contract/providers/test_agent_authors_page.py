"""docs/agent-authors.md tells everything that the code reads, sends and answers."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from soclab.contracts.agent_v1 import AgentReply, AgentRequest, Proposal, RefusalCode, read_reply
from soclab.contracts.vocabulary import STAGES, ErrorCode
from soclab.providers import registry

PAGE = (Path(__file__).parents[3] / "docs" / "agent-authors.md").read_text(encoding="utf-8")


def first_column(heading: str) -> list[str]:
    """The code words in the first column of the table below a heading."""
    section = PAGE.split(f"\n## {heading}\n", 1)[1].split("\n## ", 1)[0]
    return re.findall(r"^\| `([^`]+)` \|", section, re.MULTILINE)


def test_every_variable_is_explained() -> None:
    """
    The configuration table lists the variables of the http provider, in its order.
    """
    assert first_column("Configuration") == [each.name for each in registry.PROVIDERS["http"].environment]


def test_every_request_field_is_explained() -> None:
    """
    The request table lists the fields of the model, in order.
    """
    assert first_column("The request") == list(AgentRequest.model_fields)


def test_every_reply_field_is_explained() -> None:
    """
    The reply table lists every field of the reply and of its proposal.
    """
    members = {f"proposal.{name}" for name in Proposal.model_fields}

    assert set(first_column("The reply")) == (set(AgentReply.model_fields) - {"proposal"}) | members


def test_every_reason_code_is_explained() -> None:
    """
    The tables have every code there is, each once.
    """
    assert sorted(first_column("What becomes of a bad answer")) == sorted(code.value for code in ErrorCode)


@pytest.mark.parametrize("word", [*STAGES, *RefusalCode.__args__])
def test_stages_and_refusal_codes_stand_on_the_page(word: str) -> None:
    """
    Each stage and each refusal code is named.
    """
    assert f"`{word}`" in PAGE


def test_the_example_reply_is_accepted() -> None:
    """
    The JSON shown as a reply is a valid one.
    """
    (example,) = re.findall(r"```json\n(.*?)```", PAGE.split("\n## The reply\n")[1], re.DOTALL)

    assert read_reply(json.dumps(json.loads(example)).encode()).proposal is not None
