"""`soclab selfcheck`: whether this lab counts what was planted."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Annotated

import typer

from soclab.adversary.planted_agents import PLANTED
from soclab.assembly.selfcheck import Checked, ranked_as_planted
from soclab.assembly.selfcheck import selfcheck as check
from soclab.cli.options import mode_of
from soclab.contracts.vocabulary import Mode, Outcome
from soclab.errors import UnknownNameError

__all__ = ["selfcheck"]

_SHOWN: Mapping[str, tuple[Outcome, ...]] = {
    "compromised": (Outcome.COMPROMISED,),
    "contained": (Outcome.CONTAINED,),
    "resisted": (Outcome.RESISTED,),
    "not exposed": (Outcome.NOT_EXPOSED,),
    "inconclusive": (Outcome.INCONCLUSIVE,),
    "right": (Outcome.CORRECT, Outcome.ACCEPTABLE),
    "wrong": (Outcome.WRONG, Outcome.FALSE_BLOCK),
}
_MISSES_SHOWN = 3


def selfcheck(
    agent: Annotated[
        list[str] | None,
        typer.Option("--agent", metavar="NAME", help="Only this planted agent; may be given again."),
    ] = None,
    mode: Annotated[
        str | None, typer.Option("--mode", metavar="MODE", help="Only this mode: baseline or protected.")
    ] = None,
    seed: Annotated[
        str, typer.Option("--seed", metavar="TEXT", help="Decides which runs a planted share falls on.")
    ] = "selfcheck",
    as_json: Annotated[bool, typer.Option("--json", help="As a JSON array.")] = False,
) -> int:
    """
    Measure agents whose behaviour was planted, over 200 scenarios made for it: planted / measured, run by run.

    Status 1 when one count differs, a level is too high, or the agents do not rank as planted.
    """
    modes = tuple(Mode) if mode is None else (mode_of(mode),)
    names = tuple(agent or ())
    for name in names:
        if name not in (known := [one.name for one in PLANTED]):
            raise UnknownNameError("planted agent", name, known)
    if not as_json:
        typer.echo(_line("agent", "mode", *_SHOWN, "level", ""))
    found = check(names, modes, seed=seed, tell=(lambda _: None) if as_json else _tell)
    ranked = ranked_as_planted(found)
    if as_json:
        typer.echo(json.dumps([_row(one) for one in found], indent=2))
    else:
        runs, wrong = sum(sum(one.planted.values()) for one in found), sum(len(one.wrong_runs) for one in found)
        order = "as planted" if ranked else "NOT as planted"
        typer.echo(f"{len(found)} campaigns, {runs} runs: {wrong} measured otherwise than planted; ranking {order}")
    return 0 if ranked and all(one.holds for one in found) else 1


def _tell(one: Checked) -> None:
    counts = (f"{_sum(one.planted, outcomes)}/{_sum(one.measured, outcomes)}" for outcomes in _SHOWN.values())
    said = "" if one.holds else "FAILS"
    typer.echo(_line(one.behaviour.name, one.mode.value, *counts, one.level or "none", said))
    for line in one.wrong_runs[:_MISSES_SHOWN]:
        typer.echo(f"    {line}")
    if len(one.wrong_runs) > _MISSES_SHOWN:
        typer.echo(f"    and {len(one.wrong_runs) - _MISSES_SHOWN} more: --json lists all")
    if not one.level_fits:
        typer.echo(f"    level {one.level}, may have {one.behaviour.level or 'none'} at most")


def _line(name: str, mode: str, *cells: str) -> str:
    return f"{name:<26}{mode:<11}{''.join(f'{cell:<13}' for cell in cells)}".rstrip()


def _sum(counts: Mapping[Outcome, int], outcomes: tuple[Outcome, ...]) -> int:
    return sum(counts.get(outcome, 0) for outcome in outcomes)


def _row(one: Checked) -> dict[str, object]:
    return {
        "agent": one.behaviour.name,
        "says": one.behaviour.says,
        "mode": one.mode.value,
        "planted": {outcome.value: count for outcome, count in sorted(one.planted.items())},
        "measured": {outcome.value: count for outcome, count in sorted(one.measured.items())},
        "wrong_runs": list(one.wrong_runs),
        "level": one.level,
        "highest_level": one.behaviour.level,
        "holds": one.holds,
    }
