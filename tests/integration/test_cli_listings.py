"""Commands that list and check: providers, scenarios, schema, version, help."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from soclab import __version__
from soclab.cli.commands import COMMANDS
from soclab.contracts.publish import PUBLISHED
from soclab.pytest_plugin.options import OPTIONS
from soclab.scenarios.loader import load_pack

NOT_HERE = {
    "list": "`soclab scenarios`",
    "approved-models": "`--approved-model`, given again for each",
    "init": "templates are for pytest",
}
"""Options of pytest that have another form here."""


def options_of(called):
    return {word for line in called.lines if line.startswith("  --") for word in line.split()[:1]}


def test_the_help_lists_every_command_with_its_line(soclab_command):
    """`soclab --help` names all commands."""
    called = soclab_command("--help")

    assert called.status == 0
    for name, line in COMMANDS.items():
        assert f"  {name:<11}  {line}" in called.lines


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_a_page_of_help(soclab_command, name):
    """`--help` works for each, starts with its usage and says what it does."""
    called = soclab_command(name, "--help")

    assert called.status == 0
    assert called.lines[0].startswith(f"Usage: soclab {name}")
    assert called.lines[2].startswith("  ")
    assert called.err == ""


@pytest.mark.parametrize("name", COMMANDS)
def test_the_help_says_what_a_value_is(soclab_command, name):
    """`--seed TEXT`, never the name of a Python type."""
    called = soclab_command(name, "--help")

    assert [line for line in called.lines if line.startswith("  --") and " <" in line.split("  ")[1]] == []


@pytest.mark.parametrize("name", ["campaign", "compare"])
def test_every_option_of_pytest_is_one_here(soclab_command, name):
    """Each `--soclab-X` is `--X`, but for those that have another form here; compare runs both modes."""
    wanted = {f"--{one.name}" for one in OPTIONS if one.name not in NOT_HERE} | {"--approved-model", "--help"}
    if name == "compare":
        wanted = wanted - {"--mode", "--resume"} | {"--full", "--json"}
    assert options_of(soclab_command(name, "--help")) == wanted


@pytest.mark.parametrize("name", COMMANDS)
def test_the_page_names_every_command_and_option(soclab_command, name):
    """`docs/command-line.md` leaves no command and no option out."""
    page = (Path(__file__).resolve().parents[2] / "docs" / "command-line.md").read_text("utf-8")

    assert f"`soclab {name}" in page
    for option in options_of(soclab_command(name, "--help")) - {"--help"}:
        assert f"`{option}" in page or f" {option} " in page


def test_help_and_version_import_little():
    """What answers at once loads nothing of the lab that takes long."""
    code = (
        "import sys; from soclab.cli.main import main; from soclab.cli.doorway import from_outside\n"
        "main(['--help'], from_outside()); main(['version'], from_outside())\n"
        "heavy = ('httpx', 'jinja2', 'jsonschema', 'yaml', 'rich', 'pytest', 'soclab.assembly')\n"
        "print([name for name in heavy if name in sys.modules], file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stderr.strip() == "[]"


def test_the_version_is_printed(soclab_command):
    """One line with the version."""
    assert soclab_command("version").out == f"soclab {__version__}\n"


def test_providers_say_what_they_need(soclab_command):
    """An unconfigured provider names the missing variable, and values are never shown."""
    before = soclab_command("providers")
    soclab_command.environment = {
        "SOCLAB_HTTP_AGENT_URL": "http://agent.example.com/",
        "SOCLAB_HTTP_AGENT_TOKEN": "hunter2-secret",
    }
    after = soclab_command("providers")

    assert before.status == after.status == 0
    assert "            not configured: set SOCLAB_HTTP_AGENT_URL" in before.lines
    assert not any("not configured" in line for line in after.lines)
    assert "hunter2" not in after.out
    for name in ("http", "reference", "gullible", "scripted"):
        assert any(line.startswith(f"{name} ") for line in before.lines)
    assert "            adapter version 1, contract tests against constructed fixtures" in before.lines


def test_scenarios_are_a_table(soclab_command):
    """One line for each scenario under a heading, and their number."""
    pack = load_pack()
    called = soclab_command("scenarios")

    assert called.status == 0
    assert called.lines[0].split() == ["id", "kind", "family", "carrier", "technique", "goal", "title"]
    assert [line.split()[0] for line in called.lines[1:-1]] == [one.id for one in pack.scenarios]
    assert called.lines[-1].startswith(f"{len(pack.scenarios)} scenarios of pack")


def test_scenarios_are_json(soclab_command):
    """`--json` gives the same rows to scripts; a pattern chooses."""
    rows = json.loads(soclab_command("scenarios", "--json", "--scenario", "ATK-0*").out)

    assert {row["kind"] for row in rows} == {"attack"}
    assert all(row["carrier"] and row["goal"] and row["title"] for row in rows)


def test_schemas_are_listed_written_and_checked(soclab_command):
    """Written files are complete; the ones that ship are as the models say."""
    listed = soclab_command("schema")
    written = soclab_command("schema", "--write", "there")

    assert [line.split()[0] for line in listed.lines] == list(PUBLISHED)
    assert soclab_command.files() == sorted(f"there/{path}" for path in PUBLISHED)
    assert [Path(line).as_posix() for line in written.lines] == [f"there/{path}" for path in PUBLISHED]
    assert soclab_command("schema", "--check").status == 0


def test_a_schema_that_differs_fails_the_check(soclab_command, monkeypatch):
    """Status 1 and one line for each difference."""
    soclab_command("schema", "--write", "there")
    paths = list(PUBLISHED)
    changed, missing = soclab_command.folder / "there" / paths[0], soclab_command.folder / "there" / paths[1]
    changed.write_text(changed.read_text().replace("soclab", "lab", 1))
    missing.unlink()
    monkeypatch.setattr("soclab.cli.commands.schema.published", lambda name: soclab_command.folder / "there" / name)

    called = soclab_command("schema", "--check")

    assert called.status == 1
    assert [line.split(":")[0] for line in called.lines] == sorted(paths[:2])
