"""What a status and a body mean."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from soclab.contracts.vocabulary import ErrorCode
from soclab.providers.http.incoming import answer_to, retry_after_seconds

NOW = datetime(2026, 1, 1, tzinfo=UTC)
REFUSAL = json.dumps({"contract": "soclab.agent.v1", "refusal": {"code": "policy", "reason": "no"}}).encode()
TRUNCATED = (ErrorCode.TRUNCATED, "cut")


@settings(deadline=None)
@given(st.integers(100, 999), st.none() | st.just(TRUNCATED))
def test_only_a_2xx_with_a_whole_body_is_a_reply(status: int, fault: tuple[ErrorCode, str] | None) -> None:
    """
    Every other status is an error with a code, whatever its body says.
    """
    answer = answer_to(status, REFUSAL, fault, None, NOW)

    assert (answer.reply is not None) == (200 <= status < 300 and fault is None)
    assert (answer.reply is None) == (answer.code is not None)


@pytest.mark.parametrize(
    ("status", "code"),
    [
        (101, ErrorCode.UNEXPECTED_STATUS),
        (300, ErrorCode.UNEXPECTED_STATUS),
        (399, ErrorCode.UNEXPECTED_STATUS),
        (400, ErrorCode.REQUEST_REJECTED),
        (401, ErrorCode.AUTHENTICATION_REJECTED),
        (403, ErrorCode.AUTHENTICATION_REJECTED),
        (404, ErrorCode.REQUEST_REJECTED),
        (408, ErrorCode.REQUEST_REJECTED),
        (429, ErrorCode.RATE_LIMITED),
        (499, ErrorCode.REQUEST_REJECTED),
        (500, ErrorCode.AGENT_ERROR),
        (599, ErrorCode.AGENT_ERROR),
        (600, ErrorCode.UNEXPECTED_STATUS),
    ],
)
def test_the_status_names_the_reason(status: int, code: ErrorCode) -> None:
    """
    A status counts more than what is wrong with its body.
    """
    answer = answer_to(status, b"", TRUNCATED, "5", NOW)

    assert answer.code is code
    assert answer.detail == f"status {status}"
    assert (answer.retry_after_seconds is not None) == (status == 429)


@settings(deadline=None)
@given(st.text())
def test_any_retry_after_is_a_wait_or_nothing(value: str) -> None:
    """
    A hostile header never raises and never gives a negative or infinite wait.
    """
    seconds = retry_after_seconds(value, NOW)

    assert seconds is None or 0 <= seconds < 1e12


@pytest.mark.parametrize("value", ["Fri, 31 Dec 9999 23:59:59 GMT", "Thu, 01 Jan 2026 00:00:00 -0000"])
def test_dates_at_the_edges_are_read(value: str) -> None:
    """
    The last date there is, and one without a time zone, are dates.
    """
    assert retry_after_seconds(value, NOW) is not None
