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

_STARTED, _DONE, _FINISHED = "campaign_started", "run_finished", "campaign_finished"
_WANTED = tuple(f'"kind":"{kind}"'.encode() for kind in (_STARTED, "campaign_resumed", _DONE, _FINISHED))


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
    reading = _Reading()
    results = one_per_run(reading.results(journal))
    if reading.header is None:
        raise ValueError("no campaign was started in it")
    return CampaignRecords(
        header=CampaignHeader.model_validate_json(reading.header),
        results=results,
        end=None if reading.end is None else CampaignEnd.model_validate_json(reading.end),
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
    header = None if line is None else _beside(line, _STARTED, "header")
    if header is None:
        raise ValueError("the first line tells of no campaign")
    return CampaignHeader.model_validate_json(header)


class _Reading:
    """
    One pass over a journal that holds no line longer than it is looked at.

    Attributes:
        header: of the first line that has one, JSON text.
        end: of the latest line, when that is a closing one.
    """

    header: str | None = None
    end: str | None = None

    def results(self, journal: Path) -> Iterator[ScenarioResult]:
        """Those of all lines; header and end are known when it is exhausted."""
        for line in _lines(journal):
            if self.header is None:
                self.header = _beside(line, _STARTED, "header")
            self.end = _beside(line, _FINISHED, "end")
            result = _beside(line, _DONE, "result")
            if result is not None:
                yield ScenarioResult.model_validate_json(result).to_keep()


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


def _beside(line: dict[str, Any], kind: str, key: str) -> str | None:
    """JSON text of what stands beside an event of one kind; records are strict only about JSON text."""
    beside = line.get("beside")
    if line.get("kind") == kind and isinstance(beside, dict) and key in beside:
        return json.dumps(beside[key])
    return None
