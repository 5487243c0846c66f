"""Reads back what a journal says of its campaign: the records that stand beside its events."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from soclab.contracts.campaign import CampaignEnd, CampaignHeader
from soclab.contracts.scorecard_v1 import ScenarioResult
from soclab.evidence.latest import one_per_run

__all__ = ["CampaignRecords", "read_campaign", "read_header"]

_STARTED, _FINISHED = "campaign_started", "campaign_finished"
_WANTED = tuple(f'"kind":"{kind}"'.encode() for kind in (_STARTED, "campaign_resumed", "run_finished", _FINISHED))


@dataclass(frozen=True)
class CampaignRecords:
    """
    Attributes:
        header: as the campaign wrote it first.
        results: of every run that was finished, one each, in the order of the lines.
        end: None while no session closed the campaign after the last one began.
    """

    header: CampaignHeader
    results: tuple[ScenarioResult, ...]
    end: CampaignEnd | None


def read_campaign(journal: Path) -> CampaignRecords:
    """
    The records of a journal; lines that are torn or damaged are left out (`verify_journal` names them).

    Raises:
        OSError: the file cannot be read.
        ValueError: it is no journal of a campaign that this version can read.
    """
    lines = list(_lines(journal))
    headers = list(_beside(lines, _STARTED, "header"))
    if not headers:
        raise ValueError("no campaign was started in it")
    ends = list(_beside(lines[-1:], _FINISHED, "end"))
    return CampaignRecords(
        header=CampaignHeader.model_validate_json(headers[0]),
        results=one_per_run(
            ScenarioResult.model_validate_json(one) for one in _beside(lines, "run_finished", "result")
        ),
        end=CampaignEnd.model_validate_json(ends[0]) if ends else None,
    )


def read_header(journal: Path) -> CampaignHeader:
    """
    What its first line says; no other is looked at.

    Raises:
        OSError: the file cannot be read.
        ValueError: it is no first line of a campaign that this version can read.
    """
    with journal.open("rb") as file:
        line = _decoded(file.readline())
    for header in _beside([line] if line else [], _STARTED, "header"):
        return CampaignHeader.model_validate_json(header)
    raise ValueError("the first line tells of no campaign")


def _lines(journal: Path) -> Iterator[dict[str, Any]]:
    """The decoded lines of the wanted kinds; the many others are only looked at as bytes."""
    with journal.open("rb") as file:
        for raw in file:
            if any(kind in raw for kind in _WANTED) and (line := _decoded(raw)) is not None:
                yield line


def _decoded(raw: bytes) -> dict[str, Any] | None:
    if not raw.endswith(b"\n"):
        return None
    try:
        line = json.loads(raw)
    except (ValueError, RecursionError):
        return None
    return line if isinstance(line, dict) else None


def _beside(lines: list[dict[str, Any]], kind: str, key: str) -> Iterator[str]:
    """JSON text of what stands beside the events of one kind; records are strict only about JSON text."""
    for line in lines:
        beside = line.get("beside")
        if line.get("kind") == kind and isinstance(beside, dict) and key in beside:
            yield json.dumps(beside[key])
