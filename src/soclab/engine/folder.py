"""The folder of a campaign: checked before the first request, made when the first run starts."""

from __future__ import annotations

import tempfile
from pathlib import Path

from soclab.contracts.vocabulary import Mode
from soclab.engine.journal import JOURNAL_NAME
from soclab.errors import OutputFolderError
from soclab.evidence.envelope import ENVELOPE_NAME
from soclab.previous import place_of_previous

__all__ = ["check_folder", "default_folder", "holds_campaign", "open_folder", "point_last"]

_HOME = ".soclab"
_RESULT_NAMES = (JOURNAL_NAME, "scorecard.json", "report.html", ENVELOPE_NAME)
_MODES = tuple(mode.value for mode in Mode)
_BESIDE = ("comparison.json",)
"""May stand beside a campaign, or above the campaigns of two modes, so it says nothing of what a folder holds."""


def check_folder(out: Path | None, root: Path, overwrite: bool, *, both_modes: bool = False) -> None:
    """
    Whether the campaign can write there; nothing is written.

    Args:
        out: the user's `--soclab-out`, None for the default below `root`.
        both_modes: it is the folder of one of two modes, and theirs is the one above it.

    Raises:
        OutputFolderError: it is a file, cannot be written, or holds something that is not to be overwritten.
    """
    if out is None:
        _writable(root / _HOME)
        return
    if out.exists() and not out.is_dir():
        raise OutputFolderError(f"--soclab-out {out}: this is a file; name a folder")
    taken = _taken(out, both_modes=both_modes)
    if taken is not None and not overwrite:
        raise OutputFolderError(
            f"--soclab-out {taken}: holds another campaign; choose another folder, or keep it as "
            f"{taken.name}.previous with --soclab-overwrite"
        )
    _writable(out)


def default_folder(root: Path, name: str) -> Path:
    """Where a campaign of this name stands when the user names no folder."""
    return root / _HOME / "runs" / name


def open_folder(out: Path | None, root: Path, overwrite: bool, name: str, *, both_modes: bool = False) -> Path:
    """
    Make the folder (mode 0700) and, for the default place, point `.soclab/last` at it.

    Args:
        name: of the folder in the default place.

    Raises:
        OutputFolderError: as `check_folder`, or somebody else was faster.
    """
    check_folder(out, root, overwrite, both_modes=both_modes)
    try:
        if out is not None:
            while (taken := _taken(out, both_modes=both_modes)) is not None:
                _keep_previous(taken)
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


def _taken(out: Path, *, both_modes: bool) -> Path | None:
    """Where a campaign of ours stands in the way of one at `out`; None where nothing does."""
    if holds_campaign(out) or any(holds_campaign(out / mode) for mode in _MODES):
        return out
    return out.parent if both_modes and holds_campaign(out.parent) else None


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
    previous = place_of_previous(out)
    previous.mkdir(mode=0o700)
    for name in (*_RESULT_NAMES, *_BESIDE, *(mode for mode in _MODES if holds_campaign(out / mode))):
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
