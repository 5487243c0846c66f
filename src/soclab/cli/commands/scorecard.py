"""`soclab scorecard`: a finished campaign, shown again."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

import typer
from pydantic import ValidationError

from soclab.assembly.signatures import sign_folder
from soclab.assembly.signer import signer_of
from soclab.cli.doorway import doorway_of
from soclab.cli.options import folder_of
from soclab.cli.showing import show_scorecard
from soclab.contracts.scorecard_v1 import Scorecard
from soclab.errors import ConfigurationError, OutputFolderError
from soclab.reports.writer import write_reports
from soclab.scoring.scorecard import rebuild
from soclab.scoring.stable import stable_bytes

__all__ = ["scorecard"]

_LAST = Path(".soclab", "last")
_JOURNAL, _SCORECARD = "journal.jsonl", "scorecard.json"


def scorecard(
    context: typer.Context,
    folder: Annotated[str | None, typer.Argument(metavar="[DIR]", help="Folder of a campaign. [the last one]")] = None,
    stable: Annotated[
        bool, typer.Option("--stable", help="Only what is the same for equal runs, as one line of canonical JSON.")
    ] = False,
    again: Annotated[
        bool, typer.Option("--rebuild", help="Make scorecard.json and report.html again from journal.jsonl.")
    ] = False,
) -> None:
    """Show the scorecard of a finished campaign again; it reads what was written and judges nothing anew."""
    place = folder_of(folder, "DIR") or _last(doorway_of(context).root)
    card = _rebuilt(place, doorway_of(context).environment) if again else _read(place)
    if stable:
        sys.stdout.write(stable_bytes(card).decode("ascii") + "\n")
        return
    show_scorecard(card, place)


def _last(root: Path) -> Path:
    try:
        return root / ".soclab" / (root / _LAST).read_text("utf-8").strip()
    except (OSError, UnicodeDecodeError):
        raise ConfigurationError(f"no campaign was run in {root} yet; name the folder of one") from None


def _read(folder: Path) -> Scorecard:
    path = folder / _SCORECARD
    try:
        return Scorecard.model_validate_json(path.read_bytes())
    except FileNotFoundError:
        hint = "; make it with --rebuild" if (folder / _JOURNAL).is_file() else ""
        raise OutputFolderError(f"{path}: there is no scorecard{hint}") from None
    except OSError as error:
        raise OutputFolderError(f"{path}: cannot be read: {error.strerror or error}") from error
    except ValidationError:
        raise OutputFolderError(f"{path}: this is no scorecard that this version can read") from None


def _rebuilt(folder: Path, environment: Mapping[str, str]) -> Scorecard:
    signer = signer_of(environment)
    card = rebuild(folder / _JOURNAL)
    write_reports(folder, card)
    sign_folder(folder, card, signer)
    return card
