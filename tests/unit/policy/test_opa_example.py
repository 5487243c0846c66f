"""`examples/opa/`: what its page shows is what a reader gets."""

from __future__ import annotations

import http.client
import json
import re
from urllib.parse import urlsplit

from soclab.contracts.policy import PolicyFacts
from soclab.simulator.catalog import tool_named
from tests.opa_server import POLICY, opa_server, speaking

PAGE = POLICY.with_name("README.md").read_text(encoding="utf-8")
FACTS = POLICY.with_name("facts.json").read_bytes()


def test_the_sample_holds_facts_of_a_call():
    """The document that the lab would send, of a tool that there is."""
    facts = PolicyFacts.model_validate_json(json.dumps(json.loads(FACTS)["input"]))
    tool = tool_named(facts.tool.name)
    assert tool is not None
    assert not tool.reads
    assert facts.document() == json.loads(FACTS)["input"]


def test_the_command_of_the_page_gives_the_answer_of_the_page():
    """Its path, its sample, its answer."""
    path = re.search(r"http://127\.0\.0\.1:8181(/\S+)", PAGE)[1]
    (answer,) = re.findall(r"```json\n(.*?)\n```", PAGE, re.DOTALL)
    with opa_server(speaking()) as server:
        connection = http.client.HTTPConnection(urlsplit(server.url).netloc)
        connection.request("POST", path, FACTS, {"Content-Type": "application/json"})
        found = connection.getresponse().read()
        connection.close()
    assert json.loads(found) == json.loads(answer)
