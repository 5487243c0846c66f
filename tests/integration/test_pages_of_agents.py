"""What is printed for authors of agents and scenarios is true: sample request, answer in the README, guide."""

from __future__ import annotations

import json
import re
import tempfile
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from syrupy.assertion import SnapshotAssertion

from soclab.assembly import CampaignSettings, prepare
from soclab.contracts.agent_v1 import read_reply
from soclab.contracts.provider import ModelRequest, ModelResponse
from soclab.contracts.vocabulary import COLLECTION_STAGES, Mode, Outcome, Stage
from soclab.providers import registry
from soclab.providers.agent_request import request_body
from soclab.providers.base import StructuredProvider
from soclab.providers.reference import ExampleAgent, brain_of
from tests.contract.published_file import ROOT, PublishedFile

EXAMPLE = ROOT / "examples" / "http_agent"
AUTHORS = ROOT / "docs" / "agent-authors.md"
GUIDE = ROOT / "docs" / "writing-scenarios.md"


class Listener(StructuredProvider):
    """Lets the reference agent answer and keeps what it was asked."""

    provider_id = "reference"
    model = "agent"

    def __init__(self) -> None:
        self.asked: dict[Stage | None, ModelRequest] = {}
        self._honest = ExampleAgent("reference", "server", None)

    async def generate_structured(self, request: ModelRequest) -> ModelResponse:
        self.asked[request.stage] = request
        return await self._honest.generate_structured(request)


def settings_in(folder: Path, **more: object) -> CampaignSettings:
    chosen = {"mode": Mode.BASELINE, "seed": "sample", "out": folder / "results", **more}
    return CampaignSettings(environment={}, root=folder, **chosen)  # type: ignore[arg-type]


@cache
def asked_in(scenario: str) -> Mapping[Stage | None, ModelRequest]:
    """What a clean run in baseline asks at each stage."""
    listener = Listener()
    with tempfile.TemporaryDirectory() as folder:
        running = prepare(settings_in(Path(folder), fixture_agent="here", patterns=(scenario,))).start(listener)
        running.wait_all()
        running.finish()
    return listener.asked


def body_of(stage: Stage, scenario: str = "BEN-001") -> dict[str, Any]:
    body: dict[str, Any] = json.loads(request_body(asked_in(scenario)[stage]))
    return body


def test_the_sample_is_a_request_of_a_real_run(snapshot: SnapshotAssertion) -> None:
    """sample_request.json is what BEN-001 asks at its last stage; `pytest --snapshot-update` writes it again."""
    written = json.dumps(body_of(Stage.PROPOSE_ACTION), indent=2) + "\n"
    assert written == snapshot(name="examples/http_agent/sample_request.json", extension_class=PublishedFile)


def test_the_page_for_authors_shows_requests_of_a_real_run(snapshot: SnapshotAssertion) -> None:
    """Both blocks of docs/agent-authors.md come from the engine; `pytest --snapshot-update` writes them again."""
    shown = {
        "a collection request": ("json", laid_out(body_of(Stage.COLLECT_AUTHENTICATION))),
        "the last instruction": ("text", body_of(Stage.PROPOSE_ACTION)["instruction"]),
    }
    page = AUTHORS.read_text(encoding="utf-8")
    for name, (language, text) in shown.items():
        mark = f"<!-- written by tests/integration/{Path(__file__).name}: {name} -->\n"
        before, _, rest = page.partition(mark)
        assert rest, f"the page has no place for {name}"
        after = rest.split("<!-- end -->", 1)[1]
        page = f"{before}{mark}```{language}\n{text}\n```\n<!-- end -->{after}"
    assert page == snapshot(name="docs/agent-authors.md", extension_class=PublishedFile)


def laid_out(value: Any, indent: str = "") -> str:
    """JSON in which what fits on a line stands on one."""
    short = json.dumps(value)
    if not isinstance(value, dict | list) or len(indent) + len(short) <= 110:
        return short
    inner = f"{indent}  "
    if isinstance(value, list):
        items = [laid_out(item, inner) for item in value]
    else:
        items = [f"{json.dumps(key)}: {laid_out(item, inner)}" for key, item in value.items()]
    opening, closing = "[]" if isinstance(value, list) else "{}"
    return f"{opening}\n{inner}" + f",\n{inner}".join(items) + f"\n{indent}{closing}"


@pytest.mark.parametrize("scenario", ["BEN-001", "BEN-002", "BEN-003"])
def test_the_longest_request_of_a_clean_run_stays_short(scenario: str) -> None:
    """The last stage carries everything: under 20 KiB, of which a hostile text would take more."""
    sizes = {stage: len(request_body(asked)) for stage, asked in asked_in(scenario).items()}
    assert max(sizes, key=lambda stage: sizes[stage]) is Stage.PROPOSE_ACTION
    assert sizes[Stage.PROPOSE_ACTION] < 20 * 1024


@pytest.mark.parametrize("stage", list(Stage))
def test_actions_are_told_in_the_instruction_and_look_ups_as_tools(stage: Stage) -> None:
    """As the page says: five tools while collecting, none later; the actions in the last instruction alone."""
    body = body_of(stage)
    assert len(body["tools"]) == (5 if stage in COLLECTION_STAGES else 0)
    assert ("- isolate_endpoint(endpoint_id): " in body["instruction"]) == (stage is Stage.PROPOSE_ACTION)
    assert "replace what stands in <...>" in body["instruction"]


def test_the_readme_shows_the_answer_to_the_sample() -> None:
    """The JSON printed under the curl command is the agent's reply to the file, and a valid one."""
    shown = re.search(r"```json\n(.*?)```", (EXAMPLE / "README.md").read_text(encoding="utf-8"), re.DOTALL)
    assert shown is not None
    request = json.loads((EXAMPLE / "sample_request.json").read_text(encoding="utf-8"))
    assert json.loads(shown[1]) == brain_of("server")(request)
    assert read_reply(shown[1].encode()).proposal is not None


@pytest.mark.parametrize(
    ("agent", "outcome"), [("reference", Outcome.RESISTED), ("gullible", Outcome.COMPROMISED)], ids=str
)
def test_the_guides_scenario_does_what_the_guide_says(tmp_path: Path, agent: str, outcome: Outcome) -> None:
    """The file printed in docs/writing-scenarios.md loads as it stands, and both agents meet it as described."""
    printed = re.search(r"```yaml\n(.*?)```", GUIDE.read_text(encoding="utf-8"), re.DOTALL)
    assert printed is not None
    folder = tmp_path / "my-scenarios"
    folder.mkdir()
    (folder / "ATK-901.yaml").write_text(printed[1], encoding="utf-8")
    assert registry.entry(agent).isolation == "in_process"
    running = prepare(settings_in(tmp_path, provider_id=agent, scenarios_folder=folder)).start(None)
    running.wait_all()
    found = [one for one in running.finish().results if one.twin_of is None]
    assert [(one.id, one.outcome) for one in found] == [("ATK-901", outcome)]
