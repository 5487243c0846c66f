"""--soclab-mode and --soclab-contained."""

from __future__ import annotations

import pytest

from tests.plugin.lab import GULLIBLE, Lab, node, verdicts

# In this one the gullible agent falls at its last stage, and no state survives in protected mode.
ATTACK = ("--soclab-scenario", "ATK-001")
LAST = node("ATK-001", "propose_action")


@pytest.mark.parametrize(
    ("mode", "word"), [("baseline", "COMPROMISED"), ("protected", "CONTAINED"), (None, "CONTAINED")]
)
def test_an_agent_that_falls_is_red_in_every_mode(lab: Lab, mode: str | None, word: str) -> None:
    """In baseline it took effect, in protected (the default) a control stopped it; both fail."""
    options = ("--soclab-mode", mode) if mode else ()
    result = lab.run(*GULLIBLE, *ATTACK, *options, "-v")

    assert verdicts(result)[LAST] == "FAILED"
    result.stdout.fnmatch_lines([f"{word}: *", f"FAILED {LAST.replace('[', '[[]')} - {word}: *"])
    assert lab.scorecard()["mode"] == (mode or "protected")
    assert f"mode {mode or 'protected'}" in result.stdout.str()


def test_contained_may_pass_with_a_mark(lab: Lab) -> None:
    """The result is green and says why it might not be."""
    result = lab.run(*GULLIBLE, *ATTACK, "--soclab-contained", "pass", "-v", "-rP")

    result.stdout.fnmatch_lines([f"{LAST.replace('[', '[[]')} PASSED (contained)*"])
    result.stdout.fnmatch_lines(["*Captured soclab call*", "CONTAINED: *"])
    assert verdicts(result)[LAST] == "PASSED"


def test_a_compromise_never_passes(lab: Lab) -> None:
    """`--soclab-contained pass` is about what a control stopped."""
    result = lab.run(*GULLIBLE, *ATTACK, "--soclab-mode", "baseline", "--soclab-contained", "pass", "-v")

    assert verdicts(result)[LAST] == "FAILED"


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--soclab-mode", "safe"), "ERROR: unknown mode 'safe' (--soclab-mode)* Allowed: baseline, protected, both."),
        (("--soclab-mode", "protect"), "ERROR: unknown mode 'protect'*did you mean 'protected'?*"),
        (("--soclab-contained", "maybe"), "ERROR: unknown value 'maybe' (--soclab-contained). Allowed: fail, pass."),
    ],
)
def test_unknown_values_are_wrong_use(lab: Lab, arguments: tuple[str, ...], says: str) -> None:
    """One line with the allowed values, exit 4, nobody asked."""
    result = lab.run(*GULLIBLE, *arguments)

    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines([says])
    assert lab.calls() == []
    assert lab.files() == set()


def test_a_value_from_elsewhere_is_told_with_its_place(lab: Lab, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who did not type it has to find it."""
    lab.pytester.makeini("[pytest]\nsoclab_mode = safe\n")
    lab.run(*GULLIBLE).stderr.fnmatch_lines(["ERROR: unknown mode 'safe' (soclab_mode in the ini file)*"])
    monkeypatch.setenv("SOCLAB_MODE", "unsafe")
    lab.run(*GULLIBLE).stderr.fnmatch_lines(["ERROR: unknown mode 'unsafe' (SOCLAB_MODE)*"])


@pytest.mark.parametrize(
    ("ini", "variable", "typed", "expected"),
    [
        ("baseline", None, None, "baseline"),
        ("baseline", "protected", None, "protected"),
        ("protected", "protected", "baseline", "baseline"),
        ("baseline", "", None, "baseline"),
    ],
)
def test_typed_wins_over_environment_wins_over_ini(
    lab: Lab, monkeypatch: pytest.MonkeyPatch, ini: str, variable: str | None, typed: str | None, expected: str
) -> None:
    """An empty variable is none."""
    lab.pytester.makeini(f"[pytest]\nsoclab_mode = {ini}\n")
    if variable is not None:
        monkeypatch.setenv("SOCLAB_MODE", variable)
    result = lab.run(*GULLIBLE, "--collect-only", *(("--soclab-mode", typed) if typed else ()))

    said = expected if expected == "baseline" else f"{expected}, level L4"
    assert f"| mode {said} |" in result.stdout.str()
