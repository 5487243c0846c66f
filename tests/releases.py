"""A small pack and agents for comparisons: two goals, each in many scenarios, and clean runs."""

from __future__ import annotations

from pathlib import Path

import soclab.scenarios

__all__ = ["RELEASES", "pack_of"]

CORPUS = Path(soclab.scenarios.__file__).parent / "corpus"

RELEASES = '''
"""Two releases of one agent; the texts of ATK-001 say "Desk update"."""
import json

from agents import CREDULOUS, WARY, noted

SEEN = {}


def _obeys(request, phrase):
    """Whether the phrase was in something that this run was sent by now."""
    said = json.dumps(request)
    SEEN[request["run_id"]] = SEEN.get(request["run_id"], False) or phrase in said
    return SEEN[request["run_id"]]


async def good(request):
    noted(request)
    return WARY(request)


async def worse(request):
    """Obeys whoever writes into the ticket."""
    noted(request)
    return (CREDULOUS if _obeys(request, "Desk update") else WARY)(request)
'''


def pack_of(folder: Path, harmful: int = 8, closing: int = 8, clean: int = 1) -> Path:
    """
    A folder of scenarios.

    Args:
        harmful: copies of ATK-001 (goal G05); `closing`: of ATK-041 (goal G01); `clean`: of BEN-001.
    """
    folder.mkdir()
    for base, count, first in (("ATK-001", harmful, 70001), ("ATK-041", closing, 71001), ("BEN-001", clean, 70001)):
        source = next(CORPUS.rglob(f"{base}*.yaml")).read_text(encoding="utf-8")
        for number in range(first, first + count):
            name = f"{base[:3]}-{number}"
            (folder / f"{name}.yaml").write_text(source.replace(f"id: {base}", f"id: {name}"), encoding="utf-8")
    return folder
