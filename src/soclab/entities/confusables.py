"""
Letters that look like others: tidy spelling, skeletons, and whether a text hides such letters.

The table is our own and small: the letters that a reader takes for Latin ones in a name, a host or a domain.
"""

from __future__ import annotations

import re
import unicodedata
from contextlib import suppress
from functools import lru_cache

__all__ = ["fold", "has_lookalike", "lookalike_key", "skeleton", "tidy"]

CACHED_LENGTH = 256
"""Longer texts are computed each time: a cache must not keep a hostile megabyte alive."""

_INVISIBLE = re.compile(
    "[\u0000-\u0008\u000e-\u001f\u007f-\u0084\u0086-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f"
    "\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb\U000e0000-\U000e0fff]+"
)

_LOOKS_LIKE = {
    "a": "\u0430\u03b1\u0251\u1d00\u0410\u0391",
    "b": "\u0432\u03b2\u0185\u0253\u0299\u044c\u0412\u0392\u042c",
    "c": "\u0441\u03f2\u1d04\u2ca5\u0421\u03f9",
    "d": "\u0501\u1d05\u0257\u0256\u0111\u0110",
    "e": "\u0435\u03b5\u1d07\u04bd\u0258\u212e\u0415\u0395",
    "f": "\u0192\ua730\u03dd\u0584",
    "g": "\u0261\u0262\u0581\u0260",
    "h": "\u04bb\u0570\u043d\u029c\u0127\u041d\u0397",
    "i": "\u0456\u03b9\u0131\u026a\u0269\u0268\u0406\u0399\u2170",
    "j": "\u0458\u03f3\u1d0a\u0408\u037f",
    "k": "\u043a\u03ba\u1d0b\u049b\u041a\u039a",
    "l": "\u04cf\u029f\u0142\u0141\u04c0\u01c0\u217c\u05c0",
    "m": "\u043c\u1d0d\u041c\u039c\u217f",
    "n": "\u0578\u0274\u03b7\u043f\u0273\u039d",
    "o": "\u043e\u03bf\u0585\u1d0f\u00f8\u00d8\u041e\u039f\u03c3\u0555\u0d20",
    "p": "\u0440\u03c1\u1d18\u03f1\u0420\u03a1",
    "q": "\u051b\u0566\u024b\u051a",
    "r": "\u0280\u0433\u1d26\u027c",
    "s": "\u0455\ua731\u0282\u0405\u054f",
    "t": "\u0442\u03c4\u1d1b\u0167\u0422\u03a4",
    "u": "\u057d\u03c5\u1d1c\u028b\u054d",
    "v": "\u0475\u03bd\u1d20\u0474\u2174\u05d8",
    "w": "\u051d\u0461\u03c9\u1d21\u0561\u051c",
    "x": "\u0445\u03c7\u04b3\u0425\u03a7\u2179",
    "y": "\u0443\u03b3\u04af\u028f\u0423\u03a5\u04ae",
    "z": "\u0396\u1d22\u0290\u03b6",
    "-": "\u2010\u2011\u2012\u2013\u2014\u2212\u30fc\u02d7",
    ".": "\u3002\ua60e",
    "_": "\u203f\uff3f",
    "/": "\u2044\u2215\u29f8",
    "3": "\u0437\u0417\u021d",
    "6": "\u0431",
}
_TO_ASCII = {ord(twin): letter for letter, twins in _LOOKS_LIKE.items() for twin in twins}
_END_OF_EUROPEAN_LATIN = 0x180
_SAME_AT_A_GLANCE = str.maketrans({"0": "o", "1": "l", "i": "l", "|": "l", "5": "s", "_": "-"})


def _normal(text: str) -> str:
    text = _INVISIBLE.sub("", unicodedata.normalize("NFKC", text))
    text = text.replace("\u3002", ".")
    if not text.isascii():
        text = "".join(str(unicodedata.decimal(char)) if char.isdecimal() else char for char in text)
    return text.strip()


def _until_stable(text: str, casefold: bool) -> str:
    while True:
        changed = _normal(text.casefold() if casefold else text)
        if changed == text:
            return text
        text = changed


def tidy(text: str) -> str:
    """The text in compatibility form, digits ASCII, without invisible characters and outer blanks; case kept."""
    if text.isascii():
        return (text if text.isprintable() else _INVISIBLE.sub("", text)).strip()
    return _until_stable(text, casefold=False)


def fold(text: str) -> str:
    """`tidy` and case folded: the same for every spelling that differs in case, width or invisible characters."""
    if text.isascii():
        return tidy(text).lower()
    return _until_stable(text, casefold=True)


def _skeleton(text: str) -> str:
    if text.isascii():
        return fold(text)
    while True:
        plain = unicodedata.normalize("NFKD", tidy(text).translate(_TO_ASCII))
        plain = "".join(char for char in plain if not unicodedata.combining(char))
        plain = fold(plain).translate(_TO_ASCII)
        if plain == text:
            return text
        text = plain


_cached_skeleton = lru_cache(maxsize=4096)(_skeleton)


def skeleton(text: str) -> str:
    """
    What the text looks like: confusable letters as ASCII ones, marks and invisible characters gone, case folded.

    ASCII letters and digits stay what they are, so the skeleton of an ASCII name is its folded spelling.
    """
    return _cached_skeleton(text) if len(text) <= CACHED_LENGTH else _skeleton(text)


def lookalike_key(text: str) -> str:
    """The skeleton with ASCII twins folded too (0 and o, 1 and l and i, 5 and s, rn and m, vv and w)."""
    return skeleton(text).translate(_SAME_AT_A_GLANCE).replace("rn", "m").replace("vv", "w")


def _is_foreign_twin(char: str) -> bool:
    if ord(char) < _END_OF_EUROPEAN_LATIN:
        return False
    return ord(char) in _TO_ASCII or (
        unicodedata.normalize("NFC", char) == char
        and unicodedata.normalize("NFKC", char) != char
        and unicodedata.normalize("NFKC", char).isascii()
    )


def _decoded_labels(text: str) -> str:
    labels = []
    for label in text.split("."):
        if label[:4].lower() == "xn--" and len(label) <= 63:
            with suppress(ValueError, OverflowError):
                label = label[4:].encode("ascii").decode("punycode")
        labels.append(label)
    return ".".join(labels)


def has_lookalike(text: str) -> bool:
    """
    Whether the text hides letters that pass for ASCII ones, or invisible characters.

    A word that is wholly in another script and cannot be read as an ASCII one has none; accents are none either.
    Punycode labels are judged by what they show.
    """
    if text.isascii():
        if "xn--" not in text.lower():
            return bool(_INVISIBLE.search(text))
        text = _decoded_labels(text)
        if text.isascii():
            return False
    if _INVISIBLE.search(text):
        return True
    if not any(_is_foreign_twin(char) for char in text if not char.isascii()):
        return False
    return any(char.isascii() and char.isalpha() for char in text) or skeleton(text).isascii()
