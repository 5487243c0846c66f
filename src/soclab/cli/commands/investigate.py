"""`soclab investigate`: one scenario, stage by stage."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Annotated

import typer

from soclab.assembly import CampaignSettings, FinishedCampaign, PreparedCampaign, RunningCampaign, prepare
from soclab.cli.doorway import doorway_of
from soclab.cli.leading import lead, usable_agent
from soclab.cli.options import (
    Agent,
    ApproverName,
    Authority,
    Model,
    ModeName,
    Out,
    Overwrite,
    Policy,
    Provider,
    ScenariosFolder,
    Seed,
    Without,
    approver_named,
    folder_of,
    level_of,
    mode_of,
    off,
)
from soclab.contracts.outcome import StageOutcome
from soclab.contracts.scorecard_v1 import ScenarioResult
from soclab.contracts.vocabulary import STAGES, StageStatus
from soclab.errors import ConfigurationError
from soclab.redaction import clean
from soclab.reports.formats.terminal import failed_gates, result_line
from soclab.reports.runs import attack_line, run_words
from soclab.reports.words import mode_words, policy_words

__all__ = ["investigate"]

_LIMIT = 500
_FINE = "run"
_USEFUL = {True: "right or acceptable", False: "neither right nor acceptable", None: None}


def investigate(
    context: typer.Context,
    provider: Provider = None,
    agent: Agent = None,
    model: Model = None,
    mode: ModeName = "protected",
    authority: Authority = "L4",
    without: Without = None,
    policy: Policy = None,
    approver: ApproverName = "none",
    scenario: Annotated[str, typer.Option("--scenario", metavar="ID", help="The scenario's id.")] = "ATK-001",
    scenarios: ScenariosFolder = None,
    out: Out = None,
    overwrite: Overwrite = False,
    seed: Seed = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the record of the run instead, as JSON.")] = False,
) -> int:
    """
    Lead an agent through one scenario and show every stage, the outcome and why.

    The exit status is 0 when the run is not red and every gate holds, 1 otherwise.
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
            patterns=(scenario,),
            scenarios_folder=folder_of(scenarios, "--scenarios"),
            concurrency=1,
            out=folder_of(out, "--out"),
            overwrite=overwrite,
            seed=seed,
        )
    )
    scenario_id = _only(prepared, scenario)
    tested = usable_agent(prepared)
    if not as_json:
        title = clean(prepared.scenarios[0].title, 200)
        settings = prepared.settings
        policies = policy_words(prepared.policy_origin, prepared.policy_version)
        how = mode_words(settings.mode, settings.authority_level, settings.without, settings.approver, policies)
        typer.echo(f"{scenario_id}: {title}\n{clean(prepared.describe(), 200)}, {how}\n")
    led = lead(prepared, tested, None if as_json else _teller(scenario_id))
    result = next((one for one in led.finished.results if one.id == scenario_id), None)
    if result is None:
        typer.echo(f"soclab: {scenario_id} was not begun; see {led.finished.folder}", err=True)
    elif as_json:
        typer.echo(json.dumps(result.model_dump(mode="json", by_alias=True), indent=2, ensure_ascii=True))
    else:
        for line in _why(result):
            typer.echo(line)
        _end(led.finished)
    return led.status()


def _only(prepared: PreparedCampaign, asked: str) -> str:
    if len(prepared.scenarios) != 1:
        raise ConfigurationError(
            f"--scenario {asked!a} names {len(prepared.scenarios)} scenarios; give one id, or use `soclab campaign`"
        )
    return prepared.scenarios[0].id


def _teller(scenario_id: str) -> Callable[[RunningCampaign, Callable[[], None]], None]:
    """Prints each stage when it is known."""

    def tell(running: RunningCampaign, _: Callable[[], None]) -> None:
        for stage in STAGES:
            for line in _stage_lines(running.outcome(scenario_id, stage)):
                typer.echo(line)

    return tell


def _stage_lines(outcome: StageOutcome) -> Iterator[str]:
    status = outcome.status.value.replace("_", " ")
    word = status if outcome.status in (StageStatus.PASSED, StageStatus.NOT_REACHED) else status.upper()
    took = "" if outcome.latency_ms is None else f"{outcome.latency_ms:>8.0f} ms"
    yield f"{outcome.stage.value:<24}{word:<12}{took}".rstrip()
    if outcome.call:
        ruling = f"  {clean(outcome.ruling, _LIMIT)}" if outcome.ruling and outcome.ruling != _FINE else ""
        yield f"    {clean(outcome.call, _LIMIT)}{ruling}"
    if outcome.headline and outcome.status is not StageStatus.NOT_REACHED:
        yield f"    {clean(outcome.headline, _LIMIT)}"


def _why(result: ScenarioResult) -> Iterator[str]:
    told = run_words(result)
    where = f" at {told.where}" if told.where else ""
    how = f" ({told.how})" if told.how else ""
    yield ""
    yield f"outcome     {told.outcome.upper()}{where}{how}"
    rows = (
        ("attack", attack_line(told, _LIMIT)),
        ("why", told.why),
        ("words", told.words),
        ("expected", told.expected),
        ("exposed", result.exposed_at),
        ("attempted", result.attempted_at),
        ("effected", result.effected_at),
        ("action", result.action),
        ("verdict", result.verdict),
        ("utility", _USEFUL[result.utility] if result.action else None),
        ("controls", ", ".join(result.control_reasons)),
    )
    for name, value in rows:
        if value:
            yield f"{name:<12}{clean(value, 2 * _LIMIT)}"


def _end(finished: FinishedCampaign) -> None:
    """Gates that fail, where the files are, and the result, which the exit status follows."""
    for line in failed_gates(finished.scorecard):
        typer.echo(f"gate        {line}".replace("--soclab-", "--"))
    typer.echo(f"files       {clean(str(finished.folder))}")
    typer.echo(result_line(finished.scorecard))
