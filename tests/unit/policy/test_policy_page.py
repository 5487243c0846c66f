"""docs/policy.md says what is there."""

from __future__ import annotations

import json
import re
from pathlib import Path

import jsonschema
import pytest

from soclab.contracts.policy import FAULTS, OBLIGATIONS, PolicyFacts
from soclab.gateway.controls import CONTROLS
from soclab.gateway.controls.grant import GRANT
from soclab.policy.engines import CedarEngine

PAGE = (Path(__file__).parents[3] / "docs" / "policy.md").read_text(encoding="utf-8")
SCHEMA = json.loads((Path(__file__).parents[3] / "schemas" / "policy-v1" / "facts.schema.json").read_text("ascii"))
EXAMPLE, _ = re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL)
(POLICY,) = re.findall(r"```cedar\n(.*?)```", PAGE, re.DOTALL)
ROWS = dict(re.findall(r"^\| (`[^|]+`) \| ([^|]+) \|", PAGE, re.MULTILINE))


@pytest.mark.parametrize("control", [one for one in CONTROLS if one is not GRANT], ids=lambda one: one.name)
def test_every_reason_stands_there_with_its_control(control) -> None:
    """
    Its row names the control that `--soclab-without` drops it with.
    """
    assert {ROWS.get(f"`{reason}`") for reason in control.reasons} == {f"`{control.name}`"}


def test_every_fault_stands_there() -> None:
    """
    What it means that nothing could be judged.
    """
    assert {one for one in FAULTS if f"`{one}`" not in ROWS} == set()


def test_the_example_is_a_document() -> None:
    """
    It fits the published schema, and is what the model writes.
    """
    document = json.loads(EXAMPLE)

    jsonschema.Draft202012Validator(SCHEMA).validate(document)
    assert PolicyFacts.model_validate_json(EXAMPLE).document() == document


def test_every_member_is_explained() -> None:
    """
    Each of the document's members stands in the table.
    """
    names = [
        f"{section}.{member}" if isinstance(value, dict) else section
        for section, value in json.loads(EXAMPLE).items()
        for member in (value if isinstance(value, dict) else [None])
    ]

    assert [one for one in names if f"`{one}`" not in PAGE] == []


def test_the_example_policy_is_one(tmp_path: Path) -> None:
    """
    As it stands there it compiles, and does what it says.
    """
    (tmp_path / "mine.cedar").write_text(POLICY, encoding="utf-8")

    reasons = CedarEngine.of_folder(tmp_path).judge(PolicyFacts.model_validate_json(EXAMPLE)).reasons

    assert reasons == ("isolation_needs_three",)


def test_every_obligation_is_named() -> None:
    """
    Those that a policy may ask for.
    """
    assert {one for one in OBLIGATIONS if f"`{one}`" not in PAGE} == set()


def test_the_error_is_the_one_that_is_printed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """
    Word for word.
    """
    monkeypatch.chdir(tmp_path)
    folder = Path("policies")
    folder.mkdir()
    text = "\n" * 10 + '@id("x") forbid (principal, action, resource)\nwhen { context.levle == 3 };'
    (folder / "mine.cedar").write_text(text)

    with pytest.raises(Exception, match="levle") as error:
        CedarEngine.of_folder(folder)

    assert str(error.value) in PAGE
