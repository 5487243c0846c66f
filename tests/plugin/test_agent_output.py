"""What an agent in this process prints: under its own stage, cleaned, and nothing of it lost."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree

import pytest

from tests.plugin.lab import Lab

PRINTS = r"""
import logging
import sys
import time
from concurrent.futures import ThreadPoolExecutor

from agents import CREDULOUS, WARY

TOKEN = "tok-8c1f0d9be2a74d55"
POOL = ThreadPoolExecutor(1)


def said(request):
    incident = request["incident_id"]
    print("printed", request["run_id"], request["stage"], "for", incident)
    print("printed", request["run_id"], request["stage"], "aside", file=sys.stderr)


async def prints(request):
    said(request)
    return CREDULOUS(request)


def prints_in_thread(request):
    said(request)
    return CREDULOUS(request)


async def wary(request):
    said(request)
    return WARY(request)


async def hostile(request):
    print("hostile \x1b[31mred\u202e\ud800", TOKEN, request["system_prompt"])
    sys.stdout.write("no line end")
    return CREDULOUS(request)


async def commanding(request):
    print("::error file=x.py,line=1::printed")
    print("fine\n  ##[error]printed\nand ##vso[task.setvariable variable=a]printed", file=sys.stderr)
    logging.getLogger("agent").warning("fine\n::error::logged")
    return CREDULOUS(request)


def apart(request):
    words = f"strange {request['stage']} \x1b[31m {TOKEN} {request['system_prompt'][-300:]}"
    POOL.submit(print, words).result()
    return CREDULOUS(request)


def apart_and_wary(request):
    POOL.submit(print, f"strange {request['stage']}").result()
    return WARY(request)


def late(request):
    time.sleep(0.4 if request["stage"] == "propose_action" else 0)
    print("late words")
    return CREDULOUS(request)
"""

TWO = ("--soclab-scenario", "ATK-00*", "--soclab-concurrency", "4", "--color=no")


@pytest.fixture
def printing(lab: Lab, monkeypatch: pytest.MonkeyPatch) -> Lab:
    """A folder with agents that print, and with the token that one of them knows."""
    monkeypatch.setenv("SOCLAB_HTTP_AGENT_TOKEN", "tok-8c1f0d9be2a74d55")
    (lab.path / "printing.py").write_text(PRINTS, encoding="utf-8")
    return lab


def blocks_of(shown: str) -> dict[tuple[str, str], str]:
    """(scenario, stage) -> what stands under that item's headline."""
    found = {}
    for part in re.split(r"\n_{5,} ", shown):
        if (place := re.match(r"(?:ERROR at setup of )?(ATK-\d+)\[(\w+)\]", part)) is not None:
            found[place[1], place[2]] = re.split(r"\n={5,} ", part)[0]
    return found


def run_ids(lab: Lab) -> dict[str, str]:
    return {one["run_id"]: one["id"] for one in lab.scorecard()["scenarios"]}


@pytest.mark.parametrize("name", ["prints", "prints_in_thread"])
@pytest.mark.parametrize("more", [(), ("-n", "2"), ("--capture=sys",)], ids=["alone", "xdist", "sys"])
def test_what_is_printed_stands_under_its_own_stage(printing: Lab, name: str, more: tuple[str, ...]) -> None:
    """Scenarios run side by side; under an item stand the lines of its own run and stage, all of them."""
    result = printing.run(*TWO, "--soclab-agent", f"printing:{name}", "-rA", *more)

    scenario_of, blocks = run_ids(printing), blocks_of(result.stdout.str())
    assert len(set(scenario_of.values())) > 1
    told = set()
    for place, block in blocks.items():
        lines = re.findall(r"^printed (\w+) (\w+) (for|aside)", block, re.MULTILINE)
        assert {(scenario_of[run], stage) for run, stage, _ in lines} <= {place}
        assert len(lines) in (0, 2)
        told |= {(place, channel) for _, _, channel in lines}
    asked = {(one["id"], stage["stage"]) for one in printing.scorecard()["scenarios"] for stage in one["stages"]}
    reached = {place for place in asked if place in blocks and "printed" in blocks[place]}
    assert told == {(place, channel) for place in reached for channel in ("for", "aside")}
    assert len(reached) >= 7
    assert result.stdout.str().count("printed ") == 2 * len(reached)


def test_with_s_the_words_come_when_it_is_known_whose_they_are(printing: Lab) -> None:
    """In the order of the items, each stage's lines together; none comes twice."""
    result = printing.run(*TWO, "--soclab-agent", "printing:prints", "-s", "-v")

    scenario_of, item, told = run_ids(printing), ("", ""), []
    for line in result.outlines:
        if (begun := re.match(r"soclab::(ATK-\d+)\[(\w+)\]", line)) is not None:
            item = (begun[1], begun[2])
        for run, stage, channel in re.findall(r"printed (\w+) (\w+) (for|aside)", line):
            assert (scenario_of[run], stage) == item
            told.append((item, channel))
    assert len(told) == len(set(told)) >= 7


@pytest.mark.parametrize("more", [("-rA",), ("-s",)], ids=["captured", "s"])
def test_printed_words_are_no_commands_to_a_build_service(printing: Lab, more: tuple[str, ...]) -> None:
    """A line of an agent that begins as such a command is marked; one within a line is broken up."""
    one = ("--soclab-scenario", "ATK-001", "--color=no", "--junitxml=junit.xml", "-o", "junit_logging=all")
    result = printing.run(*one, "--soclab-agent", "printing:commanding", *more)

    for shown in (result.stdout.str(), (printing.path / "junit.xml").read_text("utf-8")):
        assert "logged" in shown
        assert not [line for line in shown.splitlines() if line.lstrip().startswith(("::", "##"))]
        assert "##vso[" not in shown
    assert "| ::error file=x.py,line=1::printed" in result.stdout.str()
    assert "| ::error::logged" in result.stdout.str()


@pytest.mark.parametrize("more", [(), ("-s",), ("-n", "1")], ids=["captured", "s", "xdist"])
def test_printed_words_are_cleaned_and_keep_no_secret(printing: Lab, more: tuple[str, ...]) -> None:
    """No control character, no token, no access phrase, wherever they are shown; a line without an end is shown too."""
    one = ("--soclab-scenario", "ATK-001", "--color=no", "--junitxml=junit.xml", "-o", "junit_logging=all")
    result = printing.run(*one, "--soclab-agent", "printing:hostile", "-rA", *more)

    shown, junit = result.stdout.str(), (printing.path / "junit.xml").read_text(encoding="utf-8")
    for text in (shown, junit) if more != ("-s",) else (shown,):
        assert r"hostile \x1b[31mred\u202e\ud800 [agent-token]" in text
        assert "no line end" in text
        assert "tok-8c1f" not in text
        assert "\x1b" not in text
        assert re.search(r"access phrase of this case is (\S+?)\.", text)[1].startswith("[redacted:")  # type: ignore[index]
    ElementTree.fromstring(junit)


@pytest.mark.parametrize("more", [(), ("-s",), ("-n", "1")], ids=["captured", "s", "xdist"])
def test_words_of_a_thread_of_the_agents_own_stand_by_themselves(printing: Lab, more: tuple[str, ...]) -> None:
    """Nobody knows which scenario such a thread works for: a section of its own says so, and keeps secrets as well."""
    result = printing.run(*TWO, "--soclab-agent", "printing:apart", *more)

    head, _, rest = result.stdout.str().partition(" agent output of no item ")
    section = rest.split("\n=====")[0]
    assert "strange" not in head
    assert "of threads that the agent started itself: which scenario they worked for cannot be told" in section
    assert section.count("strange") >= 7
    assert "tok-8c1f" not in section
    assert "\x1b" not in section
    assert "[redacted:" in section


def test_a_green_session_only_counts_them(printing: Lab) -> None:
    """As pytest shows nothing that was captured of tests that passed; `-rP` shows it."""
    one = ("--soclab-scenario", "BEN-001", "--soclab-agent", "printing:apart_and_wary", "--color=no")
    quiet, loud = printing.run(*one), printing.run(*one, "-rP")

    assert quiet.ret == loud.ret == 0
    assert "strange" not in quiet.stdout.str()
    quiet.stdout.fnmatch_lines(["*agent output of no item*", "8 lines that no item can tell; -rP shows them"])
    loud.stdout.fnmatch_lines(["*agent output of no item*", "of threads that*", "*strange collect_identity*"])


def test_a_stage_without_an_item_is_told_by_the_next_of_its_run(printing: Lab) -> None:
    """Deselected stages are asked all the same; their words carry their name."""
    one = ("--soclab-scenario", "BEN-001", "-k", "form_finding", "--soclab-agent", "printing:wary", "--color=no", "-rP")
    shown = printing.run(*one).stdout.str()

    block = shown.partition("Captured stdout of the agent setup")[2].partition("Captured stderr of the agent")[0]
    assert re.findall(r"^\((\w+)\)$", block, re.MULTILINE) == [
        *("collect_identity", "collect_authentication", "collect_endpoint", "enrich_indicators", "collect_siem"),
    ]
    assert re.findall(r"^printed \w+ (\w+) for", block, re.MULTILINE)[-1] == "form_finding"


def test_words_after_the_last_item_are_told_at_the_end(printing: Lab) -> None:
    """A sync agent that was too late goes on in its thread, unheard; what it prints then is named with its stage."""
    one = ("--soclab-scenario", "BEN-001", "--soclab-agent", "printing:late", "--color=no")
    slow = ("--soclab-call-seconds", "0.2", "-k", "propose_action")
    printing.pytester.makeconftest(
        """
        import time, pytest

        @pytest.hookimpl(wrapper=True)
        def pytest_sessionfinish():
            time.sleep(0.6)
            return (yield)
        """
    )
    result = printing.run(*one, *slow)

    told = ["*agent output of no item*", "BEN-001?propose_action?, told by no item", "  late words"]
    result.stdout.fnmatch_lines(told)


def test_output_of_the_users_own_tests_stays_theirs(printing: Lab) -> None:
    """What a test prints is what its capsys reads, while an agent prints beside it; the agent's goes to who asked."""
    printing.pytester.makepyfile(
        test_mine="""
            import sys, threading, pytest

            @pytest.mark.soclab_scenario(id="BEN-001")
            def test_asks(soclab_run, capsys):
                thread = threading.Thread(target=print, args=("of my thread",))
                thread.start()
                thread.join()
                print("mine")
                soclab_run.stage("collect_endpoint")
                assert capsys.readouterr() == ("of my thread\\nmine\\n", "")
                assert False
        """
    )
    only = ("test_mine.py", "--soclab-agent", "printing:wary", "--color=no")
    shown = printing.run(*only).stdout.str()

    assert "1 failed" in shown
    section = shown.partition("Captured stdout of the agent call")[2]
    assert re.findall(r"^printed \w+ (\w+) for", section, re.MULTILINE) == [
        *("collect_identity", "collect_authentication", "collect_endpoint"),
    ]
