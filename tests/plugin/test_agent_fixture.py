"""The user's own `soclab_agent` fixture in the rootdir conftest."""

from __future__ import annotations

import pytest

from tests.plugin.lab import STAGES, Lab

ONE = ("--soclab-scenario", "BEN-001")
HEAD = """
    import pytest
    import agents
"""


def fixture(returns: str, decorator: str = '@pytest.fixture(scope="session")') -> str:
    return f"""
    import pytest
    import agents

    {decorator}
    def soclab_agent():
        return {returns}
"""


def agent_line(result: pytest.RunResult) -> str:
    return next(line for line in result.outlines if line.startswith("soclab: "))


@pytest.mark.parametrize("returns", ["agents.honest", "agents.blocking"])
def test_the_fixture_makes_the_agent(lab: Lab, returns: str) -> None:
    """`pytest soclab` needs no option then; the header names the fixture's place."""
    lab.pytester.makeconftest(fixture(returns))
    result = lab.run("soclab", *ONE)

    assert result.ret == pytest.ExitCode.OK
    assert [stage for _, stage in lab.calls()] == list(STAGES)
    assert "fixture soclab_agent (conftest.py:4)" in agent_line(result)


def test_a_provider_and_an_app_are_agents_too(lab: Lab) -> None:
    """A provider object is used as it is; an ASGI app is asked over its own protocol."""
    lab.pytester.makeconftest(
        """
        import json
        import pytest
        from soclab.providers.reference import brain_of

        @pytest.fixture(scope="session")
        def soclab_agent():
            async def app(scope, receive, send):
                body = b""
                while True:
                    message = await receive()
                    body += message.get("body", b"")
                    if not message.get("more_body"):
                        break
                reply = json.dumps(brain_of("server")(json.loads(body))).encode()
                headers = [(b"content-type", b"application/json")]
                await send({"type": "http.response.start", "status": 200, "headers": headers})
                await send({"type": "http.response.body", "body": reply})
            return app
        """
    )
    lab.run("soclab", *ONE).assert_outcomes(passed=len(STAGES) + 1)
    lab.pytester.makeconftest(
        """
        import pytest
        from soclab.providers.reference import build

        @pytest.fixture(scope="session")
        def soclab_agent():
            return build({}, None)
        """
    )
    lab.run("soclab", *ONE).assert_outcomes(passed=len(STAGES) + 1)


def test_the_fixture_wins_over_a_provider(lab: Lab, monkeypatch: pytest.MonkeyPatch) -> None:
    """The provider's environment is not asked for: `--soclab-provider http` without a URL runs the fixture's agent."""
    lab.pytester.makeconftest(fixture("agents.honest"))
    result = lab.run("--soclab-provider", "http", *ONE)

    assert result.ret == pytest.ExitCode.OK
    assert len(lab.calls()) == len(STAGES)
    assert "fixture soclab_agent" in agent_line(result)


def test_the_fixture_may_use_other_fixtures_and_clean_up(lab: Lab) -> None:
    """It is an ordinary session fixture: asked for once, torn down once."""
    lab.pytester.makeconftest(
        """
        import pytest
        import agents

        @pytest.fixture(scope="session")
        def answer():
            print("MADE")
            yield agents.honest
            print("GONE")

        @pytest.fixture(scope="session")
        def soclab_agent(answer):
            return answer
        """
    )
    result = lab.run("soclab", "-s", *ONE)

    assert result.stdout.str().count("MADE") == result.stdout.str().count("GONE") == 1


def test_a_fixture_alone_leaves_the_plugin_idle(lab: Lab) -> None:
    """The user's tests run without a campaign until one is asked for."""
    lab.pytester.makeconftest(fixture("agents.honest"))
    lab.pytester.makepyfile(test_mine="def test_passes(soclab_agent): assert callable(soclab_agent)")
    result = lab.run()

    result.assert_outcomes(passed=1)
    result.stdout.no_fnmatch_line("soclab:*")


@pytest.mark.parametrize(
    ("decorator", "says"),
    [
        ("@pytest.fixture", "ERROR: conftest.py:4: soclab_agent has the scope 'function', so every item would make *"),
        ("@pytest.fixture(scope='module')", "ERROR: conftest.py:4: soclab_agent has the scope 'module'*"),
        (
            "@pytest.fixture(scope='session', params=[1, 2])",
            "ERROR: conftest.py:4: soclab_agent is parametrized; a campaign has one agent, so run one for each",
        ),
    ],
)
def test_a_fixture_that_makes_many_agents_is_refused_at_collection(lab: Lab, decorator: str, says: str) -> None:
    """One sentence, exit 4, nobody asked."""
    lab.pytester.makeconftest(fixture("agents.honest", decorator))
    result = lab.run("soclab", *ONE)

    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines([says])
    assert lab.calls() == []
    assert lab.files() == {"conftest.py"}


@pytest.mark.parametrize("returns", ["None", "42", "agents"])
def test_a_fixture_that_gives_no_agent_is_one_error(lab: Lab, returns: str) -> None:
    """The first item says what is wrong, the others are not run; exit 1, nothing written."""
    lab.pytester.makeconftest(fixture(returns))
    result = lab.run("soclab", *ONE)

    result.assert_outcomes(errors=1, skipped=len(STAGES) - 1, failed=1)
    result.stdout.fnmatch_lines(["*the campaign could not start: *", "gate failed: the campaign could not start: *"])
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    assert lab.files() == {"conftest.py"}


def test_a_fixture_under_another_name_counts(lab: Lab) -> None:
    """`name="soclab_agent"` is what pytest looks at, and so do we."""
    lab.pytester.makeconftest(
        """
        import pytest
        import agents

        @pytest.fixture(scope="session", name="soclab_agent")
        def my_agent():
            return agents.honest
        """
    )
    result = lab.run("soclab", *ONE)

    assert result.ret == pytest.ExitCode.OK
    assert "fixture soclab_agent (conftest.py:4)" in agent_line(result)


def test_a_fixture_further_down_is_not_the_agent_of_the_campaign(lab: Lab) -> None:
    """A conftest beside some tests serves those tests."""
    below = lab.pytester.mkdir("below")
    below.joinpath("conftest.py").write_text(
        "import pytest\n@pytest.fixture(scope='session')\ndef soclab_agent(): return 42\n", encoding="utf-8"
    )
    below.joinpath("test_mine.py").write_text(
        "def test_mine(soclab_agent): assert soclab_agent == 42", encoding="utf-8"
    )
    result = lab.run("--soclab-provider", "reference", *ONE)

    result.assert_outcomes(passed=1 + len(STAGES) + 1)
    assert "provider reference" in agent_line(result)
