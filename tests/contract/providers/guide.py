"""Takes the adapter class from docs/python-adapters.md and gives it the `_post` that the page leaves out."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from typing import Any

_PAGE = Path(__file__).parents[3] / "docs" / "python-adapters.md"
_FIXTURES = Path(__file__).parent / "fixtures" / "constructed"
_BLOCK = re.compile(r"<!-- the adapter:.*?-->\n```python\n(.*?)```", re.DOTALL)


@cache
def _class() -> Any:
    match = _BLOCK.search(_PAGE.read_text(encoding="utf-8"))
    assert match, f"{_PAGE.name} has no adapter block"
    names: dict[str, Any] = {"__name__": "guide_adapter"}
    exec(compile(match[1], str(_PAGE), "exec"), names)
    return names["ChatProvider"]


def constructed(name: str) -> Any:
    """The reply in a constructed fixture."""
    return json.loads((_FIXTURES / f"{name}.json").read_text(encoding="utf-8"))["reply"]


def chat_provider(answer: Any, sent: list[Any] | None = None) -> Any:
    """The page's class, whose vendor always gives this answer; what it was sent is added to `sent`."""

    class Answering(_class()):
        async def _post(self, body: dict[str, Any]) -> Any:
            if sent is not None:
                sent.append(body)
            return answer(body) if callable(answer) else answer

    return Answering()
