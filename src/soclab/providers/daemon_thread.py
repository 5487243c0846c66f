"""One blocking call in a thread of its own, which nobody waits for when it hangs."""

from __future__ import annotations

import asyncio
import contextlib
import contextvars
import threading
from collections.abc import Callable
from typing import Any, TypeVar

__all__ = ["in_daemon_thread"]

_T = TypeVar("_T")


async def in_daemon_thread(function: Callable[..., _T], *arguments: Any) -> _T:
    """
    What `function(*arguments)` returns, or the exception it raises; context variables are those of the caller.

    A wait that is cancelled leaves the thread to itself: it keeps neither the event loop nor the process alive.

    Raises:
        RuntimeError: the function raised what is no `Exception` (`SystemExit`, `KeyboardInterrupt`).
    """
    loop = asyncio.get_running_loop()
    done: asyncio.Future[Callable[[], _T]] = loop.create_future()
    context = contextvars.copy_context()

    def work() -> None:
        outcome = _outcome(lambda: context.run(function, *arguments))
        with contextlib.suppress(RuntimeError):  # the loop has ended
            loop.call_soon_threadsafe(settle, outcome)

    def settle(outcome: Callable[[], _T]) -> None:
        if not done.done():
            done.set_result(outcome)

    threading.Thread(target=work, name="soclab-agent", daemon=True).start()
    return (await done)()


def _outcome(call: Callable[[], _T]) -> Callable[[], _T]:
    """What to do in the event loop: return the value or raise the exception."""
    try:
        value = call()
    except Exception as error:
        return _raiser(error)
    except BaseException as error:
        return _raiser(RuntimeError(type(error).__name__))
    return lambda: value


def _raiser(error: Exception) -> Callable[[], Any]:
    def again() -> Any:
        raise error

    return again
