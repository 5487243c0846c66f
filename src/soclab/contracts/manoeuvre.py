"""What became of one thing that the lab tried against its own control plane."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from soclab.contracts.strict import Frozen

__all__ = ["ManoeuvreResult"]


class ManoeuvreResult(Frozen):
    """
    Attributes:
        id: `MAN-nnn`; never the id of a scenario.
        name: `forged grant`.
        refused: the control plane refused it. False also when it could not be tried: what was not shown is not safe.
        detail: one line: the refusal's code and words, or what was let through.
    """

    id: Annotated[str, Field(pattern=r"^MAN-[0-9]{3}$")]
    name: str
    refused: bool
    detail: str
