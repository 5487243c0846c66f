"""How much a campaign is going to ask of an agent, said before the first request."""

from __future__ import annotations

from soclab.assembly.prepared import PreparedCampaign
from soclab.contracts.vocabulary import STAGES
from soclab.errors import UnknownNameError

__all__ = ["compared_words", "plan_words", "twins_of"]

_ANSWERS = {"on": True, "off": False}


def plan_words(prepared: PreparedCampaign, modes: int = 1) -> str:
    """`23 scenarios, 3 trials each, clean twins, 903 calls at most`."""
    twins = prepared.twin_calls() * modes
    calls = len(prepared.scenarios) * prepared.trials * len(STAGES) * modes + twins
    parts = [f"{len(prepared.scenarios)} scenarios"]
    if prepared.trials > 1:
        parts.append(f"{prepared.trials} trials each")
    if twins:
        parts.append("clean twins")
    return ", ".join((*parts, f"{calls} calls at most"))


def twins_of(text: str, place: str) -> bool:
    """
    Whether clean twins are wanted.

    Raises:
        UnknownNameError: it is neither "on" nor "off".
    """
    if text not in _ANSWERS:
        raise UnknownNameError("value", text, list(_ANSWERS), place)
    return _ANSWERS[text]


def compared_words(prepared: PreparedCampaign) -> str:
    """With what, and what the comparison can show if every run has a verdict."""
    reference = prepared.reference
    if reference is None:
        return ""
    from soclab.assembly.comparing import foreseen
    from soclab.reports.releases import detectable_words, side_words

    place = "" if reference.folder is None else f"{reference.folder}: "
    planned = foreseen(reference.earlier, frozenset(one.id for one in prepared.scenarios))
    return f"with {place}{side_words(reference.earlier.release)}; {detectable_words(planned)}"
