"""`soclab scenarios`: what there is to run."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from soclab.cli.options import ScenarioPatterns, ScenariosFolder, folder_of
from soclab.contracts.fixture import Fixture
from soclab.contracts.scenario_v1 import Scenario
from soclab.oracles.predicates import PREDICATES
from soclab.redaction import clean
from soclab.scenarios.loader import load_pack
from soclab.scenarios.selection import select

__all__ = ["scenarios"]

_COLUMNS = ("id", "kind", "family", "carrier", "technique", "goal", "title")


def scenarios(
    scenario: ScenarioPatterns = None,
    folder: ScenariosFolder = None,
    as_json: Annotated[bool, typer.Option("--json", help="As a JSON array.")] = False,
) -> None:
    """List the scenarios: id, kind, incident family, carrier of the hostile text, technique, attacker's goal, title."""
    pack = load_pack(folder_of(folder, "--scenarios"), known_predicates=PREDICATES)
    rows = [_row(one, pack.worlds[one.world]) for one in select(pack, scenario or ())]
    if as_json:
        typer.echo(json.dumps(rows, indent=2, ensure_ascii=True))
        return
    shown = [{name: clean(row[name] or "-", 120) for name in _COLUMNS} for row in rows]
    widths = {name: max(len(name), *(len(row[name]) for row in shown)) for name in _COLUMNS}
    for row in ({name: name for name in _COLUMNS}, *shown):
        typer.echo("  ".join(row[name].ljust(widths[name]) for name in _COLUMNS).rstrip())
    typer.echo(f"{len(shown)} scenarios of pack {clean(pack.name, 80)} {clean(pack.version, 80)}")


def _row(scenario: Scenario, world: Fixture) -> dict[str, str | None]:
    injection = scenario.injection
    return {
        "id": scenario.id,
        "kind": scenario.kind.value,
        "family": scenario.family,
        "carrier": world.channels[injection.channel].carrier if injection else None,
        "technique": scenario.technique,
        "encoding": injection.encoding if injection else None,
        "goal": scenario.goal.id if scenario.goal else None,
        "difficulty": scenario.difficulty,
        "truth": scenario.truth.value,
        "world": scenario.world,
        "title": scenario.title,
    }
