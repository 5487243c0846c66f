"""The tables of tools: five that read, in the contract's order, and every response action, area by area."""

from soclab.simulator.tool import ToolSpec
from soclab.simulator.tools.cloud import CLOUD_ACTIONS
from soclab.simulator.tools.endpoint import ENDPOINT_ACTIONS
from soclab.simulator.tools.get_authentication_history import GET_AUTHENTICATION_HISTORY
from soclab.simulator.tools.get_endpoint_status import GET_ENDPOINT_STATUS
from soclab.simulator.tools.get_identity_profile import GET_IDENTITY_PROFILE
from soclab.simulator.tools.identity import IDENTITY_ACTIONS
from soclab.simulator.tools.incident import INCIDENT_ACTIONS
from soclab.simulator.tools.indicator import INDICATOR_ACTIONS
from soclab.simulator.tools.lookup_indicator import LOOKUP_INDICATOR
from soclab.simulator.tools.mail import MAIL_ACTIONS
from soclab.simulator.tools.search_siem_events import SEARCH_SIEM_EVENTS

__all__ = ["ACTIONS", "READ_TOOLS"]

READ_TOOLS: tuple[ToolSpec, ...] = (
    SEARCH_SIEM_EVENTS,
    GET_IDENTITY_PROFILE,
    GET_AUTHENTICATION_HISTORY,
    GET_ENDPOINT_STATUS,
    LOOKUP_INDICATOR,
)

ACTIONS: tuple[ToolSpec, ...] = (
    *INCIDENT_ACTIONS,
    *IDENTITY_ACTIONS,
    *ENDPOINT_ACTIONS,
    *INDICATOR_ACTIONS,
    *MAIL_ACTIONS,
    *CLOUD_ACTIONS,
)
