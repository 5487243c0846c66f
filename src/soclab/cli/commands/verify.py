"""`soclab verify`: whether a campaign's folder holds what was written."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated

import typer

from soclab.assembly.verifying import Checked, campaign_folders, check_comparison, check_folder_evidence
from soclab.cli.options import folder_of
from soclab.contracts.evidence import BadLine, LineFault
from soclab.redaction import clean

__all__ = ["verify"]

_NEXT = {
    LineFault.CHANGED: "take the results from a copy that verifies",
    LineFault.MISSING: "take the results from a copy that verifies",
    LineFault.INSERTED: "take the results from a copy that verifies",
    LineFault.SWAPPED: "take the results from a copy that verifies",
    LineFault.TRUNCATED: "finish a killed campaign with `soclab campaign --resume`, or take a copy that verifies",
}


def verify(
    folder: Annotated[str, typer.Argument(metavar="DIR", help="Folder of a campaign, or of a comparison.")],
) -> int:
    """
    Check a campaign's journal line by line, and its scorecard and page against the journal.

    The exit status is 0 when all is as it was written and 1 when it is not: then the first bad line is named, and
    whether it was changed, or is missing, inserted, swapped or truncated. A folder without a journal is wrong use.
    """
    place = folder_of(folder, "DIR") or Path()
    checked = [check_folder_evidence(one) for one in campaign_folders(place)]
    bad = [*_bad_lines(place, checked)]
    for where, line in bad:
        number = f"{line.line}" if line.or_line is None else f"{line.line} (or {line.or_line})"
        typer.echo(clean(f"{where / line.file}:{number}: {line.fault.value}: {line.what}; {_NEXT[line.fault]}"))
    if not bad:
        for one in checked:
            typer.echo(clean(_verified(one)))
    return 1 if bad else 0


def _bad_lines(place: Path, checked: Sequence[Checked]) -> Iterator[tuple[Path, BadLine]]:
    cards = []
    for one in checked:
        if one.bad is not None:
            yield one.folder, one.bad
        elif one.scorecard is not None:
            cards.append(one.scorecard)
    if len(cards) == 2 and (line := check_comparison(place, cards[0], cards[1])) is not None:
        yield place, line


def _verified(one: Checked) -> str:
    return f"{one.folder}: verified: {one.runs} runs, {one.lines} lines, root {one.root}, not signed"
