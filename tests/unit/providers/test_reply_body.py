"""Bodies come in pieces, packed or not, and never grow beyond their cap."""

from __future__ import annotations

import gzip
import weakref
import zlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from soclab.contracts.vocabulary import ErrorCode
from soclab.providers.http.reply_body import ReplyBody

PACKERS = {
    "": bytes,
    "identity": bytes,
    "gzip": gzip.compress,
    "x-gzip": gzip.compress,
    " GZip ": gzip.compress,
    "deflate": zlib.compress,
}


def in_pieces(packed: bytes, size: int) -> list[bytes]:
    return [packed[start : start + size] for start in range(0, len(packed), size)]


def received(packed: bytes, encoding: str, most: int, size: int = 7) -> ReplyBody:
    body = ReplyBody(most, encoding)
    for piece in in_pieces(packed, size):
        if not body.feed(piece):
            break
    body.end()
    return body


@settings(deadline=None)
@given(st.binary(max_size=300), st.sampled_from(sorted(PACKERS)), st.integers(1, 400), st.integers(1, 50))
def test_what_fits_comes_out_and_what_does_not_is_cut(data: bytes, encoding: str, most: int, size: int) -> None:
    """
    However a body is packed and cut into pieces, its first bytes up to the cap come out, and only those.
    """
    body = received(PACKERS[encoding](data), encoding, most, size)

    assert bytes(body.data) == data[:most]
    assert (body.fault is None) == (len(data) <= most)
    if body.fault:
        assert body.fault[0] is ErrorCode.REPLY_TOO_LARGE


@settings(deadline=None)
@given(st.binary(min_size=1, max_size=100), st.integers(1, 20))
def test_deflate_without_its_head_is_read(data: bytes, size: int) -> None:
    """
    Many servers send raw deflate; it is read however the pieces fall.
    """
    packed = zlib.compress(data, wbits=-15)

    assert bytes(received(packed, "deflate", 1000, max(size, 2)).data) == data


@settings(deadline=None)
@given(st.lists(st.binary(max_size=50), min_size=1, max_size=5))
def test_gzip_members_are_joined(parts: list[bytes]) -> None:
    """
    Several gzip members are one body.
    """
    packed = b"".join(gzip.compress(part) for part in parts)

    assert bytes(received(packed, "gzip", 1000).data) == b"".join(parts)


@settings(deadline=None)
@given(st.binary(max_size=200), st.sampled_from(["gzip", "deflate", "br", "gzip, gzip", "\x00"]))
def test_hostile_bytes_are_a_fault_at_worst(data: bytes, encoding: str) -> None:
    """
    No bytes under any encoding raise.
    """
    assert len(received(data, encoding, 100).data) <= 100


@pytest.mark.parametrize("encoding", ["br", "zstd", "gzip, gzip", "compress"])
def test_an_encoding_that_was_not_asked_for_is_a_fault(encoding: str) -> None:
    """
    What cannot be unpacked within bounds is not unpacked at all.
    """
    body = received(b"{}", encoding, 100)

    assert body.fault == (ErrorCode.INVALID_JSON, "the body has a content encoding that was not asked for")
    assert body.data == b""


@pytest.mark.parametrize("encoding", ["gzip", "deflate"])
def test_a_packed_body_cut_short_is_truncated(encoding: str) -> None:
    """
    Packed bytes that stop before their end are a fault, though HTTP calls them whole.
    """
    body = received(PACKERS[encoding](b"x" * 1000)[:-5], encoding, 10_000)

    assert body.fault is not None
    assert body.fault[0] is ErrorCode.TRUNCATED


def test_after_a_fault_nothing_more_is_taken() -> None:
    """
    The first fault stays, and later pieces are refused.
    """
    body = ReplyBody(3)

    assert body.feed(b"abc")
    assert not body.feed(b"d")
    assert not body.feed(b"e")
    assert bytes(body.data) == b"abc"


@pytest.mark.parametrize("encoding", PACKERS)
def test_a_body_is_gone_when_nobody_has_it(encoding: str) -> None:
    """It refers to nothing that refers to it, so that no collector has to come by first."""
    body = received(PACKERS[encoding](b"{}"), encoding, 100)
    gone = weakref.ref(body)
    del body

    assert gone() is None
