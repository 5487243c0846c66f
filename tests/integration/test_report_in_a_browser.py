"""`report.html` in a real browser: what a hostile agent or attacker wrote runs nothing and fetches nothing."""

from __future__ import annotations

import shutil
import subprocess
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from soclab.contracts.scorecard_v1 import ProviderInfo
from soclab.contracts.vocabulary import Outcome
from soclab.reports.formats import webpage
from tests.unit.reports.pages import read
from tests.unit.scoring.cards import attacked, clean, erred, scorecard, stages

_PLACES = ("/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome")
CHROMIUM = shutil.which("chromium") or next((place for place in _PLACES if Path(place).exists()), None)
MARK = "SCRIPT-RAN"

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(CHROMIUM is None, reason="no chromium is installed here; .ci/run installs one"),
]


class Trap:
    """Counts who comes to fetch something."""

    def __init__(self) -> None:
        self.fetched: list[str] = []
        fetched = self.fetched

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                fetched.append(self.path)
                self.send_response(204)
                self.end_headers()

            def log_message(self, *_: object) -> None:
                """Silent."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()

    @property
    def markup(self) -> str:
        """Everything that makes a careless page run a script, or fetch something from the trap."""
        script = f"document.title='{MARK}';document.documentElement.setAttribute('data-mark','{MARK}')"
        return (
            f"\"'><script>{script};fetch('{self.url}/fetch')</script>"
            f'<img src="{self.url}/img" onerror="{script}"><svg onload="{script}"></svg>'
            f'<link rel="stylesheet" href="{self.url}/css"><style>body{{background:url({self.url}/background)}}</style>'
            f'<iframe src="{self.url}/frame"></iframe><object data="{self.url}/object"></object>'
            f'<script src="{self.url}/script"></script>'
        )


@pytest.fixture
def trap() -> Iterator[Trap]:
    one = Trap()
    yield one
    one.close()


def opened(page: bytes, folder: Path) -> str:
    """The document as the browser has it after everything was run that runs."""
    assert CHROMIUM is not None
    path = folder / "report.html"
    path.write_bytes(page)
    flags = ("--headless", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=3000")
    done = subprocess.run(
        [CHROMIUM, *flags, f"--user-data-dir={folder / 'profile'}", "--dump-dom", path.as_uri()],
        capture_output=True,
        timeout=120,
        check=True,
    )
    return done.stdout.decode("utf-8")


def hostile_page(markup: str) -> bytes:
    """A report in which everything that is text came from somebody hostile."""
    texts = ("technique", "carrier", "goal", "verdict", "action", "words", "explanation", "family", "title", "channel")
    texts += ("payload", "writer", "encoding", "expected", "error_detail", "evidence_root")
    told = dict.fromkeys(texts, markup)
    run = attacked(
        1,
        Outcome.CONTAINED,
        control_reasons=(markup,),
        breaches=(markup,),
        stages=stages(reason_code=markup, model=markup, call=markup, ruling=markup),
        **told,
    )
    provider = ProviderInfo(id=markup, model=markup, label=markup, validation=markup, isolation="http")
    return webpage.render(
        scorecard([run, erred(attacked(2, **told), markup), clean(3)], provider=provider, approved_models=(markup,))
    )


def test_a_hostile_scorecard_runs_and_fetches_nothing(trap: Trap, tmp_path: Path) -> None:
    """Markup in every text field stays text: no script ran, no element came of it, nobody was asked for anything."""
    page = hostile_page(trap.markup)
    document = opened(page, tmp_path)

    assert MARK in document  # as text
    assert "data-mark" not in document[: document.index("<head")]
    assert f"<title>{MARK}" not in document
    assert read(document.encode()).names() == read(page).names()
    assert trap.fetched == []


def test_the_policy_of_the_page_holds_even_where_escaping_would_not(trap: Trap, tmp_path: Path) -> None:
    """With the markup put in raw, the page's own policy still lets no script run and nothing be fetched."""
    page = webpage.render(scorecard([attacked(1)])).replace(b"</main>", trap.markup.encode() + b"</main>")
    document = opened(page, tmp_path)

    assert "<iframe" in document
    assert "data-mark" not in document[: document.index("<head")]
    assert trap.fetched == []


def test_the_trap_would_catch_a_careless_page(trap: Trap, tmp_path: Path) -> None:
    """A page without escaping and policy runs the script and comes to fetch: the tests above can fail."""
    page = f"<!DOCTYPE html><html><head><title>x</title></head><body>{trap.markup}</body></html>".encode()
    document = opened(page, tmp_path)

    assert f'data-mark="{MARK}"' in document[: document.index("<head")]
    assert {"/img", "/css", "/script"} <= set(trap.fetched)
