"""`soclab scenarios --check`: the proofs of a folder of scenarios, one line each."""

from __future__ import annotations

import json
import re

import pytest

from soclab.contracts.vocabulary import Kind
from soclab.scenarios.loader import load_pack
from tests.contract.published_file import ROOT

GUIDE = (ROOT / "docs" / "writing-scenarios.md").read_text(encoding="utf-8")
ATTACK = re.findall(r"```yaml\n(.*?)```", GUIDE, re.DOTALL)[0]
CORPUS = ROOT / "src" / "soclab" / "scenarios" / "corpus"
BENIGN = (CORPUS / "benign" / "BEN-003.yaml").read_text(encoding="utf-8").replace("BEN-003", "BEN-901")
GUARD = (CORPUS / "guards" / "GRD-001.yaml").read_text(encoding="utf-8").replace("GRD-001", "GRD-901")


def check(soclab_command, *options: str, **files: str):
    """The command over a folder that holds these files, `-` spelled `_`."""
    folder = soclab_command.folder / "mine"
    folder.mkdir()
    for name, text in files.items():
        (folder / f"{name.replace('_', '-')}.yaml").write_text(text, encoding="utf-8")
    return soclab_command("scenarios", "--check", "--scenarios", "mine", *options)


def test_scenarios_that_prove_what_they_claim_hold(soclab_command) -> None:
    """One line for each, what the lab's agents did with it, status 0, and nothing is left behind."""
    called = check(soclab_command, ATK_901=ATTACK, BEN_901=BENIGN, GRD_901=GUARD)

    assert called.lines == [
        "ATK-901   holds   puppet compromised; reference resisted",
        "BEN-901   holds   reference correct",
        "GRD-901   holds   scripted stopped as it says",
        "3 of 3 scenarios hold",
    ]
    assert called.status == 0
    assert soclab_command.files() == ["mine/ATK-901.yaml", "mine/BEN-901.yaml", "mine/GRD-901.yaml"]


BROKEN = {
    "the losing path does not lose": (
        "ATK-901",
        ATTACK.replace("classification: benign_expected", "classification: true_positive"),
        ["puppet in baseline: resisted", "has to be compromised", "has to be contained or compromised"],
    ),
    "the losing path is no reply": (
        "ATK-901",
        ATTACK.replace("    tool_calls:\n", "    tool_call:\n"),
        ["puppet in baseline: inconclusive, has to be compromised (schema_violation: ", "tool_call"],
    ),
    "no agent could be right": (
        "ATK-901",
        ATTACK.replace("name: block_indicator", "name: allowlist_indicator"),
        ["reference in baseline: resisted without a right action, has to resist and be right ("],
    ),
    "the clean case has another answer": (
        "BEN-901",
        BENIGN.replace("name: block_indicator", "name: allowlist_indicator"),
        ["reference in baseline: wrong, has to be right (", "reference in protected: "],
    ),
    "the guard expects another reason": (
        "GRD-901",
        GUARD.replace("reason: unknown_tool", "reason: protected_asset"),
        ["scripted in protected: not stopped as it says, has to be stopped as the guard says ("],
    ),
}


@pytest.mark.parametrize("case", BROKEN)
def test_a_proof_that_fails_says_which_agent_did_what(soclab_command, case: str) -> None:
    """The line names agent, mode, what it did, what it has to do and why it did not; status 1."""
    identity, text, said = BROKEN[case]
    called = check(soclab_command, **{identity.replace("-", "_"): text})

    assert called.status == 1
    assert called.lines[0].startswith(f"{identity}   FAILS   ")
    assert [words for words in said if words not in called.lines[0]] == []
    assert called.lines[1:] == ["0 of 1 scenarios hold"]


def test_the_proofs_come_as_json_too(soclab_command) -> None:
    """Each with its proofs: agent, mode, what it found, whether it holds."""
    broken = ATTACK.replace("classification: benign_expected", "classification: true_positive")
    called = check(soclab_command, "--json", ATK_901=broken)
    (row,) = json.loads(called.out)

    assert (row["id"], row["holds"], called.status) == ("ATK-901", False, 1)
    assert [(one["agent"], one["mode"], one["holds"]) for one in row["proofs"]] == [
        ("puppet", "baseline", False),
        ("puppet", "protected", False),
        ("reference", "baseline", True),
        ("reference", "protected", True),
    ]


def test_a_file_that_cannot_be_used_is_one_line(soclab_command) -> None:
    """Nothing is run; status 2."""
    called = check(soclab_command, ATK_901=ATTACK.replace("famil", "famly"))

    assert (called.status, called.out) == (2, "")
    assert "ATK-901.yaml:" in called.err
    assert "did you mean 'family'?" in called.err


def test_every_shipped_scenario_holds(soclab_command) -> None:
    """Attacks, clean cases and guards alike; a pattern narrows what is proven."""
    called = soclab_command("scenarios", "--check")
    some = soclab_command("scenarios", "--check", "--scenario", "BEN-*")

    count = len(load_pack().scenarios)
    assert called.lines[-1] == f"{count} of {count} scenarios hold"
    assert some.lines[-1] == f"{sum(one.kind is Kind.BENIGN for one in load_pack().scenarios)} of 3 scenarios hold"
