"""What an answer over HTTP means: a reply, or one reason code and one line of why."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from soclab.contracts.agent_v1 import AgentReply, ReplyRejected, read_reply
from soclab.contracts.vocabulary import ErrorCode

__all__ = ["Answer", "answer_to", "retry_after_seconds"]

_SECONDS = re.compile(r"[0-9]{1,9}\Z")
_BY_STATUS = {
    401: ErrorCode.AUTHENTICATION_REJECTED,
    403: ErrorCode.AUTHENTICATION_REJECTED,
    429: ErrorCode.RATE_LIMITED,
}


@dataclass(frozen=True)
class Answer:
    """
    Either `reply`, or `code` and `detail`.

    Attributes:
        detail: one line in our words: status, field paths.
        retry_after_seconds: of a 429.
    """

    reply: AgentReply | None = None
    code: ErrorCode | None = None
    detail: str = ""
    retry_after_seconds: float | None = None


def answer_to(
    status: int, body: bytes, fault: tuple[ErrorCode, str] | None, retry_after: str | None, now: datetime
) -> Answer:
    """
    Args:
        body: decompressed, untrusted.
        fault: what is wrong with the body already; the status counts more than it.
        retry_after: the header's value; untrusted.
        now: with time zone; for a `Retry-After` that is a date.
    """
    if not 200 <= status < 300:
        wait = retry_after_seconds(retry_after, now) if status == 429 else None
        return Answer(code=_code_of(status), detail=f"status {status}", retry_after_seconds=wait)
    if fault is not None:
        return Answer(code=fault[0], detail=fault[1])
    if not body:
        return Answer(code=ErrorCode.INVALID_JSON, detail=f"status {status} with an empty body")
    try:
        return Answer(reply=read_reply(body))
    except ReplyRejected as rejected:
        return Answer(code=rejected.code, detail=rejected.detail)


def retry_after_seconds(value: str | None, now: datetime) -> float | None:
    """
    Seconds to wait, from a number of seconds or an HTTP date; never negative. None when absent or unreadable.
    """
    text = (value or "").strip()
    if _SECONDS.match(text):
        return float(text)
    try:
        moment = parsedate_to_datetime(text)
    except (ValueError, OverflowError):
        return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return max(0.0, (moment - now).total_seconds())


def _code_of(status: int) -> ErrorCode:
    if status in _BY_STATUS:
        return _BY_STATUS[status]
    if 400 <= status < 500:
        return ErrorCode.REQUEST_REJECTED
    return ErrorCode.AGENT_ERROR if 500 <= status < 600 else ErrorCode.UNEXPECTED_STATUS
