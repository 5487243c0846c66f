"""What the controller tells its workers, and where their campaign stands."""

from __future__ import annotations

import json
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any, Final, NamedTuple

import pytest

from soclab.assembly import CampaignSettings
from soclab.engine.folder import default_folder
from soclab.engine.resume import session_of

__all__ = ["KEY", "UNTOLD", "Shared", "place_of_campaign", "taken_up"]

KEY: Final = "soclab"
"""In the input of a worker: a campaign was asked for, and this is what its processes share."""

UNTOLD: Final = "soclab_untold"
"""In the output of a worker: lines of agents that no item told."""


class Shared(NamedTuple):
    """
    Attributes:
        session_id: of the distributed session, drawn by its controller.
        folder_name: of the campaign's folder in the default place.
        worker: id of this worker; "" on the controller.
        policy_version: of the policy server that the controller has checked, so that no worker does; None without one.
    """

    session_id: str
    folder_name: str
    worker: str = ""
    policy_version: str | None = None

    @classmethod
    def of_worker(cls, config: pytest.Config) -> Shared | None:
        """What this worker was told; None in a process that is no worker."""
        told: Any = getattr(config, "workerinput", None)
        if told is None:
            return None
        session_id, folder_name, policy_version = json.loads(told[KEY])
        return cls(session_id, folder_name, str(told["workerid"]), policy_version)

    @property
    def stop_mark(self) -> Path:
        """An empty file that is there from an interrupt of the controller to its end."""
        return Path(tempfile.gettempdir(), f"soclab-{self.session_id}.stop")

    def text(self) -> str:
        """Flat text, because rich objects do not travel."""
        return json.dumps([self.session_id, self.folder_name, self.policy_version])


def place_of_campaign(settings: CampaignSettings) -> Path:
    """The folder of a campaign whose name was settled beforehand."""
    return settings.resume or settings.out or default_folder(settings.root, settings.folder_name or "")


def taken_up(settings: CampaignSettings) -> CampaignSettings:
    """The same, going on where another worker of this session crashed, if one did."""
    place = place_of_campaign(settings)
    if settings.resume is None and session_of(place) == settings.session_id:
        return replace(settings, resume=place, out=None, overwrite=False)
    return settings
