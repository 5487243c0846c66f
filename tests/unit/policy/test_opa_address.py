"""SOCLAB_OPA_URL: a server, or a rule of its Data API."""

from __future__ import annotations

import pytest

from soclab.errors import ConfigurationError
from soclab.policy.opa_address import OpaAddress


@pytest.mark.parametrize(
    ("url", "server", "rule"),
    [
        ("http://127.0.0.1:8181", "http://127.0.0.1:8181", "soclab/decision"),
        ("http://127.0.0.1:8181/", "http://127.0.0.1:8181", "soclab/decision"),
        ("https://opa.example.com", "https://opa.example.com", "soclab/decision"),
        ("http://[::1]:8181/v1/data/acme/soc/word", "http://[::1]:8181", "acme/soc/word"),
        ("https://opa.example.com/prod/v1/data/acme/word/", "https://opa.example.com/prod", "acme/word"),
    ],
)
def test_the_url_names_a_server_or_a_rule(url, server, rule):
    """The health check and the policies stand beside the rule."""
    address = OpaAddress.of(url)
    assert address.decision == f"{server}/v1/data/{rule}"
    assert address.health == f"{server}/health?bundles"
    assert address.policies == f"{server}/v1/policies"
    assert address.is_secure == server.startswith("https")


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("127.0.0.1:8181", "must begin with http:// or https://"),
        ("localhost", "must begin with"),
        ("ftp://127.0.0.1", "must begin with"),
        ("http://", "names no host"),
        ("http://:8181", "names no host"),
        ("http://127.0.0.1:", "names no host or no port"),
        ("http://127.0.0.1:0", "no port"),
        ("http://127.0.0.1:99999", "cannot be read"),
        ("http://[::1", "cannot be read"),
        ("http://opa:hunter2@127.0.0.1:8181", "no user or password"),
        ("http://127.0.0.1:8181?token=hunter2", "no query"),
        ("http://127.0.0.1:8181/#x", "no fragment"),
        ("http://127.0.0.1:8181/soclab/decision", "must be a rule of the Data API"),
        ("http://127.0.0.1:8181/v1/data", "must be a rule of the Data API"),
        ("http://127.0.0.1:8181/v1/data/", "must be a rule of the Data API"),
        ("http://127.0.0.1:8181/v1/policies", "must be a rule of the Data API"),
        ("http://127.0.0.1 :8181", "holds a blank"),
        ("http://127.0.0.1:8181/v1/data/x\ny", "holds a blank"),
        ("http://op\u0430.example.com", "no plain ASCII"),
        ("http://127.0.0.1\\@evil", "a backslash"),
    ],
)
def test_a_url_that_cannot_be_used_is_one_line(url, said):
    """It names the variable, says what to do, and repeats nothing."""
    with pytest.raises(ConfigurationError) as raised:
        OpaAddress.of(url)
    line = str(raised.value)
    assert line.startswith("SOCLAB_OPA_URL: ")
    assert said in line
    assert "hunter2" not in line
    assert line.isprintable()
