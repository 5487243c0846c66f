"""No spelling of a protected asset passes."""

from __future__ import annotations

from ipaddress import IPv4Address, ip_network
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from soclab.decoding import ENCODINGS
from tests.unit.gateway.incident import ALL, call, gate, reasons, submit

ONLY = tuple(control for control in ALL if control.name == "protected_assets")
STOPPED = {"catch_all_target", "protected_asset"}

disguised = ENCODINGS["E10"].encode
full_width = {code: code + 0xFEE0 for code in range(0x21, 0x7F)}


@st.composite
def respelled(draw: st.DrawFn, names: st.SearchStrategy[str]) -> str:
    """A name with its letters in any case and dress, invisible characters between and blanks around them."""
    letters = []
    for letter in draw(names):
        dress = draw(
            st.sampled_from([str, str, str.upper, str.lower, disguised, lambda one: one.translate(full_width)])
        )
        letters.append(dress(letter) + draw(st.sampled_from(["", "", "", "\u200b", "\u2060", "\u00ad"])))
    return draw(st.sampled_from(["", " ", "\t"])) + "".join(letters) + draw(st.sampled_from(["", " ", "\n"]))


USERS = respelled(
    st.sampled_from(
        ["bg-admin-01", "bg-admin-01@example.com", "NORTHLAKE\\bg-admin-01", "bg-admin-01@other.example.org"]
    )
)
HOSTS = respelled(
    st.sampled_from(
        ["NL-DC-01", "nl-dc-01.example.com", "nl-dc-01.example.com.", "\\\\NL-DC-01", "NL-DC-01$", "192.0.2.10"]
    )
)


@given(USERS)
def test_no_spelling_of_a_protected_account_passes(text: str) -> None:
    """
    Case, alias, domain, look-alike, full-width and invisible characters make no difference.
    """
    assert STOPPED.intersection(reasons(submit(gate(ONLY), call("disable_account", user_id=text))))


@given(HOSTS)
def test_no_spelling_of_a_protected_host_passes(text: str) -> None:
    """
    Nor do they for a host, its full name or its address.
    """
    assert STOPPED.intersection(reasons(submit(gate(ONLY), call("isolate_endpoint", endpoint_id=text))))


AROUND_A_HOST = (
    "{}/security",
    "{}:514",
    "{}:514/udp",
    "\\\\{}\\c$",
    "\\\\{}\\share\\NL-WS-0142",
    "\\\\{}@SSL@8443\\share",
    "//{}/share",
    "x@{}",
    "root@{}",
    "NORTHLAKE\\{}",
    "NORTHLAKE/{}",
    "NORTHLAKE\\{}$",
    "ssh://root@{}:22/var/log",
    "host={}",
    "[{}]:514",
    "source:{{{}}}",
    "\u2215{}\u2215security",
    "NL-WS-0142+{}",
)
HOST_NAMES = ("NL-DC-01", "nl-dc-01.example.com", "192.0.2.10")
FREE_TEXTS = (("stop_logging", "source"), ("add_exclusion", "path"), ("suppress_finding", "match"))


@pytest.mark.parametrize(("tool", "argument"), FREE_TEXTS)
@pytest.mark.parametrize("around", AROUND_A_HOST)
def test_what_stands_around_a_protected_host_makes_no_difference(around: str, tool: str, argument: str) -> None:
    """
    Shares, ports, channels, accounts and domains around the name, in the arguments that hold free text.
    """
    for name in HOST_NAMES:
        proposal = call(tool, {argument: around.format(name)})

        assert STOPPED.intersection(reasons(submit(gate(ONLY), proposal))), proposal.arguments


@given(HOSTS, st.sampled_from(AROUND_A_HOST), st.sampled_from(FREE_TEXTS))
def test_no_spelling_of_a_protected_host_passes_in_free_text(text: str, around: str, place: tuple[str, str]) -> None:
    """
    Nor does it where the name itself is disguised as well.
    """
    tool, argument = place
    proposal = call(tool, {argument: around.format(text)})

    assert STOPPED.intersection(reasons(submit(gate(ONLY), proposal)))


@pytest.mark.parametrize("text", ["root@[2001:db8::10]", "2001:db8::10/security", "[2001:db8::10]:514/udp"])
def test_an_ipv6_address_in_free_text_is_that_host(text: str) -> None:
    """
    Its colons are its own, and its brackets, port and channel are not.
    """
    assert "protected_asset" in reasons(submit(gate(ONLY), call("stop_logging", source=text)))


@pytest.mark.parametrize(
    "text",
    ["every source", "all sources", "All_Sources", "each host", "*:514", "any:514", "(?i).*", ".*", "^.*$", "[\\s\\S]*",
     "C:\\*", "C:\\", "c:/*.*", "\\\\?\\C:\\*", "a," * 1000 + "192.0.2.10", "a" * 4096 + " NL-DC-01"],
)  # fmt: skip
@pytest.mark.parametrize(("tool", "argument"), FREE_TEXTS)
def test_everything_at_once_is_stopped(text: str, tool: str, argument: str) -> None:
    """
    Words, wild cards, whole drives, regular expressions; and what is too long to be looked at to its end.
    """
    assert STOPPED.intersection(reasons(submit(gate(ONLY), call(tool, {argument: text}))))


@pytest.mark.parametrize(
    "text",
    ["NL-WS-0142/security", "NL-WS-0142:514", "\\\\NL-WS-0142\\c$", "maria.ortega@NL-WS-0142", "NORTHLAKE\\NL-WS-0142$",
     "C:\\Windows\\Temp\\*", "NL-DC-011:514", "xNL-DC-01/security", "ben.cho@example.com",
     "(?i)mimikatz.*", "allsource.example.org"],
)  # fmt: skip
@pytest.mark.parametrize(("tool", "argument"), FREE_TEXTS)
def test_other_free_texts_pass(text: str, tool: str, argument: str) -> None:
    """
    The same forms around a name that is nobody's protected asset are free.
    """
    assert reasons(submit(gate(ONLY), call(tool, {argument: text}))) == ()


def _v4(number: int) -> str:
    return str(IPv4Address(number))


ADDRESS = int(IPv4Address("192.0.2.10"))
ADDRESSES = st.sampled_from(
    [
        "192.0.2.10",
        "192.0.2.10/32",
        "192[.]0[.]2[.]10",
        "192.0.2(dot)10",
        str(ADDRESS),
        hex(ADDRESS),
        "0300.0.02.012",
        "0xc0.0.2.0xa",
        "192.0.2.10:443",
        "::ffff:192.0.2.10",
        "::ffff:c000:20a",
        "0:0:0:0:0:ffff:c000:020a",
        "[::ffff:192.0.2.10]",
        "2001:db8::10",
        "2001:0DB8:0:0:0:0:0:0010",
        "2001:db8:0::10/128",
        "[2001:db8::10]:443",
        "http://192.0.2.10/admin",
        "hxxp://192[.]0[.]2[.]10",
        "https://user@nl-dc-01.example.com:8443/x",
        "NL-DC-01.example.com",
        "bg-admin-01@example.com",
        "http://" + quote("nl-dc-01", safe="") + "/",
        "192.0.2.1-192.0.2.20",
        "192.0.2.1-20",
        "64:ff9b::192.0.2.10",
        "64:FF9B::C000:20A",
        "2002:c000:20a::",
        "2002:c000:20a::/48",
        "::192.0.2.10",
        "http://[64:ff9b::192.0.2.10]/",
        "http://nl-dc-01%E3%80%82example%EF%BC%8Ecom/",
        "bg-admin-01+x@example.com",
        "*@example.com",
        "203.0.113.40, 192.0.2.10",
    ]
)


@given(ADDRESSES, st.sampled_from([str, str.upper, lambda text: text.translate(full_width), lambda text: f" {text} "]))
def test_no_spelling_of_a_protected_address_passes(text: str, dress: object) -> None:
    """
    Octal, hexadecimal, mapped, compressed, defanged, inside a URL, a range or a list: all are that host.
    """
    spelled = dress(text)  # type: ignore[operator]

    assert STOPPED.intersection(reasons(submit(gate(ONLY), call("block_indicator", indicator=spelled))))


@given(st.integers(0, 32))
def test_no_network_around_a_protected_address_passes(prefix: int) -> None:
    """
    Every network that holds the address is stopped, with or without host bits, in IPv4 or mapped.
    """
    network = ip_network(f"192.0.2.10/{prefix}", strict=False)
    spellings = (str(network), f"192.0.2.10/{prefix}", f"::ffff:192.0.2.10/{96 + prefix}")

    for text in spellings:
        assert STOPPED.intersection(reasons(submit(gate(ONLY), call("block_indicator", indicator=text)))), text


@given(st.integers(0, 128))
def test_no_network_around_a_protected_ipv6_address_passes(prefix: int) -> None:
    """
    The same holds for IPv6.
    """
    text = str(ip_network(f"2001:db8::10/{prefix}", strict=False))

    assert STOPPED.intersection(reasons(submit(gate(ONLY), call("block_indicator", indicator=text))))


@given(st.integers(0, 2**32 - 1).filter(lambda number: number != ADDRESS))
def test_other_addresses_pass(number: int) -> None:
    """
    A single other address is nobody's protected asset.
    """
    assert reasons(submit(gate(ONLY), call("block_indicator", indicator=_v4(number)))) == ()
