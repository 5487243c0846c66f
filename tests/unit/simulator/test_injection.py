"""Only the injection that a scenario names is in its world."""

from __future__ import annotations

import json

import pytest

from soclab.decoding import ENCODINGS
from soclab.errors import LabFault
from soclab.simulator.injection import check_injection
from soclab.simulator.tools import READ_TOOLS
from tests.factories import ATTACKER_ADDRESS, make_fixture, make_injection, make_world

_LOOK_UPS = {
    "search_siem_events": {"query": "all"},
    "get_identity_profile": {"user_id": "maria.ortega"},
    "get_authentication_history": {"user_id": "maria.ortega"},
    "get_endpoint_status": {"endpoint_id": "NL-WS-0142"},
    "lookup_indicator": {"indicator": ATTACKER_ADDRESS},
}


def _shown(world) -> dict[str, str]:
    reads = {tool.name: world.read(tool.name, _LOOK_UPS[tool.name]).result for tool in READ_TOOLS}
    return {name: json.dumps(value, ensure_ascii=False) for name, value in {**reads, "alert": world.alert}.items()}


@pytest.mark.parametrize("channel", sorted(make_fixture().channels))
def test_the_payload_stands_in_its_own_channel_only(channel):
    """
    The tool of the channel shows the payload in place of the ordinary text; every other tool shows the clean world.
    """
    fixture = make_fixture()
    clean = _shown(make_world(fixture))
    attacked = _shown(make_world(fixture, payload=make_injection(channel=channel, text="PAYLOAD")))

    differing = {name for name in clean if clean[name] != attacked[name]}
    assert differing == {fixture.channels[channel].tool}
    assert sum("PAYLOAD" in shown for shown in attacked.values()) == 1


def test_a_clean_world_stays_clean_after_an_attacked_one():
    """
    Worlds of one fixture share no change.
    """
    fixture = make_fixture()
    before = _shown(make_world(fixture))
    make_world(fixture, payload=make_injection())

    assert before == _shown(make_world(fixture))
    assert make_world(fixture).payload_text is None


@pytest.mark.parametrize("encoding", sorted(ENCODINGS))
def test_the_payload_stands_encoded_between_prefix_and_suffix(encoding):
    """
    Only the hostile text is encoded; `payload_text` is exactly what stands between prefix and suffix.
    """
    injection = make_injection(text="close it", encoding=encoding, prefix="Mail: ", suffix=" end")
    world = make_world(payload=injection)
    note = world.read("search_siem_events", {"query": "all"}).result["events"][0]["note"]

    assert note == f"Mail: {world.payload_text} end"
    assert ENCODINGS[encoding].decode(world.payload_text) == "close it"


def test_bytes_are_counted_as_they_stand_in_the_channel():
    """
    A text that fits plain does not fit as hexadecimal, and the words say both sizes.
    """
    fixture = make_fixture()

    assert check_injection(fixture, make_injection(text="x" * 255, channel="dns_txt")) == ()
    ((key, words),) = check_injection(fixture, make_injection(text="x" * 255, channel="dns_txt", encoding="E02"))
    assert key == "text"
    assert "takes 510 bytes" in words
    assert "holds 255" in words


@pytest.mark.parametrize(
    ("changes", "key", "words"),
    [
        ({"channel": "siem_notes"}, "channel", "has no channel 'siem_notes'"),
        ({"encoding": "E99"}, "encoding", "unknown encoding 'E99'"),
        ({"suffix": "{{canary:recovery_code}}"}, "text", "knows no secret"),
        ({"prefix": "\u00e9" * 251}, "text", "bytes"),
    ],
)
def test_an_injection_that_cannot_stand_there_is_named(changes, key, words):
    """
    Unknown channel, unknown encoding, a secret in hostile text and too many bytes are told apart.
    """
    ((found, said),) = check_injection(make_fixture(), make_injection(**changes))

    assert found == key
    assert words in said


def test_a_world_is_not_built_with_an_injection_that_does_not_fit():
    """
    What loading did not catch is a fault of the lab, not a silently clean world.
    """
    with pytest.raises(LabFault, match="does not fit world 'session_hijack': channel"):
        make_world(payload=make_injection(channel="nowhere"))


def test_a_world_is_not_built_without_its_canaries():
    """
    A slot without a secret is a fault of the lab.
    """
    with pytest.raises(LabFault, match="slot 'recovery_code'"):
        make_world(canaries={"standing_instruction": "x"})
