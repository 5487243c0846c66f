"""`soclab verify`: whether a campaign's folder holds what was written."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated

import typer

from soclab.assembly.signatures import check_signature, checker_of
from soclab.assembly.verifying import Checked, campaign_folders, check_comparison, check_folder_evidence
from soclab.cli.options import folder_of
from soclab.contracts.evidence import BadLine, LineFault, Signature
from soclab.contracts.vocabulary import Mode
from soclab.evidence.envelope import ENVELOPE_NAME
from soclab.evidence.signing import KEY_VARIABLE, EvidenceChecker
from soclab.redaction import clean

__all__ = ["verify"]

_COPY = "take the results from a copy that verifies"
_NEXT = dict.fromkeys(LineFault, _COPY) | {
    LineFault.TRUNCATED: "finish a killed campaign with `soclab campaign --resume`, or take a copy that verifies",
}
_NEXT_OF_SIGNATURES = dict.fromkeys(Signature, _COPY) | {
    Signature.MISSING: f"set {KEY_VARIABLE} when the campaign is run",
    Signature.WRONG_KEY: "name the public key of whoever ran the campaign, or trust it no more than an unsigned one",
}


def verify(
    folder: Annotated[str, typer.Argument(metavar="DIR", help="Folder of a campaign, or of a comparison.")],
    public_key: Annotated[
        str | None,
        typer.Option("--public-key", metavar="FILE", help="Check the signature too: an Ed25519 key, PEM or base64."),
    ] = None,
) -> int:
    """
    Check a campaign's journal line by line, and its scorecard and page against the journal.

    The exit status is 0 when all is as it was written and 1 when it is not: then the first bad line is named, and
    whether it was changed, or is missing, inserted, swapped or truncated. A folder without a journal is wrong use.
    """
    place, key = folder_of(folder, "DIR") or Path(), folder_of(public_key, "--public-key")
    checker = None if key is None else checker_of(key)
    folders = campaign_folders(place)
    checked = [check_folder_evidence(one, None if one == place else Mode(one.name)) for one in folders]
    bad = [*_bad_lines(place, checked), *_bad_signatures(checked, checker)]
    lines = bad or [_verified(one, is_checked=checker is not None) for one in checked]
    for line in lines:
        typer.echo(clean(line))
    return 1 if bad else 0


def _bad_lines(place: Path, checked: Sequence[Checked]) -> Iterator[str]:
    cards = []
    for one in checked:
        if one.bad is not None:
            yield _bad_line(one.folder, one.bad)
        elif one.scorecard is not None:
            cards.append(one.scorecard)
    if len(cards) == 2 and (line := check_comparison(place, cards[0], cards[1])) is not None:
        yield _bad_line(place, line)


def _bad_line(folder: Path, line: BadLine) -> str:
    number = f"{line.line}" if line.or_line is None else f"{line.line} (or {line.or_line})"
    return f"{folder / line.file}:{number}: {line.fault.value}: {line.what}; {_NEXT[line.fault]}"


def _bad_signatures(checked: Sequence[Checked], checker: EvidenceChecker | None) -> Iterator[str]:
    """Of folders whose files are in order: a signature says nothing about others."""
    for one in checked:
        path = one.folder / ENVELOPE_NAME
        if one.scorecard is None or one.bad is not None:
            continue
        if one.signed_by is not None and not path.exists():
            yield f"{path}: missing: the journal says that key {one.signed_by[:16]} signed the campaign; {_COPY}"
        elif checker is not None:
            found, why = check_signature(one.folder, one.scorecard, checker)
            if found is not Signature.GOOD:
                yield f"{path}: {found.value}: {why}; {_NEXT_OF_SIGNATURES[found]}"


def _verified(one: Checked, *, is_checked: bool) -> str:
    signed = "not signed"
    if (one.folder / ENVELOPE_NAME).exists():
        signed = "signature good" if is_checked else "signature not checked (give --public-key)"
    runs = "1 run" if one.runs == 1 else f"{one.runs} runs"
    return f"{one.folder}: verified: {runs}, {one.lines} lines, root {one.root}, {signed}"
