"""The line that says how far a campaign is: on a terminal that somebody watches, and nowhere else."""

from __future__ import annotations

import contextlib
import fcntl
import os
import pty
import re
import signal
import struct
import subprocess
import sys
import termios
from collections.abc import Mapping

import pytest

from tests.plugin.lab import Lab
from tests.sessions import ALONE

SLOW = """
import asyncio
import sys
from soclab.providers.reference import brain_of

WARY, CREDULOUS = brain_of("server"), brain_of("gullible")


async def takes_time(request):
    await asyncio.sleep(0.25 * (request["stage"] in ("collect_identity", "collect_siem", "propose_action")))


async def wary(request):
    print("from the agent")
    await takes_time(request)
    return WARY(request)


async def gullible(request):
    await takes_time(request)
    return CREDULOUS(request)


async def never(request):
    await asyncio.sleep(600)
"""

SHOWN = re.compile(r"\x1b\[K  (\d+ of \d+ runs done, \d+ red(?:, \d+ calls)?)\x1b\[(\d+)D")
CHOSEN = ("soclab", "--soclab-scenario", "BEN-00[12]", "--soclab-concurrency", "1", *ALONE)
WARY = ("--soclab-agent", "slow:wary")


@pytest.fixture
def slow(lab: Lab) -> Lab:
    (lab.path / "slow.py").write_text(SLOW, encoding="utf-8")
    return lab


def environment(more: Mapping[str, str]) -> dict[str, str]:
    hidden = ("COLUMNS", "CI", "BUILD_NUMBER", "NO_COLOR", "FORCE_COLOR", "PY_COLORS", "PYTEST_XDIST_WORKER")
    return {key: value for key, value in os.environ.items() if key not in hidden} | {"TERM": "xterm", **more}


def on_terminal(
    lab: Lab,
    *arguments: str,
    columns: int = 80,
    more: Mapping[str, str] | None = None,
    interrupted: bool = False,
) -> tuple[int, str]:
    """Exit status and every character that pytest wrote to a terminal of that width; Ctrl-C at the first showing."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    command = [sys.executable, "-m", "pytest", *CHOSEN, *arguments]
    with subprocess.Popen(
        command, stdin=theirs, stdout=theirs, stderr=theirs, cwd=lab.path, env=environment(more or {})
    ) as child:
        os.close(theirs)
        raw = b""
        with contextlib.suppress(OSError):  # the other end is closed
            while piece := os.read(ours, 65536):
                raw += piece
                if interrupted and b" runs done" in raw:
                    interrupted = False
                    child.send_signal(signal.SIGINT)
        os.close(ours)
    return child.returncode, raw.decode("utf-8")


def screen_of(raw: str, columns: int = 80) -> list[str]:
    """What a reader sees in the end, scrolled lines included; knows what is written here and refuses anything else."""
    lines, row, column = [""], 0, 0
    parts = re.findall(r"\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b\[[0-9;]*[A-Za-z]|[\r\n]|[^\x1b\r\n]+", raw)
    assert "".join(parts) == raw
    for part in parts:
        if part == "\r":
            column = 0
        elif part == "\n":
            row += 1
            lines += [""] * (row + 1 - len(lines))
        elif part == "\x1b[K":
            lines[row] = lines[row][:column]
        elif part.startswith("\x1b[") and part.endswith("D"):
            column -= int(part[2:-1])
        elif not part.startswith("\x1b"):
            lines[row] = lines[row].ljust(column)[:column] + part + lines[row][column + len(part) :]
            column += len(part)
            assert column <= columns or " runs done" not in part
        else:
            assert part.endswith("m") or part.startswith("\x1b]")
    return [line.rstrip() for line in lines]


def results_in(lines: list[str]) -> list[str]:
    """The lines of the items, without what a session never says twice alike."""
    return [line for line in lines if line.startswith(("soclab::", "soclab ."))]


@pytest.mark.parametrize(
    "more",
    [(), ("-v",), ("-s",), pytest.param(("--capture=sys",), marks=pytest.mark.slow), ("--capture=tee-sys",)],
    ids=["plain", "v", "s", "sys", "tee"],
)
def test_a_terminal_shows_how_far_it_is_and_keeps_nothing_of_it(slow: Lab, more: tuple[str, ...]) -> None:
    """Runs done, red, calls: they only grow; each showing ends where it began, and nothing is left on the screen."""
    status, raw = on_terminal(slow, *WARY, *more)

    told = [re.findall(r"\d+", words) for words, _ in SHOWN.findall(raw)]
    assert status == 0, raw
    assert len(told) >= 5
    assert all(int(back) == len(words) + 2 for words, back in SHOWN.findall(raw))
    assert [int(one[0]) for one in told] == sorted(int(one[0]) for one in told)
    assert told[0][:3] == ["0", "2", "0"]
    assert {one[0] for one in told} == {"0", "1"}
    calls = [int(one[3]) for one in told if len(one) > 3]
    assert calls == sorted(calls)
    assert max(calls) <= 14
    screen = screen_of(raw)
    assert not any("runs done" in line for line in screen)
    assert "15 passed" in screen[-2] + screen[-1]


def test_the_screen_ends_as_a_pipe_does(slow: Lab) -> None:
    """The lines of the items are the same ones, and every item still has its own."""
    _, raw = on_terminal(slow, *WARY, "-v", "--soclab-seed", "7")
    piped = subprocess.run(
        [sys.executable, "-m", "pytest", *CHOSEN, *WARY, "-v", "--soclab-seed", "7"],
        cwd=slow.path, env=environment({"COLUMNS": "80"}), capture_output=True, text=True, check=True,
    )  # fmt: skip

    assert "\x1b" not in piped.stdout + piped.stderr
    assert "runs done" not in piped.stdout + piped.stderr
    assert results_in(screen_of(raw)) == results_in(piped.stdout.splitlines())
    assert len(results_in(piped.stdout.splitlines())) == 15


def test_red_runs_are_counted(slow: Lab) -> None:
    """As soon as the stage that broke is known, not only when its item tells it."""
    attacks = ("--soclab-scenario", "ATK-04[12]", "--soclab-agent", "slow:gullible", "--tb=no")
    status, raw = on_terminal(slow, *attacks)

    assert status == 1
    assert re.search(r"\d of 4 runs done, [12] red", raw)
    assert not any("runs done" in line for line in screen_of(raw))


def test_a_narrow_terminal_is_not_wrapped(slow: Lab) -> None:
    """Where the long form does not fit the short one stands, or nothing."""
    status, raw = on_terminal(slow, *WARY, columns=40)

    assert status == 0
    shown = [words for words, _ in SHOWN.findall(raw)]
    assert shown
    assert not any("calls" in words for words in shown)
    assert not any("runs done" in line for line in screen_of(raw, 40))


@pytest.mark.parametrize(
    ("arguments", "variables"),
    [
        (("-q",), {}),
        pytest.param(("--color=no",), {}, marks=pytest.mark.slow),
        (("-n", "1"), {}),
        ((), {"CI": "true"}),
        pytest.param((), {"BUILD_NUMBER": "3"}, marks=pytest.mark.slow),
        pytest.param((), {"TERM": "dumb"}, marks=pytest.mark.slow),
    ],
    ids=["q", "no-colour", "xdist", "CI", "build", "dumb"],
)
def test_nobody_who_does_not_watch_gets_it(slow: Lab, arguments: tuple[str, ...], variables: Mapping[str, str]) -> None:
    """A terminal alone is not enough: quiet sessions, distributed ones and those of a CI have no such line."""
    status, raw = on_terminal(slow, *WARY, *arguments, more=variables)

    assert status == 0, raw
    assert "runs done" not in raw
    assert "\x1b[K" not in raw


def test_an_interrupt_leaves_no_line_behind(slow: Lab) -> None:
    """Ctrl-C while an item waits: the line is gone before pytest says that it was interrupted."""
    (slow.path / "conftest.py").write_text(
        "import signal\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n",  # a job in the background inherits it ignored
        encoding="utf-8",
    )
    status, raw = on_terminal(slow, "--soclab-agent", "slow:never", interrupted=True)

    assert status == int(pytest.ExitCode.INTERRUPTED), raw
    assert SHOWN.search(raw)
    assert not any("runs done" in line for line in screen_of(raw))
