"""
The one wiring room: concrete parts are chosen and joined here, and nowhere else.

A front door calls `prepare` (everything that can be wrong is said there, before the first request and before
anything is written), then `PreparedCampaign.start`, then `RunningCampaign.finish`.
"""

from soclab.assembly.agent import TOKEN_VARIABLE, agent_secrets, load_agent
from soclab.assembly.control_plane import approver_of, authority_level_of, switched_off
from soclab.assembly.judging import JUDGING_OPTIONS, judging_of
from soclab.assembly.limits import MOST_TRIALS
from soclab.assembly.packs import checked_pack
from soclab.assembly.planning import compared_words, plan_words, twins_of
from soclab.assembly.prepared import PreparedCampaign, prepare
from soclab.assembly.quiet import Quiet, quieter
from soclab.assembly.running import FinishedCampaign, RunningCampaign
from soclab.assembly.settings import CampaignSettings, with_mode
from soclab.errors import SoclabError

__all__ = [
    "JUDGING_OPTIONS",
    "MOST_TRIALS",
    "TOKEN_VARIABLE",
    "CampaignSettings",
    "FinishedCampaign",
    "PreparedCampaign",
    "Quiet",
    "RunningCampaign",
    "SoclabError",
    "agent_secrets",
    "approver_of",
    "authority_level_of",
    "checked_pack",
    "compared_words",
    "judging_of",
    "load_agent",
    "plan_words",
    "prepare",
    "quieter",
    "switched_off",
    "twins_of",
    "with_mode",
]
