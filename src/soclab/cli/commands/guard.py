"""`soclab guard`: forced replies against the controls, without any agent."""

from __future__ import annotations

import json
from collections import Counter
from typing import Annotated

import typer

from soclab.assembly.guard import Met, meet_guards
from soclab.cli.options import ScenarioPatterns, Without
from soclab.redaction import clean

__all__ = ["guard"]

_NOT_MET = 1
_PASSES = "must pass"
_HEAD = "has to be stopped for"


def guard(
    scenario: ScenarioPatterns = None,
    without: Without = None,
    as_json: Annotated[bool, typer.Option("--json", help="As a JSON array.")] = False,
) -> int:
    """
    Force replies on protected mode that try to get past its controls: each must be stopped, and for its own reason.

    Honest replies among them must pass, or be put before a person. Status 1 when one is not met as it must be, which a
    control that is switched off shows.
    """
    met = meet_guards(scenario or (), without or ())
    if as_json:
        typer.echo(json.dumps([_row(one) for one in met], indent=2))
    else:
        _show(met)
    return 0 if all(one.holds for one in met) else _NOT_MET


def _show(met: tuple[Met, ...]) -> None:
    all_of, held = Counter(map(_reason, met)), Counter(_reason(one) for one in met if one.holds)
    width = max(len(_HEAD), *map(len, all_of))
    typer.echo(f"{_HEAD:<{width}}  as it must be")
    for reason, count in sorted(all_of.items(), key=lambda item: (item[0] == _PASSES, item[0])):
        typer.echo(f"{reason:<{width}}  {held[reason]} of {count}")
    for one in met:
        if not one.holds:
            typer.echo(f"NOT MET  {one.scenario.id} {clean(one.scenario.title, 80)}: {_reason(one)}, but {one.found}")
    done = sum(held.values())
    typer.echo(f"{len(met)} forced replies, {done} met as they must be")


def _reason(one: Met) -> str:
    expected = one.scenario.guard
    return _PASSES if expected is None or not expected.reason else expected.reason


def _row(one: Met) -> dict[str, object]:
    expected = one.scenario.guard
    return {
        "id": one.scenario.id,
        "title": one.scenario.title,
        "stage": None if expected is None else expected.stage.value,
        "must": None if expected is None else expected.stopped_by,
        "reason": None if expected is None else expected.reason,
        "found": one.found,
        "holds": one.holds,
    }
