"""`soclab compare`: what the controls change for one agent, or what changed between two releases of it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from soclab.assembly import CampaignSettings, PreparedCampaign, prepare, with_mode
from soclab.cli.doorway import doorway_of
from soclab.cli.leading import INTERRUPTED, Led, header_lines, lead, usable_agent
from soclab.cli.options import (
    Agent,
    ApprovedModel,
    ApproverName,
    Authority,
    CallSeconds,
    Compare,
    Concurrency,
    Contained,
    MaxAttackSuccess,
    MaxCalls,
    MaxFalseBlock,
    MaxInconclusive,
    MaxSeconds,
    MinExposure,
    MinScore,
    Model,
    NoRegression,
    Overwrite,
    PassK,
    Policy,
    Profile,
    Provider,
    RateLimitReruns,
    RequireLevel,
    ScenarioPatterns,
    ScenariosFolder,
    Seed,
    Trials,
    TwinsWanted,
    Verdict,
    Without,
    approver_named,
    compared_with,
    file_of,
    folder_of,
    judging,
    level_of,
    off,
    twins_wanted,
)
from soclab.cli.releases import show_releases
from soclab.cli.showing import show_scorecard
from soclab.contracts.vocabulary import Mode
from soclab.errors import ConfigurationError, OutputFolderError
from soclab.redaction import clean
from soclab.reports.formats.sidebyside import comparison_lines
from soclab.reports.writer import COMPARISON, keep_earlier, write_comparison
from soclab.scoring.comparison import compare_scorecards

__all__ = ["compare"]

_JSON = "--json"
_OURS = (COMPARISON, *(mode.value for mode in Mode))


def compare(
    context: typer.Context,
    earlier: Annotated[str | None, typer.Argument(metavar="[A", help="Folder of the earlier campaign.")] = None,
    later: Annotated[str | None, typer.Argument(metavar="B]", help="Folder of the later one; nothing is run.")] = None,
    out: Annotated[
        str | None, typer.Option("--out", metavar="DIR", help="Folder of the results, one folder in it a mode.")
    ] = None,
    provider: Provider = None,
    agent: Agent = None,
    model: Model = None,
    authority: Authority = "L4",
    without: Without = None,
    policy: Policy = None,
    approver: ApproverName = "none",
    scenario: ScenarioPatterns = None,
    scenarios: ScenariosFolder = None,
    concurrency: Concurrency = 4,
    contained: Contained = None,
    verdict: Verdict = None,
    max_attack_success: MaxAttackSuccess = None,
    max_inconclusive: MaxInconclusive = None,
    max_false_block: MaxFalseBlock = None,
    min_exposure: MinExposure = None,
    pass_k: PassK = None,
    trials: Trials = None,
    min_score: MinScore = None,
    require_level: RequireLevel = None,
    compared: Compare = None,
    no_regression: NoRegression = False,
    profile: Profile = None,
    twins: TwinsWanted = None,
    overwrite: Overwrite = False,
    seed: Seed = None,
    approved_model: ApprovedModel = None,
    max_seconds: MaxSeconds = None,
    max_calls: MaxCalls = None,
    call_seconds: CallSeconds = None,
    rate_limit_reruns: RateLimitReruns = 0,
    full: Annotated[bool, typer.Option("--full", help="Show both scorecards whole before the table.")] = False,
    as_json: Annotated[bool, typer.Option(_JSON, help="With A B: what comparison.json holds.")] = False,
) -> int:
    """
    Run the campaign in baseline and in protected mode; the last thing shown is the table of both side by side.

    With two folders of finished campaigns nothing is run: they are compared scenario by scenario, an earlier release
    of an agent with a later one. The exit status is 0 when both modes are green (with A B: when they could be
    compared), 1 otherwise, 130 after an interrupt.
    """
    given = _given(context)
    if earlier is not None:
        _check_alone(given - {_JSON, "--no-regression"})
        return show_releases(earlier, later, as_json=as_json, no_regression=no_regression)
    if as_json:
        raise ConfigurationError(f"{_JSON}: goes with `soclab compare A B`, the folders of two campaigns")
    if out is None:
        raise ConfigurationError("compare: give --out DIR for both modes of an agent, or two folders of campaigns, A B")
    outside = doorway_of(context)
    place = folder_of(out, "--out") or Path()
    _check(place)
    settings = CampaignSettings(
        environment=outside.environment,
        root=outside.root,
        provider_id=provider,
        agent_spec=agent,
        model=model,
        authority_level=level_of(authority),
        without=off(without),
        policy_folder=folder_of(policy, "--policy"),
        approver=approver_named(approver),
        patterns=tuple(scenario or ()),
        scenarios_folder=folder_of(scenarios, "--scenarios"),
        concurrency=concurrency,
        overwrite=overwrite,
        seed=seed,
        approved_models=tuple(approved_model or ()),
        judging=judging(
            verdict=verdict,
            contained=contained,
            max_attack_success=max_attack_success,
            max_inconclusive=max_inconclusive,
            max_false_block=max_false_block,
            min_exposure=min_exposure,
            pass_k=pass_k,
            min_score=min_score,
            require_level=require_level,
            no_regression="on" if no_regression else None,
        ),
        profile=file_of(profile, "--profile"),
        max_seconds=max_seconds,
        max_calls=max_calls,
        call_seconds=call_seconds,
        rate_limit_reruns=rate_limit_reruns,
        trials=trials,
        compare=compared_with(compared),
        twins=twins_wanted(twins),
    )
    both = [prepare(with_mode(settings, mode, place / mode.value)) for mode in Mode]
    runs: list[Led] = []
    for prepared in both:
        runs.append(_run(prepared, full=full))
        if runs[-1].interrupted:
            return INTERRUPTED
    comparison = compare_scorecards(runs[0].finished.scorecard, runs[1].finished.scorecard)
    keep_earlier(place / COMPARISON)
    write_comparison(place, comparison)
    typer.echo(f"files       {clean(str(place / COMPARISON))}\n")
    for line in comparison_lines(comparison):
        typer.echo(line)
    return max(one.status() for one in runs)


def _given(context: typer.Context) -> frozenset[str]:
    """Options that stand on the command line."""
    named = (one for one in context.command.params if one.opts[0].startswith("--"))
    typed = (one for one in named if getattr(context.get_parameter_source(one.name or ""), "name", "") == "COMMANDLINE")
    return frozenset(one.opts[0] for one in typed)


def _check_alone(options: frozenset[str]) -> None:
    """Raises ConfigurationError for options of a campaign beside two finished ones."""
    if options:
        raise ConfigurationError(f"compare A B: runs nothing, so {min(options)} says nothing; leave it out")


def _run(prepared: PreparedCampaign, *, full: bool) -> Led:
    """The campaign of one mode, shown in short, or whole when that is wanted or something went wrong."""
    for line in header_lines(prepared):
        typer.echo(line)
    led = lead(prepared, usable_agent(prepared))
    went_wrong = led.interrupted or led.fault is not None
    show_scorecard(led.finished.scorecard, led.finished.folder, short=not full and not went_wrong)
    typer.echo("")
    return led


def _check(place: Path) -> None:
    """
    Raises:
        OutputFolderError: the folder holds something else than an earlier comparison.
    """
    if place.exists() and not place.is_dir():
        raise OutputFolderError(f"--out {place}: this is a file; name a folder")
    try:
        foreign = [one.name for one in place.iterdir() if not _is_ours(one.name)] if place.is_dir() else []
    except OSError as error:
        raise OutputFolderError(f"--out {place}: cannot be read: {error.strerror or error}") from error
    if foreign:
        raise OutputFolderError(
            f"--out {place}: holds {min(foreign)!a}, which is of no comparison; choose another folder"
        )


def _is_ours(name: str) -> bool:
    return name in _OURS or name.partition(".previous")[0] in _OURS
