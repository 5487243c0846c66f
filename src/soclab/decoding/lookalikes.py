"""Letters that look like, or stand for, ASCII letters; and characters that nobody sees."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

__all__ = ["ZERO_WIDTH", "disguise", "fold", "is_unusual", "only_tags", "tags_to_ascii", "to_tags"]

ZERO_WIDTH: Final = "\u200b\u200c\u200d\u2060\ufeff"

_DISGUISES: Final = {
    "a": "\u0430", "c": "\u0441", "d": "\u0501", "e": "\u0435", "h": "\u04bb", "i": "\u0456", "j": "\u0458",
    "o": "\u043e", "p": "\u0440", "s": "\u0455", "x": "\u0445", "y": "\u0443", "A": "\u0410", "B": "\u0412",
    "C": "\u0421", "E": "\u0415", "H": "\u041d", "I": "\u0406", "J": "\u0408", "K": "\u041a", "M": "\u041c",
    "O": "\u041e", "P": "\u0420", "S": "\u0405", "T": "\u0422", "X": "\u0425", "Y": "\u04ae",
    "Z": "\u0396",
}  # fmt: skip
_GREEK: Final = dict(
    zip(
        "\u0391\u0392\u0395\u0397\u0399\u039a\u039c\u039f\u03a1\u03a4\u03a5\u03a7\u03b1\u03b9\u03ba\u03bd\u03bf\u03c1\u03c4\u03c5",
        "ABEHIKMOPTYXaikvoptu",
        strict=True,
    )
)
_MORE: Final = {"\u0131": "i", "\u0261": "g", "\u051b": "q", "\u051d": "w", "\u04af": "y", "\u0475": "v"}

# Blocks whose members are one ASCII letter or digit in another dress (compatibility decomposition).
_DRESSED: Final = (
    range(0x00AA, 0x00BB),
    range(0x02B0, 0x02B9),
    range(0x02E0, 0x02E5),
    range(0x1D2C, 0x1D6B),
    range(0x2070, 0x20A0),
    range(0x2100, 0x2150),
    range(0x2460, 0x2500),
    range(0xFF01, 0xFF5F),
    range(0x1D400, 0x1D800),
    range(0x1F130, 0x1F150),
)
_INVISIBLE: Final = (0x00AD, 0x034F, 0x061C, 0x180E, *range(0x200B, 0x2010), *range(0x202A, 0x202F), 0x2028, 0x2029,
                     *range(0x2060, 0x2070), *range(0xFE00, 0xFE10), 0xFEFF, *range(0xE0100, 0xE01F0))  # fmt: skip


def _fold_table() -> dict[int, str | None]:
    table: dict[int, str | None] = {}
    for block in _DRESSED:
        for code in block:
            plain = unicodedata.normalize("NFKC", chr(code))
            if len(plain) == 1 and plain.isascii():
                table[code] = plain
    table.update((ord(disguised.lower()), plain.lower()) for plain, disguised in _DISGUISES.items())
    table.update((ord(disguised), plain) for plain, disguised in _DISGUISES.items())
    table.update((ord(letter), plain) for letter, plain in (_GREEK | _MORE).items())
    table.update(dict.fromkeys(_INVISIBLE))
    return table


_FOLD: Final = _fold_table()
_DISGUISE: Final = str.maketrans(_DISGUISES)
_TAGS: Final = {0xE0000 + code: chr(code) for code in range(0x20, 0x7F)}
_TO_TAGS: Final = {code: chr(0xE0000 + code) for code in range(0x20, 0x7F)}
# Where all of these stand; curly quotes, dashes and accented letters do not, so ordinary text is passed at once.
_UNUSUAL: Final = re.compile(
    "[\u00aa-\u00ba\u02b0-\u0560\u061c\u180e\u1d2c-\u1d6a\u200b-\u200f\u2028-\u202e\u2060-\u2150\u2460-\u24ff"
    "\ufe00-\ufe0f\ufeff\uff01-\uff5e\U0001d400-\U0001d7ff\U0001f130-\U0001f14f\U000e0020-\U000e01ef]"
)
_NO_TAG: Final = re.compile("[^\U000e0020-\U000e007e]+")


def is_unusual(text: str) -> bool:
    """Whether `fold` or `only_tags` may find something in it."""
    return not text.isascii() and _UNUSUAL.search(text) is not None


def fold(text: str) -> str:
    """Look-alike, full-width and other dressed letters as the ASCII letter; invisible characters removed."""
    return text.translate(_FOLD) if is_unusual(text) else text


def disguise(text: str) -> str:
    """Every ASCII letter that has a Cyrillic or Greek look-alike, replaced by it."""
    return text.translate(_DISGUISE)


def to_tags(text: str) -> str:
    """Printable ASCII as invisible tag characters; the rest stays."""
    return text.translate(_TO_TAGS)


def tags_to_ascii(text: str) -> str:
    """Tag characters as the ASCII they stand for; the rest stays."""
    return text.translate(_TAGS)


def only_tags(text: str) -> str:
    """The ASCII that the tag characters of a text spell, without the rest; empty when there are none."""
    return _NO_TAG.sub("", text).translate(_TAGS)
