"""Random edits of a campaign's files, each with the place where it must be found."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import NamedTuple

from soclab.contracts.evidence import LineFault

Lines = list[bytes]


class Edit(NamedTuple):
    """
    Attributes:
        lines: of the edited file.
        line: 1-based number of the first one that is not what was written.
        faults: what it may be called.
    """

    lines: Lines
    line: int
    faults: tuple[LineFault, ...]


def joined(lines: Lines) -> Lines:
    """The same bytes in the lines that a reader finds."""
    return b"".join(lines).splitlines(keepends=True)


def other_byte(lines: Lines, chance: random.Random) -> Edit:
    at = chance.randrange(len(lines))
    place = chance.randrange(len(lines[at]))
    new = chance.choice([one for one in b'0123456789abcdefXYZ"{}[]:, ' if one != lines[at][place]])
    changed = lines[at][:place] + bytes([new]) + lines[at][place + 1 :]
    return Edit(joined([*lines[:at], changed, *lines[at + 1 :]]), at + 1, (LineFault.CHANGED,))


def more_bytes(lines: Lines, chance: random.Random) -> Edit:
    at = chance.randrange(len(lines))
    place = chance.randrange(len(lines[at]))
    changed = lines[at][:place] + chance.choice([b"x", b"0", b'"', b"}", b" " * 9]) + lines[at][place:]
    return Edit([*lines[:at], changed, *lines[at + 1 :]], at + 1, (LineFault.CHANGED,))


def fewer_bytes(lines: Lines, chance: random.Random) -> Edit:
    at = chance.randrange(len(lines))
    start = chance.randrange(len(lines[at]) - 1)
    end = chance.randrange(start + 1, min(start + 40, len(lines[at])))
    changed = lines[at][:start] + lines[at][end:]
    return Edit([*lines[:at], changed, *lines[at + 1 :]], at + 1, (LineFault.CHANGED,))


def broken_line(lines: Lines, chance: random.Random) -> Edit:
    at = chance.randrange(len(lines))
    place = chance.randrange(1, len(lines[at]) - 1)
    changed = lines[at][:place] + b"\n" + lines[at][place:]
    return Edit(joined([*lines[:at], changed, *lines[at + 1 :]]), at + 1, (LineFault.CHANGED,))


def gone(lines: Lines, chance: random.Random) -> Edit:
    start = chance.randrange(len(lines) - 1)
    end = chance.randrange(start + 1, min(start + 6, len(lines)))
    return Edit([*lines[:start], *lines[end:]], start + 1, (LineFault.MISSING,))


def said_twice(lines: Lines, chance: random.Random) -> Edit:
    at, source = chance.randrange(len(lines) + 1), chance.randrange(len(lines))
    first = at + 1
    while first <= len(lines) and lines[first - 1] == lines[source]:  # before itself: the second one is too many
        first += 1
    return Edit([*lines[:at], lines[source], *lines[at:]], first, (LineFault.INSERTED,))


def put_in(lines: Lines, chance: random.Random) -> Edit:
    at = chance.randrange(len(lines) + 1)
    new = chance.choice([b"\n", b"hello\n", b'{"a":1}\n', lines[0][:-9] + b'"seq":5}\n'])
    return Edit([*lines[:at], new, *lines[at:]], at + 1, (LineFault.INSERTED,))


def replaced(lines: Lines, chance: random.Random) -> Edit:
    at = chance.randrange(len(lines))
    source = chance.choice([one for one in range(len(lines)) if lines[one] != lines[at]])
    return Edit([*lines[:at], lines[source], *lines[at + 1 :]], at + 1, (LineFault.CHANGED,))


def swapped(lines: Lines, chance: random.Random) -> Edit:
    while True:
        first, second = sorted(chance.sample(range(len(lines)), 2))
        if lines[first] != lines[second]:
            break
    new = list(lines)
    new[first], new[second] = new[second], new[first]
    return Edit(new, first + 1, (LineFault.SWAPPED,))


def shuffled(lines: Lines, chance: random.Random) -> Edit:
    start = chance.randrange(len(lines) - 4)
    part = lines[start : start + 4]
    while part == lines[start : start + 4]:
        chance.shuffle(part)
    new = [*lines[:start], *part, *lines[start + 4 :]]
    first = next(at for at, (one, other) in enumerate(zip(lines, new, strict=True), 1) if one != other)
    return Edit(new, first, (LineFault.SWAPPED,))


def cut_after_a_line(lines: Lines, chance: random.Random) -> Edit:
    kept = chance.randrange(len(lines))
    return Edit(lines[:kept], kept + 1, (LineFault.TRUNCATED,))


def cut_in_a_line(lines: Lines, chance: random.Random) -> Edit:
    at = chance.randrange(len(lines))
    return Edit([*lines[:at], lines[at][: chance.randrange(1, len(lines[at]))]], at + 1, (LineFault.TRUNCATED,))


def more_behind(lines: Lines, chance: random.Random) -> Edit:
    new = chance.choice([b"x", b"\n", b'{"at":"2026', lines[-1], lines[-1][:-1]])
    return Edit([*lines, new], len(lines) + 1, (LineFault.INSERTED,))


EDITS: tuple[Callable[[Lines, random.Random], Edit], ...] = (
    other_byte,
    more_bytes,
    fewer_bytes,
    broken_line,
    gone,
    said_twice,
    put_in,
    replaced,
    swapped,
    shuffled,
    cut_after_a_line,
    cut_in_a_line,
    more_behind,
)
