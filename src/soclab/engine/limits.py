"""
What holds the engine back: rate limits of the agent, and an agent that cannot be reached.

Used inside one event loop only.
"""

from __future__ import annotations

import asyncio

from soclab.clock import Clock
from soclab.contracts.provider import ModelResponse
from soclab.contracts.vocabulary import ErrorCode

__all__ = ["Brakes"]

_FIRST_CALLS = 5
"""So many go out before anything is known of the agent. If nobody is there at any of them, no other call follows."""

_LONGEST_WAIT_SECONDS = 60.0
_DEFAULT_WAIT_SECONDS = 1.0


class Brakes:
    """
    Decides before each call whether it may go out now, later, or not at all.

    Which calls an agent that is off gets is the same at every concurrency: the first five, and until one of them came
    back with anything but a transport error the others wait.

    Args:
        max_seconds, max_calls: what the campaign may spend, None for no limit. A call that is out when the time is
            over may come back.

    Attributes:
        given_up: the reason why no call goes out any more: `agent_unreachable`, `rate_limited`, `budget`, or None.
        cause: what the first call that led to giving up came back with, `transport_error: connection refused ...`;
            untrusted, "" where no call was the cause.
        calls: so many went out.
        timed_out_under_load: a call timed out beside others, and none was answered meanwhile.
    """

    def __init__(
        self,
        concurrency: int,
        clock: Clock,
        *,
        max_seconds: float | None = None,
        max_calls: int | None = None,
    ) -> None:
        self._clock = clock
        self._calls_left = max_calls
        self.calls = 0
        self._ends_at_ms = None if max_seconds is None else clock.monotonic_ms() + max_seconds * 1000.0
        self._allowed = concurrency
        self._in_flight = 0
        self._answers = 0
        self._unreached = 0
        self._known = False
        self._free_at_ms = 0.0
        self._changed = asyncio.Event()
        self.given_up: ErrorCode | None = None
        self.cause = ""
        self.timed_out_under_load = False

    async def enter(self) -> int:
        """Wait until a call may go out. Returns a mark to hand back to `leave`. Check `given_up` after it."""
        while self.given_up is None:
            wait_seconds = (self._free_at_ms - self._clock.monotonic_ms()) / 1000.0
            if wait_seconds > 0:
                await asyncio.sleep(wait_seconds)
            elif self._in_flight >= self._allowed or not (self._known or self.calls < _FIRST_CALLS):
                self._changed.clear()
                await self._changed.wait()
            else:
                break
        self._spend()
        self._in_flight += 1
        self.calls += self.given_up is None
        return self._answers

    def leave(self, mark: int, response: ModelResponse | None) -> None:
        """A call came back; None when it was cancelled."""
        beside_others = self._in_flight > 1
        self._in_flight -= 1
        self._changed.set()
        code = None if response is None else response.reason_code
        if response is None or code != ErrorCode.TRANSPORT_ERROR:
            self._known = True
        if response is None:
            return
        if code == ErrorCode.TIMEOUT and beside_others and self._answers == mark:
            self.timed_out_under_load = True
        if code == ErrorCode.RATE_LIMITED:
            self._slow_down(response)
        self._answers += code not in (ErrorCode.TRANSPORT_ERROR, ErrorCode.TIMEOUT)
        if not self._known:
            self._count_failure(response)

    def _spend(self) -> None:
        if self.given_up is not None:
            return
        if self._ends_at_ms is not None and self._clock.monotonic_ms() >= self._ends_at_ms:
            self._give_up(ErrorCode.BUDGET)
        elif self._calls_left is not None:
            if self._calls_left <= 0:
                self._give_up(ErrorCode.BUDGET)
            else:
                self._calls_left -= 1

    def _count_failure(self, response: ModelResponse) -> None:
        self._unreached += 1
        self.cause = self.cause or _told(response)
        if self._unreached >= _FIRST_CALLS:
            self._give_up(ErrorCode.AGENT_UNREACHABLE)

    def _slow_down(self, response: ModelResponse) -> None:
        self._allowed = max(1, self._allowed // 2)
        retry_after_seconds = response.retry_after_seconds
        wait_seconds = _DEFAULT_WAIT_SECONDS if retry_after_seconds is None else max(0.0, retry_after_seconds)
        if wait_seconds > _LONGEST_WAIT_SECONDS:
            self.cause = _told(response)
            self._give_up(ErrorCode.RATE_LIMITED)
            return
        self._free_at_ms = max(self._free_at_ms, self._clock.monotonic_ms() + wait_seconds * 1000.0)

    def _give_up(self, reason: ErrorCode) -> None:
        self.given_up = reason
        self._changed.set()


def _told(response: ModelResponse) -> str:
    return f"{response.reason_code}: {response.detail}" if response.detail else str(response.reason_code)
