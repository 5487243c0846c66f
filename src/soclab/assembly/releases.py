"""The earlier campaign of a comparison: found, read, and refused where nothing could be compared with it."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from pydantic import BaseModel, ConfigDict, ValidationError

from soclab.contracts.approval import Approver
from soclab.contracts.releases_v1 import EarlierRelease, Release, ReleaseRun
from soclab.contracts.vocabulary import Kind, Mode, Outcome
from soclab.engine.folder import holds_campaign
from soclab.errors import ConfigurationError, OutputFolderError
from soclab.scoring.populations import last_words
from soclab.scoring.releases.sides import differences
from soclab.strict_json import InvalidJson, decode

__all__ = ["LAST", "check_alike", "last_finished", "read_release"]

LAST: Final = "last"
"""In place of a folder: the newest campaign below `.soclab` that was led to its end."""

_SCHEMA: Final = "soclab.scorecard.v1"
_SCORECARD, _JOURNAL = "scorecard.json", "journal.jsonl"
_AGAIN: Final = "make it again from its journal with `soclab scorecard --rebuild`, or name another campaign"


class _Open(BaseModel):
    """What a comparison needs of a file that another version may have written: more keys are no fault."""

    model_config = ConfigDict(frozen=True, extra="ignore", strict=True)


class _Pack(_Open):
    name: str
    version: str
    sha256: str


class _Provider(_Open):
    label: str


class _Evidence(_Open):
    all_valid: bool
    journal_root: str = ""


class _Run(_Open):
    id: str
    kind: Kind
    goal: str | None = None
    twin_of: str | None = None
    trial: int = 1
    attempt: int = 1
    outcome: Outcome | None = None
    asked_by_test: bool = False


class _Card(_Open):
    soclab_version: str
    campaign_id: str
    started_at: str
    mode: Mode
    authority_level_tested: str
    without: tuple[str, ...] = ()
    approver: Approver = Approver.NONE
    provider: _Provider
    pack: _Pack
    profile_version: str | None = None
    profile_sha256: str | None = None
    policy_version: str | None = None
    trials: int = 1
    complete: bool
    scenarios: tuple[_Run, ...]
    evidence: _Evidence


def last_finished(root: Path, mode: Mode, where: str) -> Path:
    """
    The newest campaign of this mode below `.soclab` that was led to its end: the one that `.soclab/last` names, else
    the newest of the folders there.

    Raises:
        ConfigurationError: there is none.
    """
    for folder in _newest_first(root / ".soclab"):
        for place in _places(folder, mode):
            if holds_campaign(place) and _is_finished(place):
                return place
    raise ConfigurationError(f"{where}: no campaign was led to its end in {root} yet; run one first, or name a folder")


def _places(folder: Path, mode: Mode) -> tuple[Path, Path]:
    """Where its campaign of this mode may stand; the folder may be that of one of two modes."""
    if folder.name in {one.value for one in Mode}:
        return folder.parent / mode.value, folder
    return folder, folder / mode.value


def _newest_first(home: Path) -> Iterator[Path]:
    with contextlib.suppress(OSError, UnicodeDecodeError):
        yield home / (home / "last").read_text("utf-8").strip()
    runs = home / "runs"
    if runs.is_dir():
        yield from sorted((one for one in runs.iterdir() if one.is_dir()), key=lambda one: one.name, reverse=True)


def _is_finished(folder: Path) -> bool:
    """Whether its scorecard says so; one that cannot be read is not passed over in silence."""
    try:
        said = decode((folder / _SCORECARD).read_bytes())
    except FileNotFoundError:
        return False
    except (OSError, InvalidJson):
        return True
    return not isinstance(said, dict) or said.get("complete") is not False


def read_release(folder: Path, where: str, mode: Mode | None = None) -> EarlierRelease:
    """
    Args:
        folder: of a campaign, or of the campaigns of both modes when `mode` is given.
        where: what the user said, for messages: `--soclab-compare DIR`.

    Raises:
        OutputFolderError: there is no campaign that could be compared with.
    """
    place = folder
    if mode is not None and not holds_campaign(folder) and holds_campaign(folder / mode.value):
        place = folder / mode.value
    card = _checked(_content(place, where), where)
    if not card.complete:
        raise OutputFolderError(
            f"{where}: its campaign is unfinished or a part of one; go on with --soclab-resume, or name a whole one"
        )
    if not card.evidence.all_valid:
        raise OutputFolderError(f"{where}: its evidence does not verify; see `soclab verify`, or name another campaign")
    return EarlierRelease(release=_release(card), runs=tuple(_runs(card)))


def check_alike(earlier: Release, later: Release, where: str, *, now: str = "now") -> None:
    """
    Raises:
        ConfigurationError: what has to be equal is not; both values are named.
    """
    found = differences(earlier, later)
    if found:
        said = "; ".join(f"its {name} is {was!a}, {now} {value!a}" for name, was, value in found)
        raise ConfigurationError(f"{where}: cannot be compared: {said}; compare campaigns that were run alike")


def _content(folder: Path, where: str) -> bytes:
    path = folder / _SCORECARD
    try:
        return path.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        pass
    except OSError as error:
        raise OutputFolderError(f"{where}: {_SCORECARD} cannot be read: {error.strerror or error}") from error
    if not folder.is_dir():
        raise OutputFolderError(f"{where}: there is no such folder; name the folder of a campaign")
    if (folder / _JOURNAL).is_file():
        raise OutputFolderError(
            f"{where}: its campaign was never finished, there is no {_SCORECARD}; go on with --soclab-resume, or name "
            "another campaign"
        )
    both = [mode.value for mode in Mode if holds_campaign(folder / mode.value)]
    if both:
        raise OutputFolderError(f"{where}: holds the campaigns of both modes; name {folder / both[-1]}")
    raise OutputFolderError(f"{where}: holds no campaign; name the folder of one, with {_SCORECARD} in it")


def _checked(content: bytes, where: str) -> _Card:
    where = f"{where}: its {_SCORECARD}"
    try:
        said = decode(content)
    except InvalidJson as error:
        raise OutputFolderError(f"{where} is damaged ({error}); {_AGAIN}") from None
    schema = said.get("schema") if isinstance(said, dict) else None
    if isinstance(schema, str) and schema.startswith("soclab.scorecard.") and schema != _SCHEMA:
        raise OutputFolderError(
            f"{where} is a {schema!a} and this version reads {_SCHEMA}; compare with the soclab that wrote it"
        )
    if schema != _SCHEMA:
        raise OutputFolderError(f"{where} is no scorecard; name the folder of a campaign")
    try:
        return _Card.model_validate_json(content)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        at = ".".join(map(str, first["loc"]))
        raise OutputFolderError(f"{where} is damaged at {at!a} ({first['msg']}); {_AGAIN}") from None


def _release(card: _Card) -> Release:
    return Release(
        campaign_id=card.campaign_id,
        started_at=card.started_at,
        soclab_version=card.soclab_version,
        agent=card.provider.label,
        journal_root=card.evidence.journal_root,
        complete=card.complete,
        mode=card.mode,
        authority_level=card.authority_level_tested,
        without=card.without,
        approver=card.approver,
        pack_name=card.pack.name,
        pack_version=card.pack.version,
        pack_sha256=card.pack.sha256,
        profile_version=card.profile_version,
        profile_sha256=card.profile_sha256,
        policy_version=card.policy_version,
        trials=card.trials,
    )


def _runs(card: _Card) -> Iterator[ReleaseRun]:
    """Runs of the agent: no guards, no clean twins, of several attempts the one that counts."""
    for one in last_words(card.scenarios):
        if one.kind is not Kind.GUARD and one.twin_of is None:
            yield ReleaseRun(id=one.id, kind=one.kind, goal=one.goal, trial=one.trial, outcome=one.outcome)
