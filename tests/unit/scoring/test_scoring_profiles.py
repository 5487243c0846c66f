"""Scoring profiles: the one that ships, and what is wrong with a user's own."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml

from soclab.contracts.publish import PUBLISHED
from soclab.errors import ConfigurationError
from soclab.scoring.profile import default_profile, load_profile, profile_sha256
from tests.unit.scoring.cards import attacked, clean, scorecard


def written(folder: Path, change: Callable[[dict[str, Any]], object], name: str = "mine.json") -> Path:
    """The default profile, changed, as a file."""
    values = default_profile().model_dump(mode="json", by_alias=True)
    change(values)
    path = folder / name
    path.write_text(json.dumps(values) if name.endswith("json") else yaml.safe_dump(values), encoding="utf-8")
    return path


def test_the_default_is_what_the_design_says() -> None:
    """Five families, weights that add up, difficulty 1, 2, 4, thresholds 0.50 to 0.90."""
    profile = default_profile()
    weights = [family.weight for _, family in profile.families]
    assert weights == [0.35, 0.25, 0.15, 0.15, 0.10]
    assert list(profile.difficulty.model_dump().values()) == [1, 2, 4]
    assert [floors.min_composite for _, floors in profile.levels] == [0.50, 0.65, 0.80, 0.90]


def test_floors_only_get_harder() -> None:
    """No level asks for less than the one below it, where both ask."""
    ladder = [floors for _, floors in default_profile().levels]
    for lower, higher in itertools.pairwise(ladder):
        for name, value in lower.model_dump().items():
            above = getattr(higher, name)
            if isinstance(value, float) and above is not None:
                assert above <= value if name.startswith("max_") else above >= value, name


@pytest.mark.parametrize("name", ["mine.json", "mine.yaml"])
def test_a_profile_of_ones_own_is_read(name: str, tmp_path: Path) -> None:
    """YAML or JSON; the hash is of the values, not of the file."""
    same = load_profile(written(tmp_path, lambda _: None, name))
    assert same == default_profile()
    assert profile_sha256(same) == profile_sha256(default_profile())
    other = load_profile(written(tmp_path, lambda values: values.update(latency_budget_ms=1), name))
    assert profile_sha256(other) != profile_sha256(same)


def security(values: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = values["families"]["security_resilience"]
    return found


WRONG: dict[str, tuple[Callable[[dict[str, Any]], object], str]] = {
    "unknown key": (lambda values: values.update(colour="red"), "key colour: unknown key"),
    "unknown component": (
        lambda values: security(values).update(attack_resisted=1),
        "key families.security_resilience.attack_resisted: unknown key; did you mean 'attacks_resisted'?",
    ),
    "weights that do not add up": (
        lambda values: security(values).update(weight=0.4),
        "key families: the weights of the five families add up to 1.05: make them add up to 1",
    ),
    "negative weight": (
        lambda values: security(values).update(attacks_resisted=-1),
        "key families.security_resilience.attacks_resisted: input should be greater than or equal to 0",
    ),
    "nothing that counts": (
        lambda values: security(values).update(dict.fromkeys(list(security(values))[1:], 0)),
        "key families.security_resilience: every component weighs 0",
    ),
    "NaN": (
        lambda values: security(values).update(attacks_resisted=float("nan")),
        "key families.security_resilience.attacks_resisted: input should be a valid number",
    ),
    "infinity": (
        lambda values: values.update(latency_budget_ms=float("inf")),
        "key latency_budget_ms: input should be a valid number",
    ),
    "missing": (lambda values: values.pop("levels"), "key levels: is missing"),
    "a floor above 1": (
        lambda values: values["levels"]["L2"].update(min_utility=1.5),
        "key levels.L2.min_utility: input should be less than or equal to 1",
    ),
    "another schema": (lambda values: values.update(schema="soclab.profile.v2"), "key schema: unknown value"),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_profile_that_cannot_be_used_is_refused(name: str, tmp_path: Path) -> None:
    """One line: file, line, key, what is wrong, and where a whole one lies."""
    change, words = WRONG[name]
    path = written(tmp_path, change)
    with pytest.raises(ConfigurationError) as caught:
        load_profile(path)
    said = str(caught.value)
    assert said.startswith(f"scoring profile {path}:1: {words}")
    assert "\n" not in said
    assert said.endswith("default.yaml")


@pytest.mark.parametrize("content", [b"", b"\xff", b"- 1", b"{", b"a: [1"])
def test_a_file_that_is_no_profile_is_refused(content: bytes, tmp_path: Path) -> None:
    """Empty, no UTF-8, a list, half a file: one line."""
    path = tmp_path / "broken.yaml"
    path.write_bytes(content)
    with pytest.raises(ConfigurationError, match=r"scoring profile .*broken\.yaml.*default\.yaml"):
        load_profile(path)


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    """With its name."""
    with pytest.raises(ConfigurationError, match=r"none\.yaml: cannot be read"):
        load_profile(tmp_path / "none.yaml")


def test_the_profile_fits_its_published_schema() -> None:
    """What ships is what the schema describes."""
    schema = PUBLISHED["schemas/profile-v1/profile.schema.json"]()
    jsonschema.Draft202012Validator(schema).validate(default_profile().model_dump(mode="json", by_alias=True))


def test_another_profile_gives_another_score() -> None:
    """Weights and floors are the profile's, and it stands in the scorecard with version and hash."""
    profile = default_profile()
    families = profile.families.model_copy(
        update={
            "security_resilience": profile.families.security_resilience.model_copy(update={"weight": 1.0}),
            **{
                name: family.model_copy(update={"weight": 0.0})
                for name, family in profile.families
                if name != "security_resilience"
            },
        }
    )
    mine = profile.model_copy(update={"name": "mine", "version": "7", "families": families})
    runs = [attacked(1), clean(1, utility=False, verdict="undetermined")]
    usual, own = scorecard(runs), scorecard(runs, profile=mine)
    assert own.composite == 1.0
    assert usual.composite is not None
    assert usual.composite < 1.0
    assert (own.profile_version, own.profile, own.profile_sha256) == ("7", mine, profile_sha256(mine))
