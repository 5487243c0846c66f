"""Canonical forms of users, hosts and indicators."""

from __future__ import annotations

import ipaddress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from soclab.entities import (
    canonical_host,
    canonical_indicator,
    canonical_user,
    find_indicators,
    has_lookalike,
    is_catch_all,
    lookalike_key,
    networks_cover,
    read_indicator,
    skeleton,
)

_HOSTILE = st.text(
    alphabet=st.sampled_from("aA0.:/@[]()xX*-%\\ \u0430\uff10\u200b\u3002\u0130\u00df") | st.characters()
)
_PIECES = st.sampled_from(
    [
        "hxxp",
        "://",
        "[.]",
        "(dot)",
        "[at]",
        "example",
        ".",
        "org",
        "203",
        "0x",
        "::",
        "ffff",
        "/",
        "32",
        "@",
        "xn--",
        "%41",
    ]
)
_MIXED = st.lists(_PIECES | _HOSTILE, max_size=12).map("".join)
_V4 = st.ip_addresses(v=4)
_V6 = st.ip_addresses(v=6)


@given(_MIXED)
def test_canonical_indicators_stay_what_they_are(text):
    """
    The canonical form of a canonical indicator is itself.
    """
    once = canonical_indicator(text)

    assert once == canonical_indicator(once)


@given(_MIXED)
@pytest.mark.parametrize("canonical", [canonical_user, canonical_host, skeleton])
def test_canonical_names_stay_what_they_are(canonical, text):
    """
    The canonical form of a canonical name is itself.
    """
    once = canonical(text)

    assert once == canonical(once)


def _v4_spellings(address: ipaddress.IPv4Address) -> list[str]:
    plain, number = str(address), int(address)
    octets = plain.split(".")
    spelled = [
        plain,
        f" {plain} ",
        plain.replace(".", "[.]"),
        plain.replace(".", "(dot)"),
        plain + "/32",
        plain + "/032",
        plain + "/255.255.255.255",
        plain + ":8443",
        f"::ffff:{plain}",
        f"[::FFFF:{plain}]",
        f"::ffff:{number >> 16:x}:{number & 0xFFFF:x}",
        f"0:0:0:0:0:ffff:{number >> 16:04X}:{number & 0xFFFF:04X}",
        f"::ffff:{plain}/128",
        f"0x{number:08x}",
        ".".join(hex(int(octet)) for octet in octets),
        ".".join(f"{int(octet):#05o}".replace("0o", "0") for octet in octets),
        ".".join(f"{int(octet):03d}" for octet in octets),
        "".join(chr(ord(char) + 0xFEE0) if char.isdigit() else char for char in plain),
        plain.replace(".", "\u3002"),
        plain.replace(".", ".\u200b"),
    ]
    return spelled + ([str(number)] if number >= 1 << 24 else [])


@given(_V4)
def test_every_spelling_of_an_ipv4_address_is_one(address):
    """
    Defanged, mapped, padded, octal, hexadecimal, whole-number and full-width spellings give the dotted address.
    """
    assert {str(address)} == {canonical_indicator(spelled) for spelled in _v4_spellings(address)}


@given(_V6.filter(lambda address: address.ipv4_mapped is None))
def test_every_spelling_of_an_ipv6_address_is_one(address):
    """
    Exploded, upper-case, bracketed, zoned and /128 spellings give the compressed address.
    """
    spelled = [
        str(address),
        address.exploded,
        address.exploded.upper(),
        f"[{address}]",
        f"[{address}]:443",
        f"{address}/128",
        f"{address}%eth0",
    ]

    assert {str(address)} == {canonical_indicator(text) for text in spelled}


@given(_V4, st.integers(1, 31))
def test_host_bits_of_a_network_do_not_matter(address, length):
    """
    A network is the same whichever of its addresses it is written with, and covers that address.
    """
    network = ipaddress.IPv4Network((address, length), strict=False)

    assert str(network) == canonical_indicator(f"{address}/{length:02d}")
    assert networks_cover(f"{address}/{length}", f"0x{int(address):x}" if int(address) > 1 << 24 else str(address))


@pytest.mark.parametrize(
    ("spelled", "canonical"),
    [
        ("LOGIN.Example.ORG.", "login.example.org"),
        ("login[.]example[.]org", "login.example.org"),
        ("login (dot) example[dot]org", "login.example.org"),
        ("login\u3002example\uff0eorg", "login.example.org"),
        ("b\u00fccher.example.com", "xn--bcher-kva.example.com"),
        ("B\u00dcCHER.example.com", "xn--bcher-kva.example.com"),
        ("XN--BCHER-KVA.example.com", "xn--bcher-kva.example.com"),
        ("hxxps://Login[.]Example[.]org:443", "https://login.example.org/"),
        ("hxxp[:]//login.example.org:80/A?b=C#top", "http://login.example.org/A?b=C"),
        ("https://login.example.org:8443/a%7Eb%2f", "https://login.example.org:8443/a~b%2F"),
        ("http://northlake.example.com@203.0.113.40/x", "http://203.0.113.40/x"),
        ("http://0xCB007128/x", "http://203.0.113.40/x"),
        ("http://[2001:DB8::0:1]:80/", "http://[2001:db8::1]/"),
        ("mailto:Maria.Ortega[at]Northlake[.]example.com", "maria.ortega@northlake.example.com"),
        ("SHA256:" + "AB" * 32, "ab" * 32),
        ("D41D8CD98F00B204E9800998ECF8427E", "d41d8cd98f00b204e9800998ecf8427e"),
        ("203.0.113.0/255.255.255.0", "203.0.113.0/24"),
        ("203.0.113.*", "203.0.113.0/24"),
        ("203.0.113.0-203.0.113.255", "203.0.113.0/24"),
        ("203.0.113.0-255", "203.0.113.0/24"),
        ("203.0.113.4-113.9", "203.0.113.4-203.0.113.9"),
        ("http://login%E3%80%82example%EF%BD%A1org/a", "http://login.example.org/a"),
        ("http://203%E3%80%820%E3%80%82113%E3%80%8240/", "http://203.0.113.40/"),
        ("2001:db8::/032", "2001:db8::/32"),
        ("0.0.0.0/00", "0.0.0.0/0"),
        ("::ffff:0:0/96", "0.0.0.0/0"),
        ("Q3 report", "q3 report"),
    ],
)
def test_an_indicator_has_one_spelling(spelled, canonical):
    """
    Networks, domains, URLs, e-mail addresses and hashes come out in their one spelling.
    """
    assert canonical == canonical_indicator(spelled)


@pytest.mark.parametrize("text", ["4625", "203.0.113.400", "203.0.113", "10.0.19045.3570", "12:30:59", "1.2.3.4.5"])
def test_numbers_that_are_no_address_at_first_sight_stay_out_of_text(text):
    """
    Event numbers, versions and times are not taken for addresses in free text.
    """
    assert not read_indicator(text).plain
    assert find_indicators(f"build {text} seen") == ()


@pytest.mark.parametrize(
    "text",
    ["", " ", "*", "any", "ALL", "0.0.0.0/0", "0.0.0.0/00", "0/0", "::/0", "2000::/3", "::ffff:0:0/96", "126.0.0.0/7",
     "0.0.0.0-255.255.255.255", "*.*.*.*", "%", "*.com", ".org", "http://*/", "::/64", "0.0.0.0/0.0.0.0",
     "203.0.113.40, 0.0.0.0/1", "\uff0a", "0.0.0.0[/]0", "every source", "all sources", "all-hosts", "each host",
     "*:514", "any:*", "(?i).*", ".*", ".+", "^(.*)$", "(?s:.*)", "[\\s\\S]*", ".{0,}", "C:\\*", "c:/", "D:\\*.*",
     "%SystemDrive%\\*",
     "\\\\?\\C:\\", "a," * 5000 + "b"],
)  # fmt: skip
def test_catch_alls_are_known(text):
    """
    Networks of /7 and wider, wild cards and words for everything are catch-alls, also inside a list.
    """
    assert is_catch_all(text)


@pytest.mark.parametrize(
    "text",
    ["203.0.113.40", "203.0.113.0/24", "10.0.0.0/8", "2001:db8::/32", "login.example.org", "*.example.org", "allie",
     "https://login.example.org/*", "ab" * 32, "203.0.113.40, 203.0.113.41", "C:\\Windows\\*", "203.0.113.40:514",
     "(?i)mimikatz.*", "login.example.org:*", "all-hands@example.org", "a," * 1000 + "b", "203.0.113.0-255"],
)  # fmt: skip
def test_targets_are_no_catch_alls(text):
    """
    An address, a /8, a domain with a wild card below it, a hash are not catch-alls.
    """
    assert not is_catch_all(text)


@pytest.mark.parametrize(
    ("wide", "narrow", "covers"),
    [
        ("198.51.100.0/24", "198.51.100.7", True),
        ("198.51.100.0/24", "::ffff:198.51.100.7", True),
        ("::ffff:198.51.100.0/120", "198.51.100.7", True),
        ("198.51.100.0/24", "http://198.51.100.7/a", True),
        ("198.51.100.7", "198.51.100.7/32", True),
        ("::/0", "198.51.100.7", True),
        ("198.51.100.7", "198.51.100.0/24", False),
        ("198.51.100.0/24", "198.51.101.7", False),
        ("login.example.org", "login.example.org", False),
        ("2001:db8::/32", "2001:db8:1::7", True),
    ],
)
def test_networks_cover_addresses_of_both_families(wide, narrow, covers):
    """
    A network covers the addresses inside it, however either is written, and nothing that is no address.
    """
    assert covers is networks_cover(wide, narrow)


@pytest.mark.parametrize(
    ("spelled", "user"),
    [
        (r"NORTHLAKE\Maria.Ortega", "maria.ortega"),
        ("NORTHLAKE\\\\maria.ortega", "maria.ortega"),
        ("Maria.Ortega@northlake.example.com ", "maria.ortega"),
        ("MARIA.ORTEGA", "maria.ortega"),
        ("maria.\u200bortega", "maria.ortega"),
        ("@", "@"),
    ],
)
def test_users_are_compared_by_bare_name(spelled, user):
    """
    UPN, down-level and bare spellings of a user are one.
    """
    assert user == canonical_user(spelled)


@pytest.mark.parametrize(
    ("spelled", "host"),
    [
        ("NL-WS-0142", "nl-ws-0142"),
        ("nl-ws-0142.corp.northlake.example.com.", "nl-ws-0142"),
        (r"\\NL-WS-0142", "nl-ws-0142"),
        ("NORTHLAKE\\NL-WS-0142$", "nl-ws-0142"),
        ("192.0.2.10", "192.0.2.10"),
        ("::ffff:192.0.2.10", "192.0.2.10"),
    ],
)
def test_hosts_are_compared_by_netbios_name(spelled, host):
    """
    FQDN, NetBIOS and machine-account spellings of a host are one; an address stays an address.
    """
    assert host == canonical_host(spelled)


def test_indicators_are_found_in_free_text():
    """
    Indicators in a note come out canonical, in order, each once; names, files and query fields do not.
    """
    text = (
        "user.name:maria.ortega ran powershell.exe; see hxxps://login[.]example[.]org/a, 203[.]0[.]113[.]40 (again "
        "203.0.113.40) and 2001:DB8::1. source.ip == 198.51.100.0/24, from bob[at]example.com at 10:00:00 " + "A" * 64
    )

    assert find_indicators(text) == (
        "https://login.example.org/a",
        "203.0.113.40",
        "2001:db8::1",
        "198.51.100.0/24",
        "bob@example.com",
        "a" * 64,
    )


@given(_MIXED)
def test_looking_for_indicators_never_fails(text):
    """
    Whatever stands in a text, what is found is canonical.
    """
    assert all(found == canonical_indicator(found) for found in find_indicators(text))


@pytest.mark.parametrize(
    ("text", "hides"),
    [
        ("m\u0430ria.ortega", True),
        ("\uff4daria.ortega", True),
        ("\u0440\u0430\u0443\u0440\u0430", True),
        ("bg\u2010admin-01", True),
        ("maria\u200b.ortega", True),
        ("maria\u202e.ortega", True),
        ("m\u0430ria.example.com".encode("idna").decode(), True),
        ("maria.ortega", False),
        ("S\u00f8rensen", False),
        ("Jos\u00e9", False),
        ("\u0438\u0432\u0430\u043d", False),
        ("xn--bcher-kva.example.com", False),
    ],
)
def test_lookalike_letters_are_noticed(text, hides):
    """
    Foreign twins of ASCII letters and invisible characters are noticed; accents and whole foreign words are not.
    """
    assert hides is has_lookalike(text)


@pytest.mark.parametrize(
    "text", ["bg-\u0430dmin-01", "BG\u2011ADMIN-01", "\uff42g-admin-01", "bg-adm\u0131n-01", "bg-\u00e0dmin-01"]
)
def test_lookalikes_share_a_skeleton(text):
    """
    Confusable, full-width and accented spellings look like the plain name.
    """
    assert skeleton("bg-admin-01") == skeleton(text)


def test_digits_and_letters_that_look_alike_share_a_key():
    """
    0 and o, 1 and l are told apart by the skeleton and not by the look-alike key.
    """
    assert skeleton("NL-DC-01") != skeleton("NL-DC-Ol")
    assert lookalike_key("NL-DC-01") == lookalike_key("NL-DC-Ol")


@pytest.mark.parametrize("text", ["::ffff:192.0.2.5", "see ::ffff:192.0.2.5, then", "::FFFF:192.0.2.5/128"])
def test_a_mapped_address_is_found_whole(text: str) -> None:
    """Its tail is no address of its own, and its head none without it."""
    assert find_indicators(text) == ("192.0.2.5",)
