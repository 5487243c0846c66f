"""A campaign that takes its time, so that it can be stopped in the middle, and what it leaves behind."""

from __future__ import annotations

import io
from contextlib import redirect_stdout
from pathlib import Path

from soclab.cli.doorway import Doorway
from soclab.cli.main import main
from soclab.contracts.scorecard_v1 import Scorecard
from soclab.scoring.stable import stable_bytes
from tests.sessions import ALONE

__all__ = ["AGENT", "OPTIONS", "calls", "rebuilt", "stable"]

AGENT = '''
import asyncio
from pathlib import Path

from soclab.providers.reference import brain_of

ANSWER = brain_of("server")


async def agent(request):
    """Notes what it is asked, then takes its time."""
    with Path("calls.txt").open("a") as file:
        file.write(f"{request['run_id']} {request['stage']}\\n")
    await asyncio.sleep(0.01)
    return ANSWER(request)
'''
SOME = ("--soclab-scenario", "BEN-*", "--soclab-scenario", "ATK-04[1-5]", "--soclab-concurrency", "3")
OPTIONS = (*ALONE, "-p", "no:cacheprovider", "-q", "--soclab-agent", "slow:agent", "--soclab-seed", "s", *SOME)


def calls(folder: Path) -> list[tuple[str, str]]:
    """(run id, stage) of every call that was noted."""
    noted = folder / "calls.txt"
    lines = noted.read_text(encoding="utf-8").splitlines() if noted.exists() else []
    return [(words[0], words[1]) for line in lines if len(words := line.split()) == 2]


def stable(folder: Path) -> bytes:
    """The scorecard in `out` without what differs from run to run."""
    return stable_bytes(Scorecard.model_validate_json((folder / "out" / "scorecard.json").read_bytes()))


def rebuilt(folder: Path) -> bytes:
    """The same, made again from the journal."""
    with redirect_stdout(io.StringIO()) as printed:
        asked = ("scorecard", "--rebuild", "--stable", str(folder / "out"))
        assert main(asked, Doorway(environment={}, root=folder)) == 0
    return printed.getvalue().removesuffix("\n").encode("utf-8")
