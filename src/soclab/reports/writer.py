"""Every file that is made of a scorecard, written whole or not at all."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from types import MappingProxyType

from soclab.contracts.comparison_v1 import Comparison
from soclab.contracts.scorecard_v1 import Scorecard
from soclab.errors import OutputFolderError
from soclab.previous import place_of_previous
from soclab.reports.formats import jsonfile, webpage

__all__ = [
    "COMPARISON",
    "FORMATS",
    "formats_of",
    "keep_earlier",
    "write_comparison",
    "write_file",
    "write_reports",
]

COMPARISON = "comparison.json"

FORMATS: Mapping[str, Callable[[Scorecard], Iterable[bytes]]] = MappingProxyType(
    {
        "scorecard.json": jsonfile.pieces,
        "report.html": webpage.pieces,
    }
)
"""File name -> what makes its bytes, in pieces; of every campaign."""


def formats_of(scorecard: Scorecard) -> dict[str, Iterable[bytes]]:
    """Name -> bytes, in pieces, of every file that is made of this scorecard; each is made when it is asked for."""
    files = {name: pieces(scorecard) for name, pieces in FORMATS.items()}
    return files if scorecard.comparison is None else files | {COMPARISON: jsonfile.pieces(scorecard.comparison)}


def write_reports(folder: Path, scorecard: Scorecard) -> None:
    """
    Write every format into the campaign's folder; a reader never sees half a file.

    Raises:
        OutputFolderError: the folder cannot be written.
    """
    for name, content in formats_of(scorecard).items():
        write_file(folder / name, content)


def write_comparison(folder: Path, comparison: Comparison) -> None:
    """
    Write `comparison.json` beside the folders of the two campaigns.

    Raises:
        OutputFolderError: the folder cannot be written.
    """
    write_file(folder / COMPARISON, jsonfile.pieces(comparison))


def keep_earlier(path: Path) -> None:
    """What an earlier comparison came to stays beside the new one, as its campaigns do."""
    if path.exists():
        path.replace(place_of_previous(path))


def write_file(path: Path, content: Iterable[bytes]) -> None:
    """
    Write a file whole or not at all.

    Args:
        content: its bytes, in pieces.

    Raises:
        OutputFolderError: it cannot be written.
    """
    new = path.with_name(f"{path.name}.new")
    try:
        with new.open("wb") as file:
            file.writelines(content)
        os.replace(new, path)
    except OSError as error:
        with contextlib.suppress(OSError):
            new.unlink(missing_ok=True)
        raise OutputFolderError(f"cannot write {path}: {error.strerror or error}; choose another folder") from error
