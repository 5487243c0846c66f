"""Prepares the campaign of a session: everything that can be wrong is said here, before collection."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from typing import Any

import pytest

from soclab.assembly import TOKEN_VARIABLE, CampaignSettings, PreparedCampaign, agent_secrets, prepare
from soclab.assembly.interrupts import termination_interrupts
from soclab.clock import SystemClock
from soclab.contracts.vocabulary import STAGES
from soclab.errors import ConfigurationError, UnknownNameError, UsageError
from soclab.identity import campaign_secret, derive_id
from soclab.published_files import published
from soclab.pytest_plugin.arguments import NODE, campaign_arguments, names_campaign
from soclab.pytest_plugin.campaigns import Campaigns
from soclab.pytest_plugin.collection import Tree
from soclab.pytest_plugin.gate import GATE
from soclab.pytest_plugin.hooks import ContainedMark
from soclab.pytest_plugin.keys import CAMPAIGN
from soclab.pytest_plugin.node_ids import Named, parse
from soclab.pytest_plugin.options import given
from soclab.pytest_plugin.override import find_override
from soclab.pytest_plugin.part import Part
from soclab.pytest_plugin.session import CampaignSession, Wishes
from soclab.pytest_plugin.settings import campaign_settings, modes_of, settings_of_modes
from soclab.pytest_plugin.shield import Shield
from soclab.pytest_plugin.silent_reports import SilentReports
from soclab.pytest_plugin.text import curl_line, rerun_options
from soclab.redaction import clean

__all__ = ["begin"]

_RUNS_NOTHING = ("collectonly", "showfixtures", "show_fixtures_per_test", "setuponly", "setupplan")


def begin(config: pytest.Config, environment: Mapping[str, str]) -> None:
    """
    Check what the user said and register the campaign.

    Raises:
        pytest.UsageError: one line; no request was sent, nothing was written.
    """
    part = _part_of(config)
    try:
        campaigns = _campaigns(config, environment, part)
    except UsageError as error:
        raise pytest.UsageError(clean(str(error))) from None
    terminable = ExitStack()
    terminable.enter_context(termination_interrupts())
    config.add_cleanup(terminable.close)
    config.stash[CAMPAIGN] = campaigns.primary
    config.pluginmanager.register(part.hooks(campaigns, Shield(agent_secrets(environment))), "soclab-campaign")
    config.pluginmanager.register(SilentReports(), "soclab-silent-reports")
    if getattr(config.option, "htmlpath", None):
        from soclab.pytest_plugin.html_report import HtmlReport  # of no use without pytest-html

        config.pluginmanager.register(HtmlReport(campaigns), "soclab-html")
    if campaigns.primary.wishes.contained_passes:
        config.pluginmanager.register(ContainedMark(), "soclab-contained")


def _part_of(config: pytest.Config) -> Part:
    """What this process is; of xdist only its options are looked at."""
    is_worker, option = hasattr(config, "workerinput"), config.option
    distributes = getattr(option, "dist", "no") != "no" and bool(getattr(option, "tx", None))
    if not is_worker and (option.collectonly or not distributes):
        return Part()
    from soclab.pytest_plugin.distribution import parts  # of no use to the only process of a session

    return parts.worker_part(config) if is_worker else parts.controller_part()


def _campaigns(config: pytest.Config, environment: Mapping[str, str], part: Part) -> Campaigns:
    said = given(config, environment)
    modes = modes_of(said)
    settings = campaign_settings(config, said, environment, find_override(config))
    by_level = settings_of_modes(settings, modes, part.folder_name or _folder_name(len(modes)))
    runs = names_campaign(config) and not any(getattr(config.option, one, False) for one in _RUNS_NOTHING)
    each = {level: prepare(part.settled(one), writes=runs) for level, one in by_level.items()}
    first = next(iter(each.values()))
    agent: Any = None if settings.fixture_agent else first.default_agent()
    tree = _tree(config, first, tuple(each))
    sessions = {level: _session(config, part, prepared, agent, tree, level) for level, prepared in each.items()}
    return Campaigns(sessions, settings.resume or settings.out)


def _session(
    config: pytest.Config, part: Part, prepared: PreparedCampaign, agent: Any, tree: Tree, level: str
) -> CampaignSession:
    settings = prepared.settings
    wishes = Wishes(
        collected=names_campaign(config),
        contained_passes=settings.judging.contained_passes,
        gates_decide=settings.judging.verdict == "gates",
        rerun=rerun_options(settings),
        curl=curl_line(settings, TOKEN_VARIABLE, _sample_request(settings)),
    )
    return part.session(prepared, agent, wishes, tree, level)


def _folder_name(modes: int) -> str:
    """Of the folder that two campaigns share; a campaign alone names its own."""
    if modes == 1:
        return ""
    stamp = SystemClock().now().isoformat()[:19].replace(":", "").replace("-", "")
    return f"{stamp}-{derive_id(campaign_secret(None), 'folder')[:12]}"


def _tree(config: pytest.Config, prepared: PreparedCampaign, levels: tuple[str, ...]) -> Tree:
    """
    Raises:
        UsageError: an argument names no scenario or no stage.
    """
    try:
        named = parse(campaign_arguments(config), whole=(GATE,))
    except ValueError as error:
        raise ConfigurationError(f"{error}: write {NODE}::ID or {NODE}::ID[stage]") from None
    titles = {one.id: clean(one.title) for one in prepared.scenarios}
    _check_names(named, [*titles, *prepared.left_out], levels, prepared.trials)
    asked = {*prepared.settings.patterns, *(one.scenario for one in named if one.scenario)}
    skipped = {name: f"cannot be run: {why}" for name, why in prepared.left_out.items() if name in asked}
    return Tree(titles=titles, named=named, skipped=skipped, levels=levels, trials=prepared.trials)


def _check_names(named: Sequence[Named], known: Sequence[str], levels: Sequence[str], trials: int) -> None:
    for one in named:
        if one.level is not None and one.level not in levels:
            raise ConfigurationError(
                f"{NODE}::{one.level}: there is such a node with --soclab-mode both only; leave the mode out"
            )
        if one.scenario is not None and one.scenario not in known:
            raise UnknownNameError(
                "scenario", one.scenario, sorted(known), f"{NODE}::{one.scenario}", see="--soclab-list"
            )
        if one.stage is not None and one.stage not in STAGES:
            raise UnknownNameError("stage", one.stage, [stage.value for stage in STAGES], f"{NODE}::{one.scenario}")
        if one.trial is not None and one.trial > trials:
            raise ConfigurationError(
                f"{NODE}::{one.scenario}[{one.stage}-t{one.trial}]: there is such a trial with --soclab-trials "
                f"{one.trial} or more only; there {'is one' if trials == 1 else f'are {trials}'}"
            )


def _sample_request(settings: CampaignSettings) -> str:
    return str(published("examples") / "http_agent" / "sample_request.json") if settings.provider_id == "http" else ""
