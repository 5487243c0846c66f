"""
What an agent's owner may look at when an answer is none: said in our words only, nothing of the answer is quoted.

The hints name environment variables, so they are for agents that are reached through these.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from soclab.contracts.vocabulary import ErrorCode
from soclab.providers.http.incoming import Answer
from soclab.providers.http.settings import TOKEN, URL

__all__ = ["with_hint"]

_RIGHT_PATH: Final = f"is the path of {URL} right?"
_NO_SUCH_PLACE: Final = (404, 405)
_HTML: Final = "text/html"


def with_hint(answer: Answer, status: int, content_type: str, *, has_token: bool) -> Answer:
    """
    Args:
        content_type: the header's value; untrusted, compared and never shown.
        has_token: the request carried one.

    Returns:
        the answer, its detail followed by what to look at where there is something.
    """
    if answer.code is ErrorCode.AUTHENTICATION_REJECTED:
        return _said(answer, f"the agent rejects the credentials; {'check' if has_token else 'set'} {TOKEN}")
    if status in _NO_SUCH_PLACE:
        return _said(answer, _RIGHT_PATH)
    if answer.code is ErrorCode.INVALID_JSON and content_type.strip().lower().startswith(_HTML):
        return replace(answer, detail=f"the reply is {_HTML}, not JSON: is {URL} right?")
    return answer


def _said(answer: Answer, hint: str) -> Answer:
    return replace(answer, detail=f"{answer.detail}: {hint}")
