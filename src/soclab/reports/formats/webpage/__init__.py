"""`report.html`: one file without scripts and without anything from outside."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from markupsafe import Markup

from soclab.contracts.scorecard_v1 import Scorecard
from soclab.reports.formats.webpage.view import page_of

if TYPE_CHECKING:
    from jinja2 import Template

__all__ = ["get_ready", "pieces", "render"]

_HERE = Path(__file__).parent
_LINES = 200


def get_ready() -> None:
    """Read and compile the template, so that no page has to wait for it."""
    _template()
    _style()


def render(scorecard: Scorecard) -> bytes:
    """The page, UTF-8. Everything that came from outside is clean text, and escaped."""
    return b"".join(pieces(scorecard))


def pieces(scorecard: Scorecard) -> Iterator[bytes]:
    """The same, some lines at a time; nothing is made before the first is asked for."""
    style = _style()
    page = _template().stream(page=page_of(scorecard), style=Markup(style), style_hash=_hash(style))
    page.enable_buffering(_LINES)
    for part in page:
        yield part.encode("utf-8")


@cache
def _template() -> Template:
    from jinja2 import Environment, FileSystemLoader, StrictUndefined  # not before the first request of a campaign

    environment = Environment(
        loader=FileSystemLoader(_HERE), autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    return environment.get_template("page.html.jinja")


@cache
def _style() -> str:
    return (_HERE / "style.css").read_text(encoding="ascii")


def _hash(style: str) -> str:
    """As the page's content security policy names it: no other style is applied."""
    return base64.b64encode(hashlib.sha256(style.encode("ascii")).digest()).decode("ascii")
