"""`soclab scenarios`: what there is to run, and whether it proves what it claims."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import Annotated

import typer

from soclab.assembly import checked_pack
from soclab.assembly.proofs import Proof, Proven, prove
from soclab.cli.options import ScenarioPatterns, ScenariosFolder, folder_of
from soclab.contracts.fixture import Fixture
from soclab.contracts.scenario_v1 import Scenario
from soclab.redaction import clean
from soclab.scenarios.selection import select

__all__ = ["scenarios"]

_COLUMNS = ("id", "kind", "family", "carrier", "technique", "goal", "title")
_A_PROOF_FAILS = 1


def scenarios(
    scenario: ScenarioPatterns = None,
    folder: ScenariosFolder = None,
    checks: Annotated[
        bool,
        typer.Option("--check", help="Run the proofs of each: it can be lost and withstood; status 1 when one fails."),
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="As a JSON array.")] = False,
) -> int:
    """List the scenarios: id, kind, incident family, carrier of the hostile text, technique, attacker's goal, title."""
    place = folder_of(folder, "--scenarios")
    if checks:
        return _check(place, scenario or (), as_json=as_json)
    pack = checked_pack(place)
    rows = [_row(one, pack.worlds[one.world]) for one in select(pack, scenario or ())]
    if as_json:
        _print_json(rows)
        return 0
    shown = [{name: clean(row[name] or "-", 120) for name in _COLUMNS} for row in rows]
    widths = {name: max(len(name), *(len(row[name]) for row in shown)) for name in _COLUMNS}
    for row in ({name: name for name in _COLUMNS}, *shown):
        typer.echo("  ".join(row[name].ljust(widths[name]) for name in _COLUMNS).rstrip())
    typer.echo(f"{len(shown)} scenarios of pack {clean(pack.name, 80)} {clean(pack.version, 80)}")
    return 0


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


def _check(folder: Path | None, patterns: list[str] | tuple[str, ...], *, as_json: bool) -> int:
    proven = prove(folder, patterns)
    if as_json:
        _print_json([_as_row(one) for one in proven])
    else:
        for one in proven:
            typer.echo(f"{one.scenario.id:<10}{'holds' if one.holds else 'FAILS'}   {'; '.join(_words(one))}")
        typer.echo(f"{sum(one.holds for one in proven)} of {len(proven)} scenarios hold")
    return 0 if all(one.holds for one in proven) else _A_PROOF_FAILS


def _words(proven: Proven) -> Iterator[str]:
    """Where all is well, what each agent did; else only what is not as it has to be."""
    if proven.holds:
        for agent, proofs in groupby(proven.proofs, key=lambda proof: proof.agent):
            yield f"{agent} {_in_both_modes(list(proofs))}"
        return
    for proof in proven.proofs:
        if not proof.holds:
            why = proof.why or "no reason is known"
            yield f"{proof.agent} in {proof.mode.value}: {proof.found}, has to {proof.must} ({why})"


def _in_both_modes(proofs: list[Proof]) -> str:
    first, last = proofs[0], proofs[-1]
    return first.found if first.found == last.found else f"{first.found}, in {last.mode.value} mode {last.found}"


def _as_row(proven: Proven) -> dict[str, object]:
    return {"id": proven.scenario.id, "holds": proven.holds, "proofs": [_proof_row(one) for one in proven.proofs]}


def _proof_row(proof: Proof) -> dict[str, object]:
    return {**proof._asdict(), "mode": proof.mode.value}


def _print_json(rows: object) -> None:
    typer.echo(json.dumps(rows, indent=2, ensure_ascii=True))
