"""Protected assets are known under every spelling."""

from __future__ import annotations

import pytest

from tests.factories import make_entity, make_fixture, make_world


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("user", "bg-admin-01"),
        ("user", "BG-ADMIN-01@Example.com"),
        ("user", "NORTHLAKE\\bg-admin-01"),
        ("user", "U-0001"),
        ("user", "bg-admin-01@example.net"),
        ("user", "bg-\u0430dmin-01"),
        ("user", "\uff42g-admin-01"),
        ("user", "bg-admin\u200b-01"),
        ("user", "bg\u2010admin\u201001"),
        ("user", "bg-admin-Ol"),
        ("user", "maria.ortega, bg-admin-01"),
        ("user", "*"),
        ("endpoint", "nl-dc-01"),
        ("endpoint", "NL-DC-01.example.com."),
        ("endpoint", "NL-DC-01.other.example.net"),
        ("endpoint", "\\\\NL-DC-01"),
        ("endpoint", "192.0.2.5"),
        ("endpoint", "NL-\u0421\u0421-01 NL-DC-01"),
        ("indicator", "192.0.2.5"),
        ("indicator", "192[.]0[.]2[.]5"),
        ("indicator", "192.0.2.5/32"),
        ("indicator", "192.0.2.0/24"),
        ("indicator", "192.0.2.77/24"),
        ("indicator", "192.0.2.1-192.0.2.9"),
        ("indicator", "::ffff:192.0.2.5"),
        ("indicator", "::ffff:c000:200/120"),
        ("indicator", "0xC0000205"),
        ("indicator", "3221225989"),
        ("indicator", "0.0.0.0/0"),
        ("indicator", "::/0"),
        ("indicator", "any"),
        ("indicator", "http://192.0.2.5/share"),
        ("indicator", "https://nl-dc-01.example.com:8443/"),
        ("indicator", "NL-DC-01.example.com"),
        ("indicator", "example.com"),
        ("indicator", "*.example.com"),
        ("indicator", "NL-DC-01"),
        ("indicator", "bg-admin-01@example.com"),
        ("indicator", "198.51.100.1;192.0.2.5"),
        ("indicator", "a," * 1000 + "192.0.2.5"),
        ("indicator", "a," * 1000 + "b"),
        ("indicator", "192.0.2.0-255"),
        ("indicator", "192.0.2.0-2.9"),
        ("indicator", "64:ff9b::192.0.2.5"),
        ("indicator", "64:ff9b::c000:205/127"),
        ("indicator", "64:ff9b:1::192.0.2.5"),
        ("indicator", "2002:c000:205::"),
        ("indicator", "2002:c000:205::1/128"),
        ("indicator", "2002:c000:200::/40"),
        ("indicator", "::192.0.2.5"),
        ("indicator", "::ffff:0:192.0.2.5"),
        ("indicator", "http://nl-dc-01%E3%80%82example%e3%80%82com/"),
        ("indicator", "http://192%E3%80%820%EF%BD%A12%EF%BC%8E5/"),
        ("user", "*@example.com"),
        ("user", "@example.com"),
        ("user", "%@Example.com"),
        ("user", "bg-*"),
        ("user", "bg-admin-01+x@example.com"),
        ("user", "mail for bg-admin-01/inbox"),
        ("endpoint", "NL-DC-0?"),
    ],
)
def test_every_spelling_of_a_protected_asset_is_protected(kind, text):
    """
    Aliases, case, lookalikes, addresses in every form, networks, parent domains, lists and catch-alls are caught.
    """
    assert make_world().is_protected(kind, text)


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("user", "maria.ortega"),
        ("user", "bg-admin-02"),
        ("endpoint", "NL-WS-0142"),
        ("endpoint", "NL-DC-02"),
        ("indicator", "203.0.113.40"),
        ("indicator", "192.0.2.6"),
        ("indicator", "192.0.2.128/25"),
        ("indicator", "login.example.org"),
        ("indicator", "mail.example.com"),
        ("indicator", "ab" * 32),
        ("indicator", "ben.cho@example.com"),
        ("indicator", "http://login.example.org/a?b=*"),
        ("indicator", "192.0.2.6-9"),
        ("indicator", "64:ff9b::192.0.2.6"),
        ("indicator", "2002:c000:206::"),
        ("indicator", "::192.0.2.6"),
        ("user", "maria.ortega+bg@example.com"),
        ("user", "*@example.org"),
        ("user", "xbg-admin-01"),
        ("endpoint", "NL-DC-010/security"),
        ("endpoint", "C:\\Windows\\*\\NL-DC"),
        ("process", "bg-admin-01"),
    ],
)
def test_other_assets_are_not_protected(kind, text):
    """
    Neighbours in name, network and domain stay free; so do kinds that nobody knows.
    """
    assert not make_world().is_protected(kind, text)


def test_a_protected_network_is_touched_by_an_address_inside_it():
    """
    An indicator may be protected too; what overlaps it touches it.
    """
    world = make_world(make_fixture(indicators=(make_entity("198.51.100.0/24", protected=True),), channels={}))

    assert world.is_protected("indicator", "198.51.100.7")
    assert not world.is_protected("indicator", "198.51.101.7")


def test_a_world_without_protected_assets_protects_nothing():
    """
    Even a catch-all touches no protected asset where there is none.
    """
    world = make_world(make_fixture(identities=(make_entity("a"),), endpoints=(), channels={}, canary_slots=()))

    assert not world.is_protected("indicator", "0.0.0.0/0")
