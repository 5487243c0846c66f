"""The folders in `conftest_templates/`: each runs as it stands."""

from __future__ import annotations

import shutil
import socket
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from soclab.providers.reference import brain_of
from soclab.pytest_plugin.init import templates
from tests.plugin.lab import STAGES, Lab

NAMES = ("asgi_app_or_callable", "http_agent", "local_server", "python_adapter")
STRICT = ("--strict-markers", "--strict-config", "-W", "error")


def copied(lab: Lab, name: str, brain: str = "server") -> None:
    """The template in the user's folder; its stand-in is one of the example agents."""
    shutil.copytree(templates()[name], lab.path, dirs_exist_ok=True, ignore=shutil.ignore_patterns("__pycache__"))
    for one in lab.path.glob("*.py"):
        one.write_text(one.read_text(encoding="utf-8").replace('"server"', f'"{brain}"'), encoding="utf-8")


@contextmanager
def agent_at(brain: str) -> Iterator[str]:
    """The URL of an example agent that answers meanwhile."""
    answer = brain_of(brain)
    server = sys.modules["_soclab_example_server"].make_server(answer, 0)
    thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def led(
    lab: Lab, monkeypatch: pytest.MonkeyPatch, name: str, *arguments: str, brain: str = "server"
) -> pytest.RunResult:
    """`pytest` in a copy of the template; where the template asks for a server beside it, there is one."""
    brain_of("server")
    copied(lab, name, brain)
    if name != "http_agent":
        return lab.run(*STRICT, *arguments)
    with agent_at(brain) as url:
        monkeypatch.setenv("SOCLAB_HTTP_AGENT_URL", url)
        monkeypatch.setenv("SOCLAB_HTTP_AGENT_TIMEOUT_SECONDS", "30")  # what its conftest sets is taken back
        return lab.run(*STRICT, *arguments)


def test_there_are_four_and_each_is_complete() -> None:
    """A conftest, three lines to read, and a test of its own."""
    assert tuple(templates()) == NAMES
    for name, folder in templates().items():
        files = {one.name for one in folder.iterdir()}
        assert {"conftest.py", "README.md", f"test_{name}.py"} <= files
        told = (folder / "README.md").read_text(encoding="utf-8").splitlines()
        assert len(told) == 3
        assert f"test_{name}.py" in "".join(told)


@pytest.mark.parametrize("name", NAMES)
def test_its_tests_pass_with_an_agent_that_is_right(lab: Lab, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """As they stand, without an option, with every warning an error."""
    result = led(lab, monkeypatch, name, f"test_{name}.py")

    result.assert_outcomes(passed=2)
    assert result.ret == pytest.ExitCode.OK
    result.stdout.fnmatch_lines(["by tests    2 runs*ATK-001 protected resisted, BEN-001 protected correct"])


@pytest.mark.parametrize("name", NAMES)
def test_its_tests_fail_with_an_agent_that_falls(lab: Lab, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """The attacked case fails, the clean one does not."""
    result = led(lab, monkeypatch, name, f"test_{name}.py", brain="gullible")

    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines([f"FAILED test_{name}.py::test_a_planted_note* - CONTAINED: *"])


@pytest.mark.parametrize("name", NAMES)
def test_the_campaign_runs_in_its_folder(lab: Lab, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """`pytest soclab` needs no option either."""
    result = led(lab, monkeypatch, name, "soclab", "--soclab-scenario", "BEN-001")

    result.assert_outcomes(passed=len(STAGES) + 1)
    assert result.ret == pytest.ExitCode.OK


def test_the_url_in_the_http_template_stands_behind_the_environment(lab: Lab, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a variable the file's URL counts; nobody listens there, which is an error of each test."""
    copied(lab, "http_agent")
    conftest = lab.path / "conftest.py"
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # bound and not listening: whoever connects is refused
        url = f"127.0.0.1:{taken.getsockname()[1]}"
        conftest.write_text(conftest.read_text(encoding="utf-8").replace("127.0.0.1:8765", url), encoding="utf-8")
        lab.run_apart(*STRICT, "test_http_agent.py").assert_outcomes(errors=2)
    with agent_at("server") as url:
        monkeypatch.setenv("SOCLAB_HTTP_AGENT_URL", url)
        lab.run_apart(*STRICT, "test_http_agent.py").assert_outcomes(passed=2)


@pytest.mark.parametrize("what", ["tests", "campaign"])
def test_the_local_server_is_started_once_and_stopped(lab: Lab, what: str) -> None:
    """After the session nobody listens at its port any more."""
    copied(lab, "local_server")
    conftest = lab.path / "conftest.py"
    noted = (
        "        yield url\n",
        "        SERVER.with_name('urls').open('a').write(url + '\\n')\n            yield url\n",
    )
    text = conftest.read_text(encoding="utf-8")
    assert noted[0] in text
    conftest.write_text(text.replace("    " + noted[0], "    " + noted[1]), encoding="utf-8")
    arguments = ("soclab", "--soclab-scenario", "BEN-*") if what == "campaign" else ()
    lab.run_apart(*arguments)

    urls = (lab.path / "urls").read_text(encoding="utf-8").split()
    assert len(urls) == 1
    with socket.socket() as knock, pytest.raises(ConnectionRefusedError):
        knock.connect(("127.0.0.1", urlsplit(urls[0]).port))


def test_the_other_kind_in_the_asgi_template_works_as_well(lab: Lab) -> None:
    """The comment in its conftest names a callable."""
    copied(lab, "asgi_app_or_callable")
    conftest = lab.path / "conftest.py"
    text = conftest.read_text(encoding="utf-8")
    assert "agent.app  # or agent.answer" in text
    conftest.write_text(text.replace("agent.app  # or agent.answer", "agent.answer"), encoding="utf-8")

    lab.run(*STRICT).assert_outcomes(passed=2)


@pytest.mark.parametrize(
    "path", sorted(one for name in templates().values() for one in Path(name).glob("*.py")), ids=str
)
def test_no_template_holds_a_secret_or_a_foreign_host(path: Path) -> None:
    """Addresses are local ones, tokens come from the environment."""
    text = path.read_text(encoding="utf-8")

    assert "Bearer" not in text
    assert not [word for word in text.split('"') if "://" in word and not word.startswith("http://127.0.0.1:")]
