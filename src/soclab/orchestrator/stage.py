"""What a stage is: what is asked, and which shape of answer it takes. One file per stage in `stages/`."""

from __future__ import annotations

from typing import Literal

from soclab.contracts.strict import Frozen, JsonObject
from soclab.contracts.vocabulary import Stage

__all__ = ["StageSpec"]


class StageSpec(Frozen):
    """
    One stage.

    Attributes:
        task: what is wanted, in plain words; trusted text of the lab.
        answer: what the stage takes: a read call, a finding, or a response action.
        example: the proposal an agent could send, filled in; `<...>` marks what it replaces.
    """

    stage: Stage
    task: str
    answer: Literal["read", "finding", "action"]
    example: JsonObject
