"""
The one door between untrusted text and any sink: `clean` makes hostile characters visible, `Secrets` removes tokens.

`clean` is for one line, `clean_block` keeps newlines and tabs. Neither escapes for HTML, XML or Markdown: each
writer does that for itself, after cleaning. Raw text is scanned for canaries before it comes here.
"""

from __future__ import annotations

import base64
import hmac
import json
import re
from collections.abc import Iterable
from typing import Any, Final, NoReturn
from urllib.parse import quote

from soclab.decoding.stumps import Stump

__all__ = ["PLACEHOLDER", "Secret", "Secrets", "clean", "clean_block", "cut"]

PLACEHOLDER: Final = "[agent-token]"
_CUT: Final = "..."
_SHORT: Final = 8  # fewer characters than this are matched as whole words only
_STUMP: Final = 6  # so many characters of a token that was cut off are replaced; more of plain words
_WORDS: Final = re.compile(r"[a-z._\- ]*\Z")
_TRIGGERS: Final = ("%", "\\u", "\\x", "&#")
_ESCAPE: Final = re.compile(
    r"%([0-9A-Fa-f]{2})|\\{1,4}u([0-9A-Fa-f]{4})|\\{1,4}x([0-9A-Fa-f]{2})"
    r"|&#0{0,5}([0-9]{1,6});|&#[xX]0{0,5}([0-9A-Fa-f]{1,5});"
)
_DECIMAL_GROUP: Final = 4
_PLAIN: Final = re.compile(r"[A-Za-z0-9._\-]+")
_WRAPS: Final = ("\\r", "\\n", "\r", "\n", "\\")  # the last one also turns an escaped slash into a slash
_WRAP: Final = r"(?:[\r\n]|\\{1,4}[rn]){0,4}"
_BASE64: Final = r"[A-Za-z0-9+/_\-]"
_NAMED: Final = {'"': "&quot;", "'": "&apos;", "&": "&amp;", "<": "&lt;", ">": "&gt;"}

# C0, DEL and C1; invisible and direction-changing characters (Unicode Default_Ignorable_Code_Point, Bidi_Control);
# line and paragraph separators; interlinear annotation; lone surrogates; noncharacters.
_HOSTILE: Final = (
    r"\x00-\x1f\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e"
    r"\u2060-\u206f\u3164\ud800-\udfff\ufdd0-\ufdef\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\ufffe\uffff"
    r"\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
    + "".join(f"\\U{plane:04x}fffe\\U{plane:04x}ffff" for plane in range(1, 17))
)
_LINE: Final = re.compile(f"[{_HOSTILE}]")
_BLOCK: Final = re.compile(f"(?![\\n\\t])[{_HOSTILE}]")
_COMMAND: Final = re.compile(r"##(?=[A-Za-z]{0,16}\[)")
"""Continuous integration services look for `##[...]`, `##vso[...]` and `##teamcity[...]` also within a line."""
_HALF_ESCAPE: Final = re.compile(r"\\(?:x[0-9a-f]?|u[0-9a-f]{0,3}|U[0-9a-f]{0,7})?$")


def clean(text: str, limit: int | None = None) -> str:
    r"""
    One line that is safe to show: every hostile character stands as a visible `\xNN`, `\uXXXX` or `\UXXXXXXXX`,
    and so does the second `#` of what a build service would carry out (`##vso[`).

    Args:
        text: untrusted; lone surrogates are welcome.
        limit: most code points of the result, the mark `...` of a cut included; None for no limit.

    Returns:
        text without control characters (newline and tab are escaped too); the same again when cleaned again.
    """
    return _cleaned(text, limit, _LINE)


def clean_block(text: str, limit: int | None = None) -> str:
    """Like `clean`, for text of several lines: newlines and tabs are kept, carriage returns are not."""
    return _cleaned(text, limit, _BLOCK)


def cut(text: str, limit: int) -> str:
    """At most `limit` code points, the mark `...` of a cut included: `Secrets` knows by it what a token left behind."""
    return text if len(text) <= limit else text[: limit - len(_CUT)] + _CUT


def _cleaned(text: str, limit: int | None, hostile: re.Pattern[str]) -> str:
    if limit is not None:
        text = text[: limit + 1]  # escapes only lengthen, so what is cut here is never shown
    if not (text.isascii() and text.isprintable()):
        text = hostile.sub(_escape, text)
    if "##" in text:
        text = _COMMAND.sub(r"#\\x23", text)
    if limit is None or len(text) <= limit:
        return text
    return _HALF_ESCAPE.sub("", text[: max(limit - len(_CUT), 0)]) + _CUT[:limit]


def _escape(match: re.Match[str]) -> str:
    code = ord(match[0])
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


class Secret:
    """
    Holds a token so that no `repr`, `str`, format, traceback or pickle shows it; `reveal()` gives it out.

    Two are equal when their tokens are. Never bind what `reveal()` returns to a name that outlives the expression:
    a debugger or `--showlocals` shows names.
    """

    __slots__ = ("__value",)

    def __init__(self, value: str) -> None:
        self.__value = value

    def reveal(self) -> str:
        return self.__value

    def __repr__(self) -> str:
        return PLACEHOLDER

    def __format__(self, spec: str) -> str:
        return format(PLACEHOLDER, spec)

    def __bool__(self) -> bool:
        return bool(self.__value)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Secret):
            return NotImplemented
        mine, theirs = (s.reveal().encode("utf-8", "surrogatepass") for s in (self, other))
        return hmac.compare_digest(mine, theirs)

    def __hash__(self) -> int:
        return hash(self.__value)

    def __reduce__(self) -> NoReturn:
        raise TypeError("a Secret is never pickled or copied")


class Secrets:
    """
    The tokens that no artefact may hold.

    A token of 8 or more characters is replaced wherever it stands: raw, in standard or URL-safe base64 (also as
    a part of longer or line-wrapped base64), hexadecimal, percent-, JSON-, or HTML-escaped, or a mix of these. What
    a cut left of it goes too: 6 or more characters at the end of a text, before `...` or at the beginning.
    A shorter one would tear ordinary words apart: it is replaced in *values* only, which means as a whole word,
    never inside a longer one and never as the key of a JSON object. Empty tokens are ignored.
    """

    __slots__ = ("_digits", "_patterns")

    def __init__(self, tokens: Iterable[str | Secret] = ()) -> None:
        plain = {token.reveal() if isinstance(token, Secret) else token for token in tokens} - {""}
        ordered = sorted(plain, key=lambda token: (-len(token), token))
        self._patterns = tuple(_TokenPattern(token, PLACEHOLDER) for token in ordered)
        self._digits = any(token.isdecimal() and len(token) >= _SHORT for token in plain)

    def __repr__(self) -> str:
        return f"Secrets({len(self._patterns)})"

    def __bool__(self) -> bool:
        return bool(self._patterns)

    def mask(self, text: str) -> str:
        """The text with every form of every token replaced by `[agent-token]`; masking twice changes nothing."""
        for pattern in self._patterns:
            text = pattern.mask(text)
        return text

    def may_be_in(self, text: str) -> bool:
        """Whether a text, or a string of an encoded JSON text, may hold a token: cheap, and never wrong with no."""
        return any(pattern.may_be_in(text) for pattern in self._patterns)

    def mask_json(self, value: Any) -> Any:
        """
        A JSON value with `mask` applied to every string in it, and to numbers that spell a long token of digits.

        Keys lose long tokens; short ones are masked in values only. The argument is not changed.
        """
        if isinstance(value, str):
            return self.mask(value)
        if isinstance(value, dict):
            return {self._mask_key(key): self.mask_json(item) for key, item in value.items()}
        if isinstance(value, list | tuple):
            return [self.mask_json(item) for item in value]
        if self._digits and isinstance(value, int | float) and not isinstance(value, bool):
            return value if (masked := self._mask_key(repr(value))) == repr(value) else masked
        return value

    def _mask_key(self, key: str) -> str:
        for pattern in self._patterns:
            if not pattern.is_short:
                key = pattern.mask(key)
        return key


class _TokenPattern:
    """
    One token in all its forms. `repr` never shows it.

    Nearly every text holds none of it, so a few substring searches decide first; the regular expression that
    knows every form runs only after one of them hit. Its repetitions are bounded: hostile text costs linear time.
    """

    __slots__ = ("_hex", "_literals", "_placeholder", "_regex", "_stumps", "is_short")

    def __init__(self, token: str, placeholder: str) -> None:
        raw = token.encode("utf-8", "surrogatepass")
        self.is_short = len(token) < _SHORT
        self._placeholder = placeholder
        self._hex = raw.hex()
        cores = _base64_cores(raw, whole=self.is_short)
        in_base64 = {spelled for core, _, _ in cores for spelled in _both_alphabets(core)}
        self._literals = (_longest_plain_piece(token), *sorted(in_base64))
        forms = [_base64_regex(*core) for core in cores]
        forms.append(_WRAP.join(f"[{digit}{digit.upper()}]" for digit in self._hex))
        forms.append("".join(map(_character_regex, token)))
        any_form = f"(?:{'|'.join(forms)})"
        if self.is_short:
            any_form = rf'(?<![A-Za-z0-9_]){any_form}(?![A-Za-z0-9_])(?!\\{{0,4}}"[ \t]{{0,4}}:)'
        self._regex = re.compile(f"{re.escape(placeholder)}|{any_form}")
        self._stumps = () if self.is_short else tuple(_stumps(token, self._hex, in_base64))

    def __repr__(self) -> str:
        return f"_TokenPattern({self._placeholder})"

    def mask(self, text: str) -> str:
        """The text with every form of the token replaced by the placeholder."""
        if self._may_be_whole_in(text):
            text = self._regex.sub(lambda _: self._placeholder, text)
        for stump in self._stumps:
            text = stump.replace(text, self._placeholder)
        return text

    def may_be_in(self, text: str) -> bool:
        """Whether the token, or what a cut left of it, may stand in the text."""
        return self._may_be_whole_in(text) or any(stump.may_be_in(text) for stump in self._stumps)

    def _may_be_whole_in(self, text: str) -> bool:
        if self._is_spelled_in(text):
            return True
        plain = _ESCAPE.sub(_unescaped, text) if any(trigger in text for trigger in _TRIGGERS) else text
        if plain is not text and self._is_spelled_in(plain):
            return True  # before the next step takes a wrap out that belongs to the token
        for wrap in _WRAPS:
            plain = plain.replace(wrap, "")
        return plain is not text and self._is_spelled_in(plain)

    def _is_spelled_in(self, text: str) -> bool:
        return any(literal in text for literal in self._literals) or self._hex in text.lower()


def _stumps(token: str, in_hex: str, in_base64: Iterable[str]) -> list[Stump]:
    """What finds a cut token, raw, escaped or encoded."""
    spelled = {token, json.dumps(token)[1:-1], quote(token, safe="", errors="replace")}
    found = [Stump(each, _least(each), _least(each[::-1])) for each in sorted(spelled)]
    encoded = (each for each in (in_hex, in_hex.upper(), *sorted(in_base64)) if len(each) > 2 * _STUMP)
    return [*found, *(Stump(each, 2 * _STUMP, 2 * _STUMP) for each in encoded)]


def _least(token: str) -> int:
    """So many characters of the token's beginning are more than a word that anybody might write."""
    least = _STUMP
    while least < 2 * _STUMP and _WORDS.match(token[:least]):
        least += 1
    return min(least, len(token))


def _base64_cores(raw: bytes, *, whole: bool) -> list[tuple[str, bool, bool]]:
    """
    What is the same in every base64 text that holds these bytes, for each of the three alignments.

    Returns:
        (characters made of token bits only, whether a mixed character precedes, whether one follows). With
        `whole` only base64 of the token by itself.
    """
    if whole:
        return [(base64.b64encode(raw).decode("ascii").rstrip("="), False, False)]
    cores = []
    for offset, mixed in ((0, 0), (1, 2), (2, 3)):
        bits = 8 * (offset + len(raw))
        spelled = base64.b64encode(bytes(offset) + raw).decode("ascii")
        cores.append((spelled[mixed : bits // 6], mixed > 0, bits % 6 > 0))
    return [core for core in cores if core[0]]


def _both_alphabets(core: str) -> set[str]:
    return {core, core.replace("+", "-").replace("/", "_")}


def _base64_regex(core: str, before: bool, after: bool) -> str:
    """The mixed characters at the ends go too: each still holds up to four bits of the token."""
    spelled = {"+": r"(?:[+\-]|%2[bB])", "/": r"(?:\\{0,4}/|_|%2[fF])"}
    body = _WRAP.join(spelled.get(character, character) for character in core)
    return (
        (f"{_BASE64}{_WRAP}" if before else "")
        + body
        + (f"(?:{_WRAP}{_BASE64})?" if after else "")
        + "(?:=|%3[dD]){0,2}"
    )


def _longest_plain_piece(token: str) -> str:
    """The longest part that no escape but a needless one would change; empty when there is none."""
    return max(_PLAIN.findall(token), key=len, default="")


def _unescaped(match: re.Match[str]) -> str:
    group = match.lastindex or 1
    code = int(match[group], 10 if group == _DECIMAL_GROUP else 16)
    return chr(code) if code < 0x80 else " "


def _character_regex(character: str) -> str:
    """One character of the token, raw or under any of the escapes, chosen for each character on its own."""
    code = ord(character)
    forms = [rf"\\{{0,4}}{re.escape(character)}" if character in "\"'/\\" else re.escape(character)]
    octets = character.encode("utf-8", "surrogatepass")
    forms.append("".join(f"%{_any_case(f'{octet:02x}')}" for octet in octets))
    units = character.encode("utf-16-be", "surrogatepass")
    forms.append("".join(rf"\\{{1,4}}u{_any_case(units[i : i + 2].hex())}" for i in range(0, len(units), 2)))
    if code < 0x100:
        forms.append(rf"\\{{1,4}}x{_any_case(f'{code:02x}')}")
    forms += [f"&#0{{0,5}}{code};", f"&#[xX]0{{0,5}}{_any_case(f'{code:x}')};"]
    if character in _NAMED:
        forms.append(_NAMED[character])
    if character == " ":
        forms.append(r"\+")
    return f"(?:{'|'.join(forms)})"


def _any_case(digits: str) -> str:
    return "".join(digit if digit.isdecimal() else f"[{digit}{digit.upper()}]" for digit in digits)
