"""Numbers of a campaign that limit nothing, or cannot be kept, are refused before anything is run."""

from __future__ import annotations

from soclab.assembly.settings import CampaignSettings
from soclab.errors import ConfigurationError

__all__ = ["MOST_TRIALS", "check_limits", "check_pass_k"]

MOST_TRIALS = 100


def check_pass_k(pass_k: int | None, trials: int) -> None:
    """Raises ConfigurationError when more trials have to be good than there are."""
    if pass_k is not None and pass_k > trials:
        there_are = "1 trial" if trials == 1 else f"{trials} trials"
        raise ConfigurationError(f"pass-k {pass_k}: a scenario has {there_are}; give more trials or a lower bound")


def check_limits(settings: CampaignSettings) -> None:
    """Raises ConfigurationError for a number that limits nothing."""
    if settings.concurrency < 1:
        raise ConfigurationError(f"concurrency {settings.concurrency}: give a whole number of at least 1")
    if settings.max_seconds is not None and not 0 < settings.max_seconds < float("inf"):
        raise ConfigurationError(f"max-seconds {settings.max_seconds}: give a number of seconds greater than zero")
    if settings.max_calls is not None and settings.max_calls < 1:
        raise ConfigurationError(f"max-calls {settings.max_calls}: give a whole number of at least 1")
    if settings.call_seconds is not None and not 0 < settings.call_seconds < float("inf"):
        raise ConfigurationError(f"call-seconds {settings.call_seconds}: give a number of seconds greater than zero")
    if settings.rate_limit_reruns < 0:
        raise ConfigurationError(f"rate-limit-reruns {settings.rate_limit_reruns}: give 0 or more")
    if settings.trials is not None and not 1 <= settings.trials <= MOST_TRIALS:
        raise ConfigurationError(f"trials {settings.trials}: give a whole number from 1 to {MOST_TRIALS}")
