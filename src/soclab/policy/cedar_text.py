"""Cedar files, statement by statement, so that every error has a file and a line."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import cedarpy

from soclab.errors import PolicyError
from soclab.redaction import clean

__all__ = ["SUFFIX", "Statement", "parse", "read_folder", "why"]

SUFFIX: Final = ".cedar"
_WORDS: Final = 300
_LARGEST_BYTES: Final = 1 << 20
_LONGEST: Final = 16_384
_DEEPEST: Final = 50
"""Of a statement: characters, and brackets inside brackets. Some thousands crash Cedar's parser, and the process."""
_TOKEN: Final = re.compile(r'//[^\n]*|"(?:\\.|[^"\\])*"|;|[^\s/";]+|\S', re.DOTALL)
_OWN_NAME: Final = re.compile(r"(?:\[policy0\] )?for policy `policy0`, |^Policy parse error: |^\[policy0\] ")


@dataclass(frozen=True)
class Statement:
    """
    One policy as it is written.

    Attributes:
        file: where it stands.
        line: its first line, from 1.
    """

    file: Path
    line: int
    text: str

    def error(self, problem: str, hint: str) -> PolicyError:
        """The problem at the line that shows it, as one line."""
        return PolicyError(f"{clean(str(self.file))}, line {self._line_of(problem)}: {problem}; {hint}")

    def _line_of(self, problem: str) -> int:
        """The first line that holds what the problem quotes; else where the statement begins."""
        lines = self.text.splitlines()
        for quoted in re.findall(r"`([^`]+)`", problem):
            for offset, line in enumerate(lines):
                if quoted in line.split("//")[0]:
                    return self.line + offset
        return self.line


def read_folder(folder: Path) -> list[Statement]:
    """
    Every statement of the `*.cedar` files of a folder, files in the order of their names.

    Raises:
        PolicyError: no folder, no file, no statement, a file that cannot be read, or one that would not be.
    """
    shown = clean(str(folder))
    if not folder.is_dir():
        raise PolicyError(f"policy folder {shown}: there is no such folder; name one that holds *{SUFFIX} files")
    _nothing_unread(folder)
    found = [one for file in sorted(folder.glob(f"*{SUFFIX}")) for one in _statements(file, _text(file))]
    if not found:
        raise PolicyError(
            f"policy folder {shown}: no policy in it; put *{SUFFIX} files there, or leave the option away"
        )
    return found


def parse(statement: Statement) -> dict[str, Any]:
    """
    The policy in Cedar's JSON form.

    Raises:
        PolicyError: it is no policy.
    """
    _bounded(statement)
    try:
        text = cedarpy.policies_to_json_str(statement.text)
    except ValueError as error:
        raise statement.error(f"no Cedar policy: {why(error)}", "correct the policy that begins there") from None
    try:
        parsed = json.loads(text)
        cedarpy.PolicySet.from_json_str(text)
    except (ValueError, RecursionError):  # each operator of a chain is a level
        raise statement.error(
            "operators are chained too long, or nested too deep", "use `in` or `contains`, or write several policies"
        ) from None
    if parsed["templates"] or len(parsed["staticPolicies"]) != 1:
        raise statement.error("a template, or not exactly one policy", "write one policy without ?principal, ?resource")
    policy: dict[str, Any] = parsed["staticPolicies"].popitem()[1]
    return policy


def why(error: object) -> str:
    """What Cedar says, as one short line."""
    return clean(_OWN_NAME.sub("", " ".join(str(error).split())), _WORDS)


def _nothing_unread(folder: Path) -> None:
    """A `forbid` in a file that nobody reads would forbid nothing."""
    for entry in sorted(folder.iterdir()):
        unread = entry.suffix.lower() == SUFFIX != entry.suffix
        if unread or (entry.suffix != SUFFIX and entry.is_dir() and any(entry.glob(f"*{SUFFIX}"))):
            raise PolicyError(
                f"policy folder {clean(str(folder))}: {clean(entry.name)} would not be read; only *{SUFFIX} files that "
                "stand in the folder itself are: move it or rename it"
            )


def _bounded(statement: Statement) -> None:
    """What Cedar's parser can take; a longer or deeper policy crashes it."""
    if len(statement.text) > _LONGEST:
        raise statement.error(f"longer than {_LONGEST} characters", "write several policies")
    depth = 0
    for token in _TOKEN.findall(statement.text):
        if token.startswith(("//", '"')):
            continue
        for letter in token:
            depth += (letter in "([{") - (letter in ")]}")
            if depth > _DEEPEST:
                raise statement.error(f"brackets inside more than {_DEEPEST} others", "write it flatter")


def _text(file: Path) -> str:
    try:
        if not file.is_file():  # a pipe or a device has no end
            raise PolicyError(f"{clean(str(file))}: no ordinary file; mend or remove it")
        with file.open("rb") as opened:
            raw = opened.read(_LARGEST_BYTES + 1)
        if len(raw) > _LARGEST_BYTES:
            raise PolicyError(f"{clean(str(file))}: larger than {_LARGEST_BYTES >> 20} MiB; take several files")
        return raw.decode("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise PolicyError(
            f"{clean(str(file))}: cannot be read as UTF-8 text ({type(error).__name__}); mend or remove it"
        ) from None


def _statements(file: Path, text: str) -> Iterator[Statement]:
    """Cut at each semicolon that stands in no text and no comment; what follows the last one is a statement, too."""
    start: int | None = None
    for token in _TOKEN.finditer(text):
        if token.group().startswith("//"):
            continue
        if start is None:
            start = token.start()
        if token.group() == ";":
            yield _cut(file, text, start, token.end())
            start = None
    if start is not None:
        yield _cut(file, text, start, len(text))


def _cut(file: Path, text: str, start: int, end: int) -> Statement:
    return Statement(file=file, line=text.count("\n", 0, start) + 1, text=text[start:end].rstrip())
