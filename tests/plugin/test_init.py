"""`pytest --soclab-init NAME`."""

from __future__ import annotations

import pytest

from soclab.pytest_plugin.init import templates
from tests.plugin.lab import Lab

NAMES = tuple(templates())
LIST = "asgi_app_or_callable, http_agent, local_server, python_adapter"


@pytest.mark.parametrize("name", NAMES)
def test_a_template_is_copied_into_the_current_folder(lab: Lab, name: str) -> None:
    """File by file as it ships; the next command is printed, and nothing is collected."""
    lab.pytester.makepyfile(test_mine="def test_fails(): assert 0")
    result = lab.pytester.runpytest_inprocess("--soclab-init", name)

    assert result.ret == pytest.ExitCode.OK
    result.stdout.fnmatch_lines([f"written: README.md, *test_{name}.py", f"*run: pytest test_{name}.py"])
    wanted = {one.name: one.read_bytes() for one in templates()[name].iterdir() if one.is_file()}
    assert {one: (lab.path / one).read_bytes() for one in wanted} == wanted
    assert lab.files() == {*wanted, "test_mine.py"}


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--soclab-init",), f"ERROR: --soclab-init: give the name of a template: {LIST}"),
        (("--soclab-init", ""), f"ERROR: --soclab-init: give the name of a template: {LIST}"),
        (("--soclab-init", "http"), f"ERROR: unknown template 'http' (--soclab-init)*Allowed: {LIST}*"),
        (("--soclab-init=../http_agent",), "ERROR: unknown template '../http_agent' (--soclab-init)*"),
    ],
)
def test_a_name_that_is_none_is_answered_with_the_names(lab: Lab, arguments: tuple[str, ...], says: str) -> None:
    """Exit 4, nothing written."""
    result = lab.pytester.runpytest_inprocess(*arguments)

    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines([says])
    assert lab.files() == set()


@pytest.mark.parametrize("name", ["conftest.py", "README.md", "test_local_server.py"])
def test_no_file_is_overwritten(lab: Lab, name: str) -> None:
    """The file is named, kept as it is, and nothing is written beside it."""
    (lab.path / name).write_text("# mine", encoding="utf-8")
    result = lab.pytester.runpytest_inprocess("--soclab-init", "local_server")

    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines([f"ERROR: --soclab-init: {name} in * would be overwritten; *"])
    assert (lab.path / name).read_text(encoding="utf-8") == "# mine"
    assert lab.files() == {name}


def test_a_link_that_leads_nowhere_is_kept(lab: Lab) -> None:
    """Writing through it would make a file elsewhere."""
    (lab.path / "README.md").symlink_to(lab.path / "elsewhere")
    result = lab.pytester.runpytest_inprocess("--soclab-init", "local_server")

    assert result.ret == pytest.ExitCode.USAGE_ERROR
    assert lab.files() == {"README.md"}


def test_settings_of_a_campaign_do_not_stand_in_the_way(lab: Lab, monkeypatch: pytest.MonkeyPatch) -> None:
    """A provider that is not configured yet is what the template is for."""
    monkeypatch.setenv("SOCLAB_PROVIDER", "http")
    result = lab.pytester.runpytest_inprocess("--soclab-init", "http_agent")

    assert result.ret == pytest.ExitCode.OK
    assert "conftest.py" in lab.files()
