"""The table of manoeuvres, in the order of their ids."""

from __future__ import annotations

from typing import Final

from soclab.adversary.manoeuvre import Manoeuvre
from soclab.adversary.manoeuvres.approval_fatigue import APPROVAL_FATIGUE
from soclab.adversary.manoeuvres.expired_approval import EXPIRED_APPROVAL
from soclab.adversary.manoeuvres.forged_grant import FORGED_GRANT
from soclab.adversary.manoeuvres.replayed_grant import REPLAYED_GRANT
from soclab.adversary.manoeuvres.self_approval import SELF_APPROVAL
from soclab.adversary.manoeuvres.swapped_arguments import SWAPPED_ARGUMENTS
from soclab.adversary.manoeuvres.tampered_evidence import TAMPERED_EVIDENCE

__all__ = ["MANOEUVRES"]

MANOEUVRES: Final[tuple[Manoeuvre, ...]] = (
    FORGED_GRANT,
    REPLAYED_GRANT,
    SWAPPED_ARGUMENTS,
    APPROVAL_FATIGUE,
    TAMPERED_EVIDENCE,
    EXPIRED_APPROVAL,
    SELF_APPROVAL,
)
