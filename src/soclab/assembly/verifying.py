"""Whether a folder still holds what its campaign wrote."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from soclab import __version__
from soclab.contracts.evidence import BadLine, LineFault, Seal
from soclab.contracts.scorecard_v1 import Scorecard
from soclab.contracts.vocabulary import Mode
from soclab.engine.journal import JOURNAL_NAME
from soclab.errors import OutputFolderError
from soclab.evidence.diagnosis import diagnose
from soclab.evidence.reading import CampaignRecords, read_campaign
from soclab.evidence.verify import Verification, verify_journal
from soclab.reports.formats import jsonfile
from soclab.reports.writer import COMPARISON, FORMATS, formats_of
from soclab.scoring.comparison import compare_scorecards
from soclab.scoring.scorecard import rebuild

__all__ = ["Checked", "campaign_folders", "check_comparison", "check_folder_evidence"]

_SCORECARD = "scorecard.json"
_UNREADABLE = BadLine(
    file=JOURNAL_NAME, line=1, fault=LineFault.CHANGED, what="its records cannot be read by this version"
)


@dataclass(frozen=True)
class Checked:
    """
    Attributes:
        bad: the first line that is not what was written; None when everything is.
        lines, runs: of the journal.
        root: hash of its last line.
        scorecard: as the journal says it; None when the journal could not be relied on.
        signed_by: the key that signed the files, as the closing record names it; None where nobody did.
    """

    folder: Path
    bad: BadLine | None
    lines: int
    runs: int
    root: str
    scorecard: Scorecard | None
    signed_by: str | None = None


def campaign_folders(folder: Path) -> tuple[Path, ...]:
    """
    The folder itself, or those of both modes when it holds two campaigns.

    Raises:
        OutputFolderError: there is no folder, or no journal in it.
    """
    if not folder.is_dir():
        raise OutputFolderError(f"{folder}: is no folder; name the folder of a campaign")
    if (folder / JOURNAL_NAME).is_file():
        return (folder,)
    both = tuple(folder / mode.value for mode in Mode)
    if any((one / JOURNAL_NAME).is_file() for one in both):
        return both
    raise OutputFolderError(f"{folder}: holds no {JOURNAL_NAME}, so nothing can be verified; name a campaign's folder")


def check_folder_evidence(folder: Path, mode: Mode | None = None) -> Checked:
    """
    Check a campaign's journal, and every file that is made of it against what the journal gives.

    Args:
        mode: that the campaign must be of: its folder is named after it.

    Raises:
        OutputFolderError: a file cannot be read, or is none that has an end.
    """
    for name in (JOURNAL_NAME, *FORMATS):
        if (folder / name).exists() and not (folder / name).is_file():
            raise OutputFolderError(f"{folder / name}: is no ordinary file, so nothing can be verified; remove it")
    journal = folder / JOURNAL_NAME
    if not journal.is_file():
        return Checked(folder, _missing(JOURNAL_NAME, "there is no journal of this mode"), 0, 0, "", None)
    try:
        seen = verify_journal(journal)
        bad = diagnose(journal, _seal_of(folder / _SCORECARD)) or _unexplained(seen)
        records = _records(journal) if bad is None else None
        if bad is None:
            bad = _UNREADABLE if records is None else _contradicted(records, seen)
        scorecard = None if bad else rebuild(journal)
        if scorecard is not None:
            bad = _of_another_mode(scorecard, mode) or _first_difference(folder, scorecard)
    except OSError as error:
        raise OutputFolderError(f"{folder}: cannot be read: {error.strerror or error}") from error
    signed_by = records.end.signed_by if records and records.end else None
    return Checked(folder, bad, seen.lines, len(seen.roots), seen.last_hash, scorecard, signed_by)


def check_comparison(folder: Path, baseline: Scorecard, protected: Scorecard) -> BadLine | None:
    """
    The first line of `comparison.json` that is not what both scorecards give. It may be absent where nobody wrote it.

    Raises:
        OutputFolderError: it cannot be read.
    """
    path = folder / COMPARISON
    try:
        if not path.exists():
            return _missing(COMPARISON, "the campaigns below it were compared in it") if _was_compared(folder) else None
        return _difference(path, jsonfile.render(compare_scorecards(baseline, protected)), "the two scorecards give")
    except OSError as error:
        raise OutputFolderError(f"{path}: cannot be read: {error.strerror or error}") from error


def _was_compared(folder: Path) -> bool:
    """Two campaigns of one session were led to their end; an interrupted one leaves no comparison."""
    found = [read_campaign(folder / mode.value / JOURNAL_NAME) for mode in Mode]
    return all(one.header.both_modes and one.end is not None and not one.end.cancelled for one in found)


def _seal_of(path: Path) -> Seal | None:
    """What a scorecard says of the journal's end; it is believed only where the journal does not contradict it."""
    try:
        said = json.loads(path.read_bytes())["evidence"]
        lines, root = said["journal_lines"], said["journal_root"]
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return None
    is_one = isinstance(root, str) and root and isinstance(lines, int) and not isinstance(lines, bool)
    return Seal(lines=lines, root=root) if is_one else None


def _unexplained(seen: Verification) -> BadLine | None:
    if seen.bad_line is None:
        return None
    return BadLine(file=JOURNAL_NAME, line=seen.bad_line, fault=LineFault.CHANGED, what=seen.problem)


def _records(journal: Path) -> CampaignRecords | None:
    try:
        return read_campaign(journal)
    except ValueError:
        return None


def _contradicted(records: CampaignRecords, seen: Verification) -> BadLine | None:
    """Records whose roots are not those of the events: every hash fits, so whoever changed it made the hashes anew."""
    named = {one.run_id: one.evidence_root for one in records.results} | (records.end.roots if records.end else {})
    for run_id, root in named.items():
        if seen.roots.get(run_id) != root:
            what = f"the closing record names another root for run {run_id} than its events have"
            return BadLine(file=JOURNAL_NAME, line=seen.lines, fault=LineFault.CHANGED, what=what)
    return None


def _of_another_mode(scorecard: Scorecard, mode: Mode | None) -> BadLine | None:
    if mode is None or scorecard.mode is mode:
        return None
    what = f"it is the journal of a campaign in mode {scorecard.mode.value}, in the folder of mode {mode.value}"
    return BadLine(file=JOURNAL_NAME, line=1, fault=LineFault.SWAPPED, what=what)


def _first_difference(folder: Path, scorecard: Scorecard) -> BadLine | None:
    if not (folder / _SCORECARD).is_file():
        return _missing(_SCORECARD, "the campaign has no scorecard: make it with `soclab scorecard --rebuild`")
    said = "the journal gives"
    if scorecard.soclab_version != __version__:
        said = f"the journal gives (in version {__version__}; soclab {scorecard.soclab_version} wrote it)"
    written = formats_of(scorecard)
    if COMPARISON not in written and (folder / COMPARISON).exists():
        what = "the campaign was compared with none, and wrote no such file"
        return BadLine(file=COMPARISON, line=1, fault=LineFault.INSERTED, what=what)
    for name, content in written.items():
        path = folder / name
        if not path.is_file():
            return _missing(name, "the campaign wrote it: make it again with `soclab scorecard --rebuild`")
        if (bad := _difference(path, b"".join(content), said)) is not None:
            return bad
    return None


def _difference(path: Path, expected: bytes, said: str) -> BadLine | None:
    found = path.read_bytes()
    if found == expected:
        return None
    are, should = found.splitlines(keepends=True), expected.splitlines(keepends=True)
    pairs = enumerate(zip(are, should, strict=False), 1)
    line = next((number for number, (one, other) in pairs if one != other), min(len(are), len(should)) + 1)
    return BadLine(file=path.name, line=line, fault=LineFault.CHANGED, what=f"it is not what {said}")


def _missing(name: str, what: str) -> BadLine:
    return BadLine(file=name, line=1, fault=LineFault.MISSING, what=what)
