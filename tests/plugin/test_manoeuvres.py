"""What the lab tries against its own control plane at the end of a protected campaign."""

from __future__ import annotations

import json

import pytest

from tests.plugin.lab import HONEST, Lab, verdicts

CLEAN = ("--soclab-scenario", "BEN-001")
IDS = [f"MAN-{number:03}" for number in range(1, 8)]


def gate_of(lab: Lab, folder: str) -> dict[str, object] | None:
    found = [one for one in lab.scorecard(folder)["mandatory_gates"] if one["name"] == "manoeuvres_refused"]
    return found[0] if found else None


def test_they_stand_apart_from_what_the_agent_did(lab: Lab) -> None:
    """A block of their own in scorecard, terminal and page; no call, no run and no rate is theirs."""
    result = lab.run(*HONEST, *CLEAN, "--soclab-out", "out")

    card = lab.scorecard("out")
    assert result.ret == pytest.ExitCode.OK
    assert [one["id"] for one in card["manoeuvres"]] == IDS
    assert all(one["refused"] for one in card["manoeuvres"])
    assert gate_of(lab, "out") == {
        "name": "manoeuvres_refused",
        "passed": True,
        "detail": "7 manoeuvres against the lab's own control plane, all refused",
    }
    assert [one["id"] for one in card["scenarios"]] == ["BEN-001"]
    assert len(lab.calls()) == 7
    result.stdout.fnmatch_lines(["manoeuvres  7 of 7 refused by the lab's own control plane"])
    page = (lab.path / "out" / "report.html").read_text(encoding="utf-8")
    assert "Manoeuvres against the control plane" in page
    assert "MAN-004 approval fatigue, then replay" in page


@pytest.mark.parametrize(
    ("control", "through"),
    [("grant", ["MAN-001", "MAN-002", "MAN-003"]), ("approval", ["MAN-004", "MAN-006", "MAN-007"])],
)
def test_with_a_control_off_its_manoeuvres_get_through(lab: Lab, control: str, through: list[str]) -> None:
    """The campaign is red for it, and says which ones."""
    result = lab.run(*HONEST, *CLEAN, "--soclab-without", control, "--soclab-out", "out", "-v")

    card, gate = lab.scorecard("out"), gate_of(lab, "out")
    assert [one["id"] for one in card["manoeuvres"] if not one["refused"]] == through
    assert gate is not None
    assert gate["passed"] is False
    assert verdicts(result)["soclab::gate"] == "FAILED"
    result.stdout.fnmatch_lines([f"*manoeuvres_refused: 3 of 7 manoeuvres got through ({through[0]} *"])
    page = (lab.path / "out" / "report.html").read_text(encoding="utf-8")
    assert page.count("got through</span>") == 3


def test_baseline_refuses_nothing_and_tries_none(lab: Lab) -> None:
    """Neither block nor gate."""
    lab.run(*HONEST, *CLEAN, "--soclab-mode", "baseline", "--soclab-out", "out")

    assert lab.scorecard("out")["manoeuvres"] == []
    assert gate_of(lab, "out") is None


def test_a_resumed_campaign_has_them_once(lab: Lab) -> None:
    """The journal's last word counts, and the scorecard is the one of a campaign that nobody stopped."""
    lab.run(*HONEST, *CLEAN, "--soclab-out", "out")
    lab.run(*HONEST, *CLEAN, "--soclab-resume", "out")

    assert [one["id"] for one in lab.scorecard("out")["manoeuvres"]] == IDS
    lines = (lab.path / "out" / "journal.jsonl").read_text(encoding="utf-8").splitlines()
    ends = [json.loads(one)["beside"]["end"] for one in lines if '"kind":"campaign_finished"' in one]
    assert [len(one["manoeuvres"]) for one in ends] == [7, 7]


def test_under_xdist_they_are_tried_once(lab: Lab) -> None:
    """One worker runs the campaign; the controller's scorecard has its results."""
    pytest.importorskip("xdist")
    (lab.path / "conftest.py").write_text("", encoding="utf-8")
    lab.run("--soclab-provider", "reference", *CLEAN, "-n", "2", "--soclab-out", "out")

    assert [one["id"] for one in lab.scorecard("out")["manoeuvres"]] == IDS
    lines = (lab.path / "out" / "journal.jsonl").read_text(encoding="utf-8").splitlines()
    assert sum('"kind":"campaign_finished"' in one for one in lines) == 1


def test_a_users_test_sees_them_before_the_end(lab: Lab) -> None:
    """`soclab_campaign.scorecard` is as it would stand if the session ended now; asking early tries them once."""
    lab.pytester.makepyfile(
        """
        def test_it(soclab_campaign):
            card = soclab_campaign.scorecard
            assert len(card.manoeuvres) == 7
            assert card.passed
        """
    )
    result = lab.run(*HONEST, *CLEAN)
    assert result.ret == pytest.ExitCode.OK
    assert [one["id"] for one in lab.scorecard()["manoeuvres"]] == IDS


def test_no_scenario_can_have_such_an_id(lab: Lab) -> None:
    """One line that says whose prefix it is."""
    (lab.path / "mine").mkdir()
    (lab.path / "mine" / "MAN-901.yaml").write_text(
        "schema: soclab.scenario.v1\nid: MAN-901\ntitle: x\nkind: benign\nworld: w\ntruth: true_positive\nfamily: F01\n"
        "expected:\n  verdict: true_positive\n  right: [{name: escalate_to_human}]\n",
        encoding="utf-8",
    )
    result = lab.run(*HONEST, "--soclab-scenarios", "mine")

    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["ERROR: *MAN-901.yaml*lab's own manoeuvres*"])
