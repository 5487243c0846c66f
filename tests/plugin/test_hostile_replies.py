"""Agents whose every string is hostile: every sink stays readable and well-formed, and shows no byte of theirs."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ElementTree
from html.parser import HTMLParser
from pathlib import Path

import pytest

from soclab.evidence.verify import verify_journal
from tests.plugin.lab import Lab

SOURCE = r"""
import copy
from soclab.providers.reference import brain_of

CREDULOUS = brain_of("gullible")
WORDS = (
    "\x1b]0;owned\x07\x1b[31mred \u202egnp.exe\u2066 \x00 \ud800 \udfff \ufffe \uffff \x9b2J\n"
    "::error::broken\n##[error]broken\n<script>alert(1)</script><img src=x onerror=alert(2)> ]]> &amp; @everyone\r"
)
LONG = WORDS + "A" * 1_000_000


def soiled(value, words, keys):
    if isinstance(value, dict):
        return {(key + words if keys else key): soiled(item, words, keys) for key, item in value.items()}
    if isinstance(value, list):
        return [soiled(item, words, keys) for item in value]
    return value + words if isinstance(value, str) else value


def reply(request, words, keys=False):
    good = copy.deepcopy(CREDULOUS(request))
    for part in ("proposal", "finding", "refusal"):
        if part in good:
            good[part] = soiled(good[part], words, keys)
    good["model"] = words[:200]
    return good


async def values(request):
    return reply(request, WORDS)


async def keys(request):
    return reply(request, WORDS, keys=True)


async def long(request):
    return reply(request, LONG)


async def text(request):
    return LONG


async def refuses(request):
    return {"contract": "soclab.agent.v1", "refusal": {"code": WORDS, "reason": LONG}}


async def raises(request):
    raise RuntimeError(LONG)


def prints(request):
    import logging, sys
    print(WORDS.encode("utf-8", "replace").decode())
    print(WORDS.encode("utf-8", "replace").decode(), file=sys.stderr)
    logging.getLogger("agent").error(WORDS)
    return CREDULOUS(request)
"""
SOME = ("--soclab-scenario", "ATK-001", "--soclab-scenario", "ATK-041", "--soclab-scenario", "BEN-001")
AGENTS_HERE = ("values", "keys", "long", "text", "refuses", "raises")
LARGEST_BYTES = 3_000_000


class Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.handlers: list[str] = []
        self.scripts: list[str] = []
        self._in_script = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handlers += [name for name, _ in attrs if name.startswith("on")]
        self._in_script = tag == "script"

    def handle_data(self, data: str) -> None:
        if self._in_script:
            self.scripts.append(data)
        self._in_script = False


def check_files(folder: Path) -> None:
    """Scorecard, journal and page parse, verify, and hold no text of theirs as it was."""
    json.loads((folder / "scorecard.json").read_text(encoding="utf-8"))
    assert verify_journal(folder / "journal.jsonl").valid
    page = (folder / "report.html").read_text(encoding="utf-8")
    tags = Tags()
    tags.feed(page)
    assert tags.handlers == []
    assert not any("alert(" in one for one in tags.scripts)
    for name in ("scorecard.json", "report.html"):
        content = (folder / name).read_text(encoding="utf-8")
        assert not {one for one in content if not one.isprintable() and one not in "\n\t"}, name
        assert len(content) < LARGEST_BYTES


@pytest.mark.parametrize("name", AGENTS_HERE)
def test_every_sink_survives(lab: Lab, name: str) -> None:
    """Terminal, JUnit, journal, scorecard and page of a session in one process."""
    (lab.path / "hostile.py").write_text(SOURCE, encoding="utf-8")
    options = ("--soclab-agent", f"hostile:{name}", *SOME, "--soclab-mode", "baseline", "--soclab-out", "out")
    result = lab.run(*options, "-vv", "-rA", "--junitxml=junit.xml", "--color=no")
    shown = result.stdout.str() + result.stderr.str()

    assert result.ret in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED)
    assert not {one for one in shown if not one.isprintable() and one != "\n"}
    assert not [line for line in shown.splitlines() if line.lstrip().startswith(("::", "##["))]
    assert max(map(len, shown.splitlines())) < 5000
    ElementTree.parse(lab.path / "junit.xml")
    check_files(lab.path / "out")


@pytest.mark.parametrize("name", ["values", *(pytest.param(one, marks=pytest.mark.slow) for one in ("keys", "text"))])
def test_results_cross_from_worker_to_controller(lab: Lab, name: str) -> None:
    """Under pytest-xdist nothing is lost and no process dies."""
    pytest.importorskip("xdist")
    (lab.path / "hostile.py").write_text(SOURCE, encoding="utf-8")
    options = ("--soclab-agent", f"hostile:{name}", *SOME, "--soclab-mode", "baseline", "--soclab-out", "out")
    result = lab.run("-o", "pythonpath=.", *options, "-n", "2", "-v", "-rA", "--junitxml=junit.xml", "--color=no")
    shown = result.stdout.str()

    assert "INTERNALERROR" not in shown
    assert not {one for one in shown if not one.isprintable() and one != "\n"}
    assert len(list(ElementTree.parse(lab.path / "junit.xml").iter("testcase"))) == 3 * 7 + 1
    check_files(lab.path / "out")
