"""Plugins of others in the same session: every item and every call stays what it is alone."""

from __future__ import annotations

import html
import json
import re

import pytest

from tests.plugin.lab import AGENTS, GULLIBLE, HONEST, STAGES, Lab, node
from tests.sessions import LIGHT

THREE = ("--soclab-scenario", "BEN-00[123]")


BESIDE = ("no:randomly", "no:asyncio", "no:hypothesispytest")


def run(lab: Lab, *arguments: str) -> pytest.RunResult:
    """`pytest` with the plugins that are installed, but for those that shuffle, want settings or are slow to import."""
    return lab.run("-o", "pythonpath=.", *arguments, plugins=BESIDE)


def run_apart(lab: Lab, *arguments: str) -> pytest.RunResult:
    """`pytest` in a process of its own, with every plugin that is installed."""
    (lab.path / "agents.py").write_text(AGENTS, encoding="utf-8")
    return lab.pytester.runpytest_subprocess("-o", "pythonpath=.", *arguments, timeout=180)


def test_all_of_them_together_change_nothing(lab: Lab) -> None:
    """Everything loaded that is installed: the same results, the same calls."""
    result = run_apart(lab, *HONEST, *THREE)

    result.assert_outcomes(passed=3 * len(STAGES) + 1)
    assert result.ret == pytest.ExitCode.OK
    assert len(lab.calls()) == len(set(lab.calls())) == 3 * len(STAGES)


def test_reruns_of_a_fallen_agent_tell_the_same_without_a_call(lab: Lab) -> None:
    """pytest-rerunfailures: what was compromised or contained is final."""
    pytest.importorskip("pytest_rerunfailures")
    result = run(lab, *GULLIBLE, "--soclab-scenario", "ATK-001", "--reruns", "2")

    outcomes = result.parseoutcomes()
    assert outcomes["failed"] >= 1
    assert len(lab.calls()) == len(set(lab.calls())) <= len(STAGES)
    assert result.ret == pytest.ExitCode.TESTS_FAILED


FLAKY = """
from pathlib import Path
from agents import honest, noted

async def agent(request):
    seen = Path("seen")
    with seen.open("a") as file:
        file.write("x" if request["stage"] == "collect_siem" else "")
    if request["stage"] == "collect_siem" and len(seen.read_text()) <= BROKEN:
        noted(request)
        return "no JSON"
    return await honest(request)
"""


@pytest.mark.parametrize(("broken", "attempts", "status"), [(1, 2, 0), (2, 3, 0), (9, 3, 1)])
@pytest.mark.parametrize(
    "distribution", [(), pytest.param(("-n", "2"), marks=pytest.mark.slow)], ids=["alone", "xdist"]
)
def test_reruns_try_a_run_without_an_answer_anew(
    lab: Lab, broken: int, attempts: int, status: int, distribution: tuple[str, ...]
) -> None:
    """pytest-rerunfailures: a new attempt with new ids, and the rest of the run is the last attempt's."""
    pytest.importorskip("pytest_rerunfailures")
    (lab.path / "flaky.py").write_text(FLAKY.replace("BROKEN", str(broken)), encoding="utf-8")
    options = ("--soclab-agent", "flaky:agent", "--soclab-scenario", "BEN-001", "--reruns", "2", "--soclab-out", "out")
    result = run(lab, *options, *distribution, "-v")

    runs = lab.scorecard("out")["scenarios"]
    assert [one["attempt"] for one in runs] == list(range(1, attempts + 1))
    assert len({one["run_id"] for one in runs}) == attempts
    assert result.ret == status
    assert result.parseoutcomes()["rerun"] == min(broken, 2)
    assert len(lab.calls()) == len(set(lab.calls()))


@pytest.mark.parametrize("distribution", [(), ("-n", "2")], ids=["alone", "xdist"])
def test_html_reports_hold_every_item_and_what_it_is_about(lab: Lab, distribution: tuple[str, ...]) -> None:
    """pytest-html: scenario, stage and outcome as columns, the block as details, the scorecard as summary."""
    pytest.importorskip("pytest_html")
    options = ("--html=report.html", "--self-contained-html", *distribution)
    run(lab, *GULLIBLE, "--soclab-scenario", "ATK-001", *options)
    page = (lab.path / "report.html").read_text(encoding="utf-8")
    data = json.loads(html.unescape(page.partition('data-jsonblob="')[2].partition('"')[0]))

    rows = {name: one for name, found in data["tests"].items() for one in found}
    last = next(one for name, one in rows.items() if name.startswith(node("ATK-001", "propose_action")))
    assert {"<td>ATK-001</td>", "<td>propose_action</td>", "<td>contained</td>"} <= set(last["resultsTableRow"])
    assert "CONTAINED: " in last["log"]
    assert all(any(name.startswith(node("ATK-001", stage)) for name in rows) for stage in STAGES)
    assert any(name.startswith("soclab::gate") for name in rows)
    assert {"<th>Scenario</th>", "<th>Stage</th>", "<th>Outcome</th>"} <= set(re.findall(r"<th>\w+</th>", page))
    assert "<h3>soclab scorecard</h3>" in page


def test_html_reports_without_a_campaign_are_as_ever(lab: Lab) -> None:
    """No column, no section."""
    pytest.importorskip("pytest_html")
    lab.pytester.makepyfile(test_mine="def test_passes(): pass")
    run(lab, "--html=report.html", "--self-contained-html")
    assert "soclab scorecard" not in (lab.path / "report.html").read_text(encoding="utf-8")


@pytest.mark.parametrize("method", ["thread", "signal"])
def test_timeouts_of_pytest_are_not_for_stages(lab: Lab, method: str) -> None:
    """pytest-timeout, both methods: the engine owns the deadlines."""
    pytest.importorskip("pytest_timeout")
    (lab.path / "slow.py").write_text(
        "import asyncio\nfrom agents import honest\n"
        "async def agent(request):\n    await asyncio.sleep(0.2)\n    return await honest(request)\n",
        encoding="utf-8",
    )
    options = ("--timeout=0.1", f"--timeout-method={method}")
    result = run(lab, "--soclab-agent", "slow:agent", "--soclab-scenario", "BEN-001", *options)
    assert result.ret == pytest.ExitCode.OK


def test_coverage_is_measured_beside_a_campaign(lab: Lab) -> None:
    """pytest-cov."""
    pytest.importorskip("pytest_cov")
    result = run_apart(lab, *LIGHT, *HONEST, "--soclab-scenario", "BEN-001", "--cov=agents")
    assert result.ret == pytest.ExitCode.OK
    result.stdout.fnmatch_lines(["agents.py *"])
