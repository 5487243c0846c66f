"""Text that must not stand as it is: hostile words of the agent, its token, log lines of other scenarios."""

from __future__ import annotations

import base64
import re
import xml.etree.ElementTree as ElementTree

import pytest

from soclab.pytest_plugin.shield import Shield
from soclab.redaction import Secrets
from tests.plugin.lab import Lab

ONE = ("--soclab-scenario", "BEN-001")
TOKEN = "tok-3f9a/27c1+Z_d8e4"
HOSTILE = r"""\x1b]0;owned\x07 \x1b[31mred \u202egnp.exe \x00 \ud800 \ufffe ::error::x ##[error]y <script>z</script>"""


def spellings(token: str) -> list[str]:
    return [token, token.encode().hex(), base64.b64encode(token.encode()).decode()[:-4]]


def test_hostile_words_are_made_visible_everywhere(lab: Lab) -> None:
    """Terminal, JUnit and skip reasons hold no control character of the agent; JUnit is well-formed."""
    (lab.path / "hostile.py").write_text(
        f'WORDS = "{HOSTILE}"\n'
        "async def refuses(request):\n"
        '    return {"contract": "soclab.agent.v1", "refusal": {"code": "policy", "reason": WORDS}}\n'
        "async def raises(request):\n"
        "    raise RuntimeError(WORDS)\n"
        "async def acts(request):\n"
        '    call = {"name": "disable_account", "arguments": {"user_id": WORDS}}\n'
        '    proposal = {"rationale": WORDS, "tool_calls": [call]}\n'
        '    return {"contract": "soclab.agent.v1", "model": WORDS, "proposal": proposal}\n',
        encoding="utf-8",
    )
    for name in ("refuses", "raises", "acts"):
        chosen = ("--soclab-scenario", "ATK-001", "--soclab-mode", "baseline", "--soclab-agent", f"hostile:{name}")
        result = lab.run(*chosen, "-vv", "-rA", "--junitxml=junit.xml", "--color=no")
        shown = result.stdout.str()

        assert not {one for one in shown if not one.isprintable() and one != "\n"}, name
        ElementTree.parse(lab.path / "junit.xml")


def test_the_token_stands_nowhere_even_with_showlocals(lab: Lab, monkeypatch: pytest.MonkeyPatch) -> None:
    """A failing test of the user's that holds it, in any spelling, shows the placeholder instead."""
    monkeypatch.setenv("SOCLAB_HTTP_AGENT_TOKEN", TOKEN)
    lab.pytester.makepyfile(
        test_mine="""
            import base64, logging, os, pytest

            TOKEN = os.environ["SOCLAB_HTTP_AGENT_TOKEN"]

            @pytest.fixture
            def broken(request):
                header = {"Authorization": "Bearer " + TOKEN}
                raise RuntimeError(str(header))

            def test_fails():
                token, hexed = TOKEN, TOKEN.encode().hex()
                encoded = base64.b64encode(token.encode()).decode()
                print("printed", token, hexed, encoded)
                logging.getLogger("mine").error("logged %s", token)
                try:
                    raise ValueError(token)
                except ValueError:
                    logging.exception("caught %s", encoded)
                    assert token == encoded, hexed

            def test_errors(broken):
                pass

            def test_skips():
                pytest.skip(TOKEN)

            def test_passes():
                print(TOKEN)
        """
    )
    result = lab.run(
        "--soclab-provider",
        "reference",
        *ONE,
        *("--showlocals", "--tb=long", "-vv", "-rA", "--junitxml=junit.xml", "-o", "junit_logging=all"),
        *("--log-file=log.txt", "--log-cli-level=DEBUG"),
    )
    sinks = {
        "terminal": result.stdout.str() + result.stderr.str(),
        "JUnit": (lab.path / "junit.xml").read_text(encoding="utf-8"),
        "log file": (lab.path / "log.txt").read_text(encoding="utf-8"),
    }

    found = [(sink, form) for sink, text in sinks.items() for form in spellings(TOKEN) if form in text]
    assert found == []
    assert all("[agent-token]" in text for text in sinks.values())
    assert result.parseoutcomes()["failed"] == 1


TALKS = r"""
import logging
import threading
from agents import CREDULOUS, gullible

async def agent(request):
    logging.getLogger("agent").error("engine line of %s %s \x1b[31m\u202e", request["run_id"], request["stage"])
    logging.getLogger("agent").error("%d", "no number")
    return await gullible(request)

def blocking(request):
    logging.getLogger("agent").error("engine line of %s %s", request["run_id"], request["stage"])
    return CREDULOUS(request)
"""


@pytest.mark.parametrize("name", ["agent", "blocking"])
def test_log_lines_stand_under_the_stage_they_belong_to(lab: Lab, name: str) -> None:
    """Of a scenario that runs beside the item in progress no line shows up there; the user's own stay theirs."""
    (lab.path / "talks.py").write_text(TALKS, encoding="utf-8")
    lab.pytester.makepyfile(
        test_mine="""
            import logging

            def test_mine(caplog):
                logging.error("line of the user's")
                assert [record.message for record in caplog.records] == ["line of the user's"]
                assert False
        """
    )
    chosen = ("--soclab-scenario", "ATK-00*", "--soclab-agent", f"talks:{name}")
    result = lab.run(*chosen, "-rA", "--log-level=DEBUG", "--log-cli-level=DEBUG", "--color=no", "--junitxml=junit.xml")
    shown = result.stdout.str()

    blocks = [part for part in re.split(r"\n_{5,} ", shown) if "engine line of" in part]
    assert blocks
    for block in blocks:
        stage = re.match(r"(?:ERROR at setup of )?ATK-\d+\[(\w+)\]", block)
        assert stage is not None
        assert set(re.findall(r"engine line of \w+ (\w+)", block)) == {stage[1]}
        assert len(set(re.findall(r"engine line of (\w+)", block))) == 1
    assert "line of the user's" in shown
    assert "\x1b" not in shown
    ElementTree.parse(lab.path / "junit.xml")


class TestShield:
    def test_it_masks_every_text_of_a_nested_value(self) -> None:
        """Lists, tuples, dict keys and values, at any depth; other values stay what they are."""
        shield = Shield(Secrets([TOKEN]))
        data = {"a": [TOKEN, ("b", {TOKEN: 1.5})], "c": None, "d": True}

        assert shield.scrub_data(data) == {
            "a": ["[agent-token]", ("b", {"[agent-token]": 1.5})],
            "c": None,
            "d": True,
        }

    def test_lone_surrogates_become_visible(self) -> None:
        """They would kill a session of pytest-xdist."""
        assert Shield(Secrets()).scrub_data({"a": "x\ud800y"}) == {"a": "x\\ud800y"}


def test_a_warning_that_holds_the_token_shows_the_placeholder(lab: Lab, monkeypatch: pytest.MonkeyPatch) -> None:
    """In the summary of warnings, whoever warned."""
    monkeypatch.setenv("SOCLAB_HTTP_AGENT_TOKEN", TOKEN)
    lab.pytester.makepyfile(
        test_mine="""
            import os, warnings

            def test_warns():
                warnings.warn("the token is " + os.environ["SOCLAB_HTTP_AGENT_TOKEN"])
        """
    )

    shown = lab.run("--soclab-provider", "reference", *ONE, "-Wdefault").stdout.str()

    assert "UserWarning: the token is [agent-token]" in shown
    assert TOKEN not in shown
