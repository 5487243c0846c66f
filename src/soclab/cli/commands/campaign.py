"""`soclab campaign`: everything against one agent, without pytest."""

from __future__ import annotations

import typer

from soclab.assembly import CampaignSettings, prepare
from soclab.cli.doorway import doorway_of
from soclab.cli.leading import header_lines, lead, usable_agent
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
    ModeName,
    NoRegression,
    Out,
    Overwrite,
    PassK,
    Policy,
    Profile,
    Provider,
    RateLimitReruns,
    RequireLevel,
    Resume,
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
    mode_of,
    off,
    twins_wanted,
)
from soclab.cli.showing import show_scorecard

__all__ = ["campaign"]


def campaign(
    context: typer.Context,
    provider: Provider = None,
    agent: Agent = None,
    model: Model = None,
    mode: ModeName = "protected",
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
    compare: Compare = None,
    no_regression: NoRegression = False,
    profile: Profile = None,
    twins: TwinsWanted = None,
    out: Out = None,
    overwrite: Overwrite = False,
    seed: Seed = None,
    approved_model: ApprovedModel = None,
    max_seconds: MaxSeconds = None,
    max_calls: MaxCalls = None,
    call_seconds: CallSeconds = None,
    rate_limit_reruns: RateLimitReruns = 0,
    resume: Resume = None,
) -> int:
    """
    Run the scenarios against one agent; print and write the scorecard.

    The exit status is 0 when no run is red and every gate holds, 1 otherwise, 130 after an interrupt.
    """
    outside = doorway_of(context)
    prepared = prepare(
        CampaignSettings(
            environment=outside.environment,
            root=outside.root,
            provider_id=provider,
            agent_spec=agent,
            model=model,
            mode=mode_of(mode),
            authority_level=level_of(authority),
            without=off(without),
            policy_folder=folder_of(policy, "--policy"),
            approver=approver_named(approver),
            patterns=tuple(scenario or ()),
            scenarios_folder=folder_of(scenarios, "--scenarios"),
            concurrency=concurrency,
            out=folder_of(out, "--out"),
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
            twins=twins_wanted(twins),
            compare=compared_with(compare),
            resume=folder_of(resume, "--resume"),
        )
    )
    tested = usable_agent(prepared)
    for line in header_lines(prepared):
        typer.echo(line)
    led = lead(prepared, tested)
    show_scorecard(led.finished.scorecard, led.finished.folder)
    return led.status()
