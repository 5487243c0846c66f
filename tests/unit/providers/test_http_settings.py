"""What the environment may say about an HTTP agent, and how it is refused."""

from __future__ import annotations

import ssl
from pathlib import Path

import pytest

from soclab.errors import ConfigurationError
from soclab.providers.http.settings import HttpSettings

URL, TOKEN = "SOCLAB_HTTP_AGENT_URL", "SOCLAB_HTTP_AGENT_TOKEN"
TIMEOUT, SIZE = "SOCLAB_HTTP_AGENT_TIMEOUT_SECONDS", "SOCLAB_HTTP_AGENT_MAX_REPLY_BYTES"
GOOD = {URL: "http://127.0.0.1:8765/agent"}
SECRET = "hunter2secret"


def settings(**more: str) -> HttpSettings:
    return HttpSettings.from_environment(GOOD | more)


def test_a_url_is_enough() -> None:
    """
    With a URL alone there is no token, thirty seconds and one MiB.
    """
    found = settings()

    assert found.url.reveal() == GOOD[URL]
    assert (found.token, found.timeout_seconds, found.max_reply_bytes) == (None, 30.0, 1 << 20)
    assert found.warnings == ()


@pytest.mark.parametrize(
    "url",
    [
        "https://agent.example.com",
        "HTTP://agent.example.com:80/a?b=c#d",
        "http://[2001:db8::1]:8765/agent",
        "http://m\u00fcnchen.example.com/\u00e4",
        "http://localhost:1",
        "http://203.0.113.9:65535/",
    ],
)
def test_an_absolute_url_is_accepted(url: str) -> None:
    """
    Any absolute http or https URL can name an agent.
    """
    assert settings(**{URL: url}).url.reveal() == url


@pytest.mark.parametrize(
    "url",
    [
        "",
        "agent",
        "127.0.0.1:8765",
        "localhost:8765/agent",
        "//agent.example.com",
        "/agent",
        "ftp://agent.example.com",
        "file:///etc/passwd",
        "http://",
        "http:///agent",
        "http://:8765/agent",
        "http:agent",
        f"http://user:{SECRET}@agent.example.com",
        f"http://{SECRET}@agent.example.com",
        "http://@agent.example.com",
        "http://agent.example.com:0",
        "http://agent.example.com:65536",
        "http://agent.example.com:-1",
        "http://agent.example.com:",
        "http://agent.example.com:eighty",
        "http://[2001:db8::1",
        "http://agent.example.com/\x00",
        "http://agent.example.com/\n",
        "http://agent.example.com\\@other.example.com/",
        " http://agent.example.com",
        "http://agent.example.com/a b",
        "http://agent.example.com/\x85",
        "http://" + "a" * 70_000,
    ],
)
def test_any_other_url_is_one_line_that_names_the_variable(url: str) -> None:
    """
    What is no absolute URL, or holds a user, is refused without being shown.
    """
    with pytest.raises(ConfigurationError) as caught:
        settings(**{URL: url})

    message = str(caught.value)
    assert message.startswith(URL)
    assert message.isprintable()
    assert SECRET not in message
    assert len(message) < 200


def test_a_missing_url_is_named() -> None:
    """
    No URL at all is the same kind of error.
    """
    with pytest.raises(ConfigurationError, match=f"^{URL} is not set"):
        HttpSettings.from_environment({})


@pytest.mark.parametrize(
    "token",
    [
        f" {SECRET}",
        f"{SECRET} ",
        f"{SECRET}\n",
        f"\t{SECRET}",
        f"hunter2\x00{SECRET}",
        f"hunter2\r\nX: {SECRET}",
        f"{SECRET}\x7f",
        f"{SECRET}\u00e9",
        f"\u00a0{SECRET}",
        f"{SECRET}\udc80",
        " ",
    ],
)
def test_a_token_that_cannot_be_a_header_is_refused_unseen(token: str) -> None:
    """
    Blanks at the ends, control and non-ASCII characters are an error that shows no part of the token.
    """
    with pytest.raises(ConfigurationError) as caught:
        settings(**{TOKEN: token})

    assert str(caught.value).startswith(f"{TOKEN}: ")
    assert "hunter2" not in str(caught.value)
    assert caught.value.__cause__ is None


@pytest.mark.parametrize("token", ["", "  "])
def test_an_empty_token_is_not_taken_for_none(token: str) -> None:
    """
    A secret that a pipeline did not find looks like that.
    """
    with pytest.raises(ConfigurationError, match=f"^{TOKEN}: it is set and empty; give the token, or unset it$"):
        settings(**{TOKEN: token})


@pytest.mark.parametrize(("token", "warned"), [("1234567", True), ("12345678", False), ("a b c d e", False)])
def test_a_short_token_is_accepted_with_a_warning(token: str, warned: bool) -> None:
    """
    Under eight characters there is one warning that does not show the token.
    """
    found = settings(**{TOKEN: token})

    assert found.token is not None
    assert found.token.reveal() == token
    assert bool(found.warnings) is warned
    assert token not in "".join(found.warnings)


@pytest.mark.parametrize(("text", "seconds"), [("1", 1.0), ("0.5", 0.5), ("1e2", 100.0), ("030", 30.0)])
def test_a_positive_number_is_a_timeout(text: str, seconds: float) -> None:
    """
    The time-out is a plain number of seconds.
    """
    assert settings(**{TIMEOUT: text}).timeout_seconds == seconds


@pytest.mark.parametrize(
    "text",
    ["", "0", "0.0", "-1", "+1", "nan", "inf", "1e999", "1e-999", "30s", " 30", "30\n", "1_0", "0x10", "\u0663", "1,5"],
)
def test_any_other_timeout_is_refused(text: str) -> None:
    """
    Zero, negatives, infinities and what is no plain number are an error naming the variable.
    """
    with pytest.raises(ConfigurationError, match=f"^{TIMEOUT}: "):
        settings(**{TIMEOUT: text})


@pytest.mark.parametrize("text", ["", "0", "-5", "1.5", "1e6", "many", "9" * 13])
def test_a_cap_is_a_positive_whole_number(text: str) -> None:
    """
    Anything else is an error naming the variable.
    """
    with pytest.raises(ConfigurationError, match=f"^{SIZE}: "):
        settings(**{SIZE: text})


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("https://a.example.com/x?key=abcd&b=&c", "https://a.example.com/x?key=***&b=***&***"),
        ("https://a.example.com/x?abcd", "https://a.example.com/x?***"),
        ("https://a.example.com/x?k=a=b#abcd", "https://a.example.com/x?k=***"),
        ("https://a.example.com/x", "https://a.example.com/x"),
    ],
)
def test_query_values_are_masked_where_the_url_is_shown(url: str, shown: str) -> None:
    """
    People see path and names of a query, never its values.
    """
    found = settings(**{URL: url})

    assert found.shown_url == shown
    assert "abcd" not in repr(found)


def test_plain_http_needs_no_certificates() -> None:
    """
    Only an https URL has a TLS context.
    """
    assert settings().ssl_context() is None


def test_certificates_are_always_checked() -> None:
    """
    The context of an https URL verifies certificate and host.
    """
    context = settings(**{URL: "https://agent.example.com"}).ssl_context()

    assert context is not None
    assert context.verify_mode is ssl.CERT_REQUIRED
    assert context.check_hostname


@pytest.mark.parametrize("variable", ["SSL_CERT_FILE", "SSL_CERT_DIR"])
def test_certificates_that_are_not_there_are_named(variable: str, tmp_path: Path) -> None:
    """
    A private CA that cannot be found is an error before any request.
    """
    found = settings(**{URL: "https://agent.example.com", variable: str(tmp_path / "none")})

    with pytest.raises(ConfigurationError, match=f"^{variable}: "):
        found.ssl_context()


def test_a_file_without_certificates_is_named(tmp_path: Path) -> None:
    """
    A file that holds something else is an error too.
    """
    (tmp_path / "ca.pem").write_text("nothing")
    found = settings(**{URL: "https://agent.example.com", "SSL_CERT_FILE": str(tmp_path / "ca.pem")})

    with pytest.raises(ConfigurationError, match=r"^SSL_CERT_FILE: it holds no certificate"):
        found.ssl_context()
