"""The folder of a campaign: checked before the first request, made when the first run starts."""

from __future__ import annotations

import tempfile
from pathlib import Path

from soclab.engine.journal import JOURNAL_NAME
from soclab.errors import OutputFolderError
from soclab.evidence.envelope import ENVELOPE_NAME

__all__ = ["check_folder", "default_folder", "holds_campaign", "open_folder", "point_last"]

_HOME = ".soclab"
_RESULT_NAMES = (JOURNAL_NAME, "scorecard.json", "report.html", ENVELOPE_NAME)
_BESIDE = ("comparison.json",)
"""May stand beside a campaign, or above the campaigns of two modes, so it says nothing of what a folder holds."""


def check_folder(out: Path | None, root: Path, overwrite: bool) -> None:
    """
    Whether the campaign can write there; nothing is written.

    Args:
        out: the user's `--soclab-out`, None for the default below `root`.

    Raises:
        OutputFolderError: it is a file, cannot be written, or holds something that is not to be overwritten.
    """
    if out is None:
        _writable(root / _HOME)
        return
    if out.exists() and not out.is_dir():
        raise OutputFolderError(f"--soclab-out {out}: this is a file; name a folder")
    if holds_campaign(out) and not overwrite:
        raise OutputFolderError(
            f"--soclab-out {out}: holds another campaign; choose another folder, or keep it as "
            f"{out.name}.previous with --soclab-overwrite"
        )
    _writable(out)


def default_folder(root: Path, name: str) -> Path:
    """Where a campaign of this name stands when the user names no folder."""
    return root / _HOME / "runs" / name


def open_folder(out: Path | None, root: Path, overwrite: bool, name: str) -> Path:
    """
    Make the folder (mode 0700) and, for the default place, point `.soclab/last` at it.

    Args:
        name: of the folder in the default place.

    Raises:
        OutputFolderError: as `check_folder`, or somebody else was faster.
    """
    check_folder(out, root, overwrite)
    try:
        if out is not None:
            if holds_campaign(out):
                _keep_previous(out)
            out.mkdir(mode=0o700, parents=True, exist_ok=True)
            return out
        return _make_default(root, name)
    except OSError as error:
        raise OutputFolderError(
            f"cannot make the campaign's folder {out or root / _HOME}: {error.strerror or error}; "
            "choose another with --soclab-out"
        ) from error


def holds_campaign(folder: Path) -> bool:
    """Whether something of ours stands there."""
    return folder.is_dir() and any((folder / name).exists() for name in _RESULT_NAMES)


def _writable(folder: Path) -> None:
    """Permissions are not all: some places let nobody make anything, so something is made and taken away again."""
    place = folder
    while not place.exists() and place != place.parent:
        place = place.parent
    try:
        Path(tempfile.mkdtemp(prefix=".soclab-", dir=place)).rmdir()
    except OSError:
        raise OutputFolderError(
            f"{folder} cannot be written ({place}); choose another folder with --soclab-out"
        ) from None


def _keep_previous(out: Path) -> None:
    """Only files of ours move: whatever else stands in the folder stays where its owner put it."""
    previous = out.with_name(f"{out.name}.previous")
    number = 1
    while previous.exists():
        number += 1
        previous = out.with_name(f"{out.name}.previous-{number}")
    previous.mkdir(mode=0o700)
    for name in (*_RESULT_NAMES, *_BESIDE):
        if (out / name).exists():
            (out / name).rename(previous / name)


def _make_default(root: Path, name: str) -> Path:
    home = root / _HOME
    home.mkdir(mode=0o700, exist_ok=True)
    ignore = home / ".gitignore"
    if not ignore.exists():
        ignore.write_text("*\n", encoding="utf-8")
    folder = default_folder(root, name)
    folder.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    folder.mkdir(mode=0o700)
    point_last(root, folder)
    return folder


def point_last(root: Path, folder: Path) -> None:
    """Let `.soclab/last` name a folder below it."""
    home = root / _HOME
    pointer = home / "last.new"
    pointer.write_text(f"{folder.relative_to(home).as_posix()}\n", encoding="utf-8")
    pointer.replace(home / "last")
