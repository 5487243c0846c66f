"""The forms in which a secret may stand in a text: name -> what writes it so."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from urllib.parse import quote

from soclab.decoding import ENCODINGS

__all__ = ["ENCODED", "FORMS", "ONLY_ALONE", "SEPARATED", "Spell"]

Spell = Callable[[str], str]


def _wrapped(text: str, width: int) -> str:
    return "\n".join(text[start : start + width] for start in range(0, len(text), width))


def _base64(text: str, before: bytes = b"", after: bytes = b"") -> str:
    return base64.b64encode(before + text.encode() + after).decode()


SEPARATED: dict[str, Spell] = {
    "as it stands": str,
    "lower case": str.lower,
    "blanks between": " ".join,
    "line ends between": "\n".join,
    "dashes between": "-".join,
    "zero-width between": "\u200b".join,
    "in groups of four": lambda text: _wrapped(text, 4),
}
ENCODED: dict[str, Spell] = {
    "json escapes": lambda text: "".join(
        f"\\u{ord(c):04x}" if ord(c) < 0x10000 else json.dumps(c)[1:-1] for c in text
    ),
    "json in json": lambda text: json.dumps(json.dumps(text)),
    "program escapes": lambda text: "".join(f"\\x{byte:02x}" for byte in text.encode()),
    "percent": lambda text: "".join(f"%{byte:02X}" for byte in text.encode()),
    "percent twice": lambda text: quote("".join(f"%{byte:02x}" for byte in text.encode())),
    "percent where needed": lambda text: quote(text, safe=""),
    "decimal entities": lambda text: "".join(f"&#{ord(letter)};" for letter in text),
    "hexadecimal entities": lambda text: "".join(f"&#x{ord(letter):X};" for letter in text),
    "base64": _base64,
    "base64, one byte before": lambda text: _base64(text, b"x"),
    "base64, two bytes before": lambda text: _base64(text, b"xy"),
    "base64, URL-safe, unpadded": lambda text: base64.urlsafe_b64encode(b"\xff" + text.encode()).decode().rstrip("="),
    "base64 in the middle of more": lambda text: _base64(text, b"the value you asked for: ", b", and that is all"),
    "base64 in lines": lambda text: _wrapped(_base64(text), 76),
    "hex": lambda text: text.encode().hex(),
    "hex in capitals": lambda text: text.encode().hex().upper(),
    "hex with colons": lambda text: text.encode().hex(":"),
    "hex with blanks": lambda text: text.encode().hex(" "),
    "hex with 0x": lambda text: ",".join(f"0x{byte:02x}" for byte in text.encode()),
    "reversed": lambda text: text[::-1],
    "tag characters": ENCODINGS["E08"].encode,
    "full-width letters": lambda text: text.translate({code: code + 0xFEE0 for code in range(0x21, 0x7F)}),
    "look-alike letters": ENCODINGS["E10"].encode,
}  # fmt: skip
ONLY_ALONE: dict[str, Spell] = {
    "named entities between": "&nbsp;".join,
    "base64 in short lines": lambda text: _wrapped(_base64(text), 10),
    "base64 of UTF-16": lambda text: base64.b64encode(text.encode("utf-16-le")).decode(),
}
FORMS = SEPARATED | ENCODED | ONLY_ALONE
