"""
One form for every spelling of an indicator: address, network, URL, domain, e-mail address, hash.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Literal, NamedTuple

from soclab.entities.addresses import Span, span_of, spell
from soclab.entities.confusables import CACHED_LENGTH, fold, tidy

__all__ = [
    "TOP_DOMAINS",
    "Indicator",
    "canonical_indicator",
    "host_of",
    "read_indicator",
    "refang",
]

IndicatorKind = Literal["address", "network", "url", "email", "hash", "domain"]


class Indicator(NamedTuple):
    """
    What a text says when it is read as an indicator.

    Attributes:
        kind: None when it is none.
        text: its one spelling; the folded text when it is none.
        plain: it is one at first sight, also in free text (not a bare number, a file name or `first.last`).
        span: the addresses it names, for addresses and networks.
        host: the host of a URL, the domain of an e-mail address, a domain or an address itself; else empty.
    """

    kind: IndicatorKind | None
    text: str
    plain: bool = False
    span: Span | None = None
    host: str = ""


_DEFANGED = re.compile(r"\[\.\]|\(\.\)|\{\.\}|\s?(?:\[dot\]|\(dot\)|\{dot\})\s?|\[\.|\.\]", re.IGNORECASE)
_DEFANGED_AT = re.compile(r"\s?(?:\[at\]|\(at\)|\{at\}|\[@\]|\(@\))\s?", re.IGNORECASE)
_DEFANGED_SCHEME = re.compile(r"\b(?:hxxp|hxtp|htxp)(s?)(?=\[?:)", re.IGNORECASE)
_DEFANGED_COLON = re.compile(r"\[(:/{0,2}|/)\]")
_MARKS_OF_DEFANGING = re.compile(r"[\[({]|h[tx]{2}p", re.IGNORECASE)

_HASH = re.compile(
    r"(?:(?:md5|sha-?1|sha-?256|sha-?512|imphash)[:=])?((?:[0-9a-f]{128}|[0-9a-f]{64}|[0-9a-f]{40}|[0-9a-f]{32}))"
)
_URL = re.compile(r"([a-z][a-z0-9+.-]{1,31})://([^/?#\\]*)([^#]*)(?:#.*)?", re.IGNORECASE | re.DOTALL)
_BARE_URL = re.compile(r"([^/?#\\\s@]+)([/?].*)", re.DOTALL)
_LABEL = r"[^\W_](?:[\w-]{0,61}\w)?|_[\w-]{1,62}"
_DOMAIN = re.compile(rf"(?:\*\.)?(?:(?:{_LABEL})\.)+(?:{_LABEL})")
_EMAIL_NAME = re.compile(r"[\w.!#$%&'*+/=?^`{|}~-]{1,64}")
_PERCENT = re.compile(r"%([0-9a-fA-F]{2})")
_PERCENT_NOT_ASCII = re.compile(r"(?:%[89a-fA-F][0-9a-fA-F])+")
_UNRESERVED = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
_DEFAULT_PORTS = {"http": "80", "https": "443", "ftp": "21", "ws": "80", "wss": "443"}

_TOP_DOMAIN_NAMES = """
    com net org edu gov mil int arpa info biz app dev cloud online site website xyz top shop club live space store
    tech work agency email support systems zone link click icu pro mobi test example invalid localhost local
    internal lan corp home intranet onion
"""
TOP_DOMAINS = frozenset(_TOP_DOMAIN_NAMES.split())
_FIELDS_AND_FILES = "id ip os py sh js ts md rs so pl db gz vb cs go rb ps hh tf ai ad as cc ms mo la"
_NO_COUNTRY = frozenset(_FIELDS_AND_FILES.split())
_LONGEST = 4096


def refang(text: str) -> str:
    """The text with defanged marks (`hxxp`, `[.]`, `(dot)`, `[at]`, `[:]`) as they were."""
    if not _MARKS_OF_DEFANGING.search(text):
        return text
    text = _DEFANGED_AT.sub("@", _DEFANGED.sub(".", text))
    return _DEFANGED_COLON.sub(r"\1", _DEFANGED_SCHEME.sub(r"http\1", text))


def _label(label: str) -> str:
    if label.startswith("xn--") and len(label) <= 63:
        try:
            label = fold(label[4:].encode("ascii").decode("punycode"))
        except (ValueError, OverflowError):
            return label
    if label.isascii() or len(label) > 63:
        return label
    try:
        return "xn--" + label.encode("punycode").decode("ascii").lower()
    except UnicodeError:
        return label


def _domain(text: str) -> str | None:
    """The domain in lower case and punycode without a trailing dot, or None."""
    name = fold(text).rstrip(".")
    if len(name) > 253 or "." not in name or not _DOMAIN.fullmatch(name):
        return None
    return name if name.isascii() and "xn--" not in name else ".".join(_label(part) for part in name.split("."))


def _is_plain_domain(name: str) -> bool:
    top = name.rpartition(".")[2]
    if len(top) == 2:
        return top.isalpha() and top not in _NO_COUNTRY
    return top in TOP_DOMAINS or top.startswith("xn--")


def _host_text(text: str) -> str:
    """The host of an authority in its one spelling, brackets around an IPv6 address."""
    span = span_of(text)
    if span is not None and span.low == span.high:
        spelled = spell(span)
        return f"[{spelled}]" if ":" in spelled else spelled
    return _domain(text) or fold(text)


def _decode_unreserved(match: re.Match[str]) -> str:
    char = chr(int(match[1], 16))
    return char if char in _UNRESERVED else match[0].upper()


def _rest_of_url(text: str) -> str:
    while True:
        decoded = _PERCENT.sub(_decode_unreserved, text)
        if decoded == text:
            return text
        text = decoded


def _decode_letters(match: re.Match[str]) -> str:
    try:
        return bytes.fromhex(match[0].replace("%", "")).decode()
    except ValueError:
        return match[0]


def _authority(text: str) -> str:
    """Folded, percent-encoded letters and stops of any script read, without user info."""
    return fold(_PERCENT_NOT_ASCII.sub(_decode_letters, _rest_of_url(text))).rpartition("@")[2]


def _url(text: str) -> Indicator | None:
    match = _URL.fullmatch(text)
    if match is None:
        return None
    scheme = match[1].lower()
    authority = _authority(match[2])
    host, colon, port = authority.rpartition(":")
    if not colon or not (port.isascii() and port.isdigit()) or (":" in host and not host.endswith("]")):
        host, port = (authority, "") if port or not colon else (host, "")
    host = _host_text(host)
    if not host:
        return None
    rest = _rest_of_url(match[3].replace("\\", "/"))
    rest = rest if rest.startswith("/") else "/" + rest
    place = host if not port or _DEFAULT_PORTS.get(scheme) == port else f"{host}:{int(port)}"
    return Indicator("url", f"{scheme}://{place}{rest}", True, None, host.strip("[]"))


def _bare_url(text: str) -> Indicator | None:
    match = _BARE_URL.fullmatch(text)
    if match is None:
        return None
    host, _, port = match[1].partition(":")
    span = span_of(host.lower(), loose=False)
    name = spell(span) if span is not None and span.low == span.high else _domain(host)
    if name is None or (port and not (port.isascii() and port.isdigit())):
        return None
    if span is None and not _is_plain_domain(name):
        return None
    place = f"{name}:{int(port)}" if port else name
    return Indicator("url", place + _rest_of_url(match[2]), True, None, name)


def _email(text: str) -> Indicator | None:
    name, at, domain = text.rpartition("@")
    if not at or not _EMAIL_NAME.fullmatch(name):
        return None
    host = _domain(domain)
    return None if host is None else Indicator("email", f"{fold(name)}@{host}", True, None, host)


def _read_once(text: str) -> Indicator:
    text = refang(tidy(text)).strip("\"'`<> \t\r\n")
    if text[:7].lower() == "mailto:":
        text = text[7:]
    folded = fold(text)
    match = _HASH.fullmatch(folded)
    if match is not None:
        return Indicator("hash", match[1], True)
    span = span_of(folded)
    if span is not None:
        spelled = spell(span)
        plain = span_of(folded, loose=False) is not None
        one = span.low == span.high
        return Indicator("address" if one else "network", spelled, plain, span, spelled if one else "")
    if "://" in text:
        found = _url(text)
        if found is not None:
            return found
    if "@" in text:
        found = _email(text)
        if found is not None:
            return found
    host, colon, port = folded.rpartition(":")
    name = _domain(host if colon and port.isascii() and port.isdigit() and len(port) <= 5 else folded)
    if name is not None:
        return Indicator("domain", name, _is_plain_domain(name), None, name)
    return (_bare_url(text) if "/" in text or "?" in text else None) or Indicator(None, folded)


def _read(text: str) -> Indicator:
    found = _read_once(text)
    for _ in range(8):
        again = _read_once(found.text)
        if again.text == found.text:
            break
        found = again
    return found


_cached_read = lru_cache(maxsize=8192)(_read)


def read_indicator(text: str) -> Indicator:
    """The whole text read as one indicator; `kind` is None when it is none, or longer than any (4,096 characters)."""
    if len(text) > CACHED_LENGTH:
        return _read(text) if len(text) <= _LONGEST else Indicator(None, fold(text))
    return _cached_read(text)


def canonical_indicator(text: str) -> str:
    """
    The one spelling of an indicator.

    Addresses: IPv6 compressed, IPv4-mapped IPv6 as IPv4, whole-number, hexadecimal and octal IPv4 read, `/32` and
    `/128` gone, host bits cleared, a port gone. Domains: lower case, punycode, no trailing dot. URLs: host
    likewise, default port, user info and fragment gone. Hashes and e-mail addresses: lower case.
    A text that is no indicator: the folded text.
    """
    return read_indicator(text).text


def host_of(text: str) -> str:
    """The host or address inside an indicator (of a URL, an e-mail address, itself); empty when it has none."""
    return read_indicator(text).host
