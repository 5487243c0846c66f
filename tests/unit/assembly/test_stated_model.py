"""The approved model of a Python provider is the one that its author states, unless the user gives a label."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from soclab.assembly import FinishedCampaign
from soclab.contracts.provider import ModelRequest, ModelResponse
from soclab.contracts.vocabulary import Outcome
from soclab.errors import UsageError
from soclab.providers import registry
from soclab.providers.reference import ExampleAgent
from soclab.providers.registry import ProviderEntry
from tests.unit.engine.campaigns import finished

ONE = ("BEN-001",)


class Stating(ExampleAgent):
    """The reference agent under a model's name; `says` is what its answers name instead."""

    def __init__(self, model: str, says: str | None = None) -> None:
        super().__init__("mine", "server", model)
        self.says = says or model

    async def generate_structured(self, request: ModelRequest) -> ModelResponse:
        answer = await super().generate_structured(request)
        return answer.model_copy(update={"model": self.says})


def facts(campaign: FinishedCampaign) -> tuple[str, str, Outcome | None]:
    """Model and label of the scorecard, outcome of the only run."""
    card = campaign.scorecard
    return card.provider.model, card.provider.label, campaign.results[-1].outcome


@pytest.mark.parametrize(
    ("agent", "given", "found"),
    [
        (Stating("soc-7b"), None, ("soc-7b", "soclab_agent:soc-7b", Outcome.CORRECT)),
        (Stating("soc-7b"), "soc-7b", ("soc-7b", "soclab_agent:soc-7b", Outcome.CORRECT)),
        (Stating("soc-7b"), "agent", ("agent", "soclab_agent:agent", Outcome.WRONG)),
        (Stating("soc-7b", says="other"), None, ("soc-7b", "soclab_agent:soc-7b", Outcome.WRONG)),
    ],
    ids=["stated", "stated and given", "another one given", "another one answers"],
)
def test_what_is_approved(tmp_path: Path, agent: object, given: str | None, found: tuple[Any, ...]) -> None:
    """The stated label where none is given, else the given one; answers of any other model are stopped."""
    assert facts(finished(tmp_path, agent, patterns=ONE, model=given)) == found


def test_a_function_states_nothing(tmp_path: Path) -> None:
    """It has the label that every agent has that says no more."""
    brain = ExampleAgent("mine", "server", None)._answer
    assert facts(finished(tmp_path, brain, patterns=ONE)) == ("agent", "soclab_agent:agent", Outcome.CORRECT)


def test_an_agent_named_by_its_module_states_its_model(tmp_path: Path) -> None:
    """`--soclab-agent` is no different from the fixture."""
    (tmp_path / "stated_model_module.py").write_text(
        "from tests.unit.assembly.test_stated_model import Stating\nagent = Stating('soc-7b')\n", encoding="ascii"
    )
    spec = "stated_model_module:agent"
    done = finished(tmp_path, patterns=ONE, provider_id=None, agent_spec=spec)
    assert facts(done) == ("soc-7b", f"{spec}:soc-7b", Outcome.CORRECT)


def test_a_registered_provider_states_its_model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A third party's entry that is built without a label is known by its own."""
    mine = ProviderEntry(id="mine", summary="x", factory=lambda _, model: Stating(model or "soc-7b"))
    monkeypatch.setitem(registry.PROVIDERS, "mine", mine)
    done = finished(tmp_path, patterns=ONE, provider_id="mine")
    assert facts(done) == ("soc-7b", "mine:soc-7b", Outcome.CORRECT)


def test_a_campaign_goes_on_with_the_agent_that_states_the_same_model(tmp_path: Path) -> None:
    """Its runs keep their ids; another model is another agent."""
    first = finished(tmp_path, Stating("soc-7b"), patterns=ONE)
    again = finished(tmp_path, Stating("soc-7b"), patterns=ONE, resume=first.folder)
    assert again.scorecard.provider.model == "soc-7b"
    assert [one.run_id for one in again.results] == [one.run_id for one in first.results]
    with pytest.raises(UsageError, match="its agent is 'soclab_agent:soc-7b', not 'soclab_agent:soc-9b'"):
        finished(tmp_path, Stating("soc-9b"), patterns=ONE, resume=first.folder)
