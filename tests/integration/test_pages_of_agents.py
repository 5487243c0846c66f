"""What is printed for authors of agents and scenarios is true: sample request, answer in the README, guide."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from soclab.assembly import CampaignSettings, prepare
from soclab.contracts.agent_v1 import read_reply
from soclab.contracts.provider import ModelRequest, ModelResponse
from soclab.contracts.vocabulary import Mode, Outcome, Stage
from soclab.providers import registry
from soclab.providers.agent_request import request_body
from soclab.providers.base import StructuredProvider
from soclab.providers.reference import ExampleAgent, brain_of
from tests.contract.published_file import ROOT, PublishedFile

EXAMPLE = ROOT / "examples" / "http_agent"
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


def test_the_sample_is_a_request_of_a_real_run(tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    """sample_request.json is what BEN-001 asks at its last stage; `pytest --snapshot-update` writes it again."""
    listener = Listener()
    running = prepare(settings_in(tmp_path, fixture_agent="here", patterns=("BEN-001",))).start(listener)
    running.wait_all()
    running.finish()
    body = json.loads(request_body(listener.asked[Stage.PROPOSE_ACTION]))
    written = json.dumps(body, indent=2) + "\n"
    assert written == snapshot(name="examples/http_agent/sample_request.json", extension_class=PublishedFile)


@pytest.mark.parametrize("scenario", ["BEN-001", "BEN-002", "BEN-003"])
def test_the_longest_request_of_a_clean_run_stays_short(tmp_path: Path, scenario: str) -> None:
    """The last stage carries everything: under 20 KiB, of which a hostile text would take more."""
    listener = Listener()
    running = prepare(settings_in(tmp_path, fixture_agent="here", patterns=(scenario,))).start(listener)
    running.wait_all()
    running.finish()
    sizes = {stage: len(request_body(asked)) for stage, asked in listener.asked.items()}
    assert max(sizes, key=lambda stage: sizes[stage]) is Stage.PROPOSE_ACTION
    assert sizes[Stage.PROPOSE_ACTION] < 20 * 1024


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
    assert [(one.id, one.outcome) for one in running.finish().results] == [("ATK-901", outcome)]
