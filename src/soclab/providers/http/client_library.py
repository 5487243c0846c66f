"""
httpx, without its command line: that would import click, pygments and rich, a tenth of what start-up costs.

Every module of this room takes `httpx` from here.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["httpx"]

_COMMAND_LINE = "httpx._main"


@contextmanager
def _left_out(module: str) -> Iterator[None]:
    """Whoever imports it meanwhile finds it missing, as where the optional packages it needs are not installed."""
    if module in sys.modules:
        yield
        return
    sys.modules[module] = None  # type: ignore[assignment]  # what stops an import, says the language reference
    try:
        yield
    finally:
        del sys.modules[module]


with _left_out(_COMMAND_LINE):
    import httpx
